#include "simt/frontend/edit.h"

#include <algorithm>

namespace simt::frontend {

Edit& Edit::add(std::string_view text, size_t stands_for) {
    pieces_.push_back({std::string(text), stands_for, false});
    return *this;
}

Edit& Edit::copy(const Tokens& tokens, size_t first, size_t last) {
    for (size_t i = first; i < last && i < tokens.size(); i++) {
        const Token& token = tokens[i];
        if (i > first && tokens[i - 1].end != token.begin) add(" ", token.begin);
        pieces_.push_back({std::string(tokens.spelling(i)), token.begin, true});
        newlines_ +=
            static_cast<int>(std::count(pieces_.back().text.begin(), pieces_.back().text.end(), '\n'));
    }
    return *this;
}

Edit& Edit::catch_up(size_t offset) {
    const int wanted = file_->line_of(offset) - file_->line_of(begin_);
    for (; newlines_ < wanted; newlines_++) add(in_directive_ ? " \\\n" : "\n", offset);
    return *this;
}

Applied Applied::apply(const Lexed& file, std::vector<Edit> edits) {
    std::stable_sort(edits.begin(), edits.end(),
                     [](const Edit& a, const Edit& b) { return a.begin_ < b.begin_; });
    Applied result;
    std::string& out = result.text;
    out.reserve(file.text.size() + edits.size() * 128);
    int line = 1;
    size_t line_begin = 0;  // offset in `out` of the current line
    const auto append = [&](std::string_view text) {
        for (size_t i = 0; i < text.size(); i++) {
            if (text[i] != '\n') continue;
            line++;
            line_begin = out.size() + i + 1;
        }
        out += text;
    };
    const auto mark = [&](size_t from, bool verbatim) {
        const Position here{line, static_cast<int>(out.size() - line_begin) + 1};
        result.positions.add({here, {file.line_of(from), file.column_of(from)}, verbatim});
    };
    size_t at = 0;
    for (Edit& edit : edits) {
        if (edit.begin_ < at) continue;
        append(file.text.substr(at, edit.begin_ - at));
        edit.catch_up(edit.end_);
        for (const Edit::Piece& piece : edit.pieces_) {
            mark(piece.from, piece.verbatim);
            append(piece.text);
        }
        at = edit.end_;
        mark(at, true);
    }
    append(file.text.substr(at));
    return result;
}

}  // namespace simt::frontend
