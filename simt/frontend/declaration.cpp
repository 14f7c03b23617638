#include "simt/frontend/declaration.h"

#include <algorithm>
#include <array>

namespace simt::frontend {
namespace {

constexpr std::array<std::string_view, 13> type_words{"void", "bool",    "char",    "short",  "int",
                                                      "long", "float",   "double",  "signed", "unsigned",
                                                      "auto", "wchar_t", "__int128"};
constexpr std::array<std::string_view, 4> qualifier_words{"const", "volatile", "__restrict__", "typename"};
constexpr std::array<std::string_view, 7> storage_words{
    "static", "inline", "thread_local", "constexpr", "__forceinline__", "constinit", "register"};
constexpr std::array<std::string_view, 5> space_words{"__shared__", "__device__", "__constant__",
                                                      "__managed__", "__grid_constant__"};

template <size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

class Parser {
  public:
    Parser(const Scan& scan, const Tokens& tokens, size_t first, size_t end)
        : scan_(scan), tokens_(tokens), at_(first), end_(std::min(end, tokens.size())) {}

    Declaration run() {
        while (at_ < end_ && specifier()) {
        }
        if (!type_seen_ || at_ >= end_) return std::move(out_);
        for (const Tokens::Range& part : tokens_.split_commas(at_, end_, true))
            declarator(part.first, part.last);
        out_.understood = std::all_of(out_.declarators.begin(), out_.declarators.end(),
                                      [](const Declarator& d) { return d.name != none; });
        return std::move(out_);
    }

  private:
    // Takes one specifier; false: the declarators begin here.
    bool specifier() {
        const std::string_view s = tokens_.spelling(at_);
        if (is_space_word()) return at_++, true;
        if (s == "extern") return out_.is_extern = true, at_++, true;
        if (one_of(s, storage_words)) return at_++, true;
        if (attribute(at_)) return true;
        if (s == "struct" || s == "class" || s == "union" || s == "enum") return elaborated(), true;
        if (s == "decltype" || s == "typeof" || s == "__typeof__") return take_group(), type_seen_ = true;
        if (one_of(s, qualifier_words)) return out_.base.push_back(at_++), true;
        if (one_of(s, type_words)) return out_.base.push_back(at_++), type_seen_ = true;
        if (type_seen_ || (s != "::" && !tokens_.is_identifier(at_))) return false;
        qualified_name();
        return type_seen_ = true;
    }

    bool is_space_word() const {
        return std::any_of(space_words.begin(), space_words.end(),
                           [&](std::string_view w) { return scan_.is_word(tokens_, at_, w); });
    }

    // At an attribute: notes its alignment and moves `i` past it.
    bool attribute(size_t& i) {
        const std::string_view s = tokens_.spelling(i);
        if (s == "[" && tokens_.is(i + 1, "[")) {
            const size_t close = tokens_.partner(i);
            if (close == none || close >= end_) return false;
            i = close + 1;
            return true;
        }
        if (s != "alignas" && s != "__align__" && s != "__attribute__") return false;
        const size_t close = tokens_.is(i + 1, "(") ? tokens_.partner(i + 1) : none;
        if (close == none || close >= end_) return false;
        size_t first = i + 2, last = close;
        if (s == "__attribute__") {
            while (first < close && tokens_.spelling(first).find("aligned") == std::string_view::npos)
                first++;
            last = tokens_.is(first + 1, "(") ? tokens_.partner(first + 1) : none;
            first += 2;
        }
        if (last != none && first < last) out_.alignments.push_back(tokens_.flat(first, last));
        i = close + 1;
        return true;
    }

    void take_group() {
        out_.base.push_back(at_++);
        const size_t close = tokens_.is(at_, "(") ? tokens_.partner(at_) : none;
        if (close == none || close >= end_) return;
        while (at_ <= close) out_.base.push_back(at_++);
    }

    // struct NAME, or struct NAME { ... }
    void elaborated() {
        out_.base.push_back(at_++);
        while (at_ < end_ && !tokens_.is(at_, "{") && !type_seen_) {
            const size_t before = at_;
            if (attribute_in_type()) continue;
            if (!tokens_.is_identifier(at_) && !tokens_.is(at_, "::")) break;
            out_.type_name = before;
            qualified_name();
            type_seen_ = true;
        }
        if (!tokens_.is(at_, "{")) return;
        const size_t close = tokens_.partner(at_);
        if (close == none || close >= end_) return;
        out_.body_open = at_;
        at_ = close + 1;
        type_seen_ = true;
    }

    bool attribute_in_type() {
        if (!is_attribute_word(tokens_.spelling(at_)) || !tokens_.is(at_ + 1, "(")) return false;
        take_group();
        return true;
    }

    void qualified_name() {
        if (tokens_.is(at_, "::")) out_.base.push_back(at_++);
        while (at_ < end_ && tokens_.is_identifier(at_)) {
            out_.base.push_back(at_++);
            if (tokens_.is(at_, "<")) {
                const size_t close = tokens_.angle_partner(at_);
                if (close == none || close >= end_) return;
                while (at_ <= close) out_.base.push_back(at_++);
            }
            if (!tokens_.is(at_, "::")) return;
            out_.base.push_back(at_++);
            if (tokens_.is(at_, "template")) out_.base.push_back(at_++);
        }
    }

    void declarator(size_t first, size_t last) {
        Declarator d;
        int depth = 0;
        for (size_t i = first; i < last;) {
            if (attribute(i)) continue;
            const std::string_view s = tokens_.spelling(i);
            if (depth == 0 && (s == "=" || s == "{" || (s == "(" && d.name != none))) {
                d.initialiser = i;
                break;
            }
            if (s == "(") depth++;
            if (s == ")") depth--;
            if (d.name == none && tokens_.is_identifier(i) && !one_of(s, qualifier_words)) d.name = i;
            const size_t close = s == "[" ? tokens_.partner(i) : none;
            d.tokens.push_back(i++);
            while (close != none && i <= close && i < last) d.tokens.push_back(i++);
            if (depth == 0 && s == ")" && tokens_.is(i, "(")) {  // the parameters of a pointer to a function
                const size_t end = tokens_.partner(i);
                while (end != none && i <= end && i < last) d.tokens.push_back(i++);
            }
        }
        out_.declarators.push_back(std::move(d));
    }

    const Scan& scan_;
    const Tokens& tokens_;
    size_t at_, end_;
    bool type_seen_ = false;
    Declaration out_;
};

}  // namespace

Declaration parse_declaration(const Scan& scan, const Tokens& tokens, size_t first, size_t end) {
    return Parser(scan, tokens, first, end).run();
}

}  // namespace simt::frontend
