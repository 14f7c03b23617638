#include "app/text/flow.h"

#include <algorithm>
#include <cmath>

#include "app/text/syntax.h"

namespace lab {
namespace {

constexpr float code_scale = 0.92f;  // of the text around it
constexpr float line_scale = 1.32f;  // of the font's own line height
constexpr float code_step = 1.22f;   // the same for code

Face face_of(const Span& span, bool bold) {
    if (span.code) return span.bold || bold ? Face::mono_bold : Face::mono;
    if (span.bold || bold) return Face::bold;
    return span.italic ? Face::italic : Face::text;
}

float size_of(const Piece& piece, float pixels) {
    return piece.span->code ? pixels * code_scale : pixels;
}

size_t bytes_of_character(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// Chinese and Japanese text may break between any two characters.
bool breaks_anywhere(std::string_view text) {
    return text.size() >= 3 && static_cast<unsigned char>(text[0]) >= 0xE2 &&
           static_cast<unsigned char>(text[0]) >= 0xE3;
}

// Words, in order; `space` says whether one may break before it.
struct Word {
    Piece piece;
    bool space = false, newline = false;
};

std::vector<Word> words_of(const Spans& spans, float pixels, bool bold) {
    std::vector<Word> words;
    bool space = false;
    for (const Span& span : spans) {
        if (span.text == "\n") {
            words.push_back({{}, false, true});
            space = false;
            continue;
        }
        const std::string_view text = span.text;
        for (size_t i = 0; i < text.size();) {
            if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
                space = true;
                ++i;
                continue;
            }
            size_t end = i;
            if (breaks_anywhere(text.substr(i)))
                end = std::min(text.size(), i + bytes_of_character(text[i]));
            else
                while (end < text.size() && text[end] != ' ' && text[end] != '\t' && text[end] != '\n' &&
                       (end == i || !breaks_anywhere(text.substr(end))))
                    ++end;
            Word word;
            word.piece.face = face_of(span, bold);
            word.piece.span = &span;
            word.piece.text = text.substr(i, end - i);
            word.piece.width = text_size(word.piece.face, size_of(word.piece, pixels), word.piece.text).x;
            word.space = space;
            words.push_back(word);
            space = false;
            i = end;
        }
    }
    return words;
}

bool may_break_before(const std::vector<Word>& words, size_t i) {
    return words[i].space || words[i].newline || breaks_anywhere(words[i].piece.text);
}

// Cuts a word that is wider than a whole line.
void place_long_word(LaidText& laid, Piece piece, float& x, float& y, float width) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
        size_t take = 0;
        float used = 0;
        while (take < rest.size()) {
            const size_t next = std::min(rest.size(), take + bytes_of_character(rest[take]));
            const float wide = text_size(piece.face, size_of(piece, laid.pixels), rest.substr(0, next)).x;
            if (take > 0 && x + wide > width) break;
            take = next;
            used = wide;
        }
        piece.text = rest.substr(0, take);
        piece.x = x;
        piece.y = y;
        piece.width = used;
        laid.pieces.push_back(piece);
        rest.remove_prefix(take);
        x += used;
        if (!rest.empty()) {
            x = 0;
            y += laid.line_height;
        }
    }
}

}  // namespace

namespace {

// Puts a word behind the last one. Words of one span on one line become one run, so that the font spaces
// them.
void place_word(LaidText& laid, Piece piece, bool space, float space_width, float& x, float y) {
    Piece* last = laid.pieces.empty() || laid.pieces.back().y != y ? nullptr : &laid.pieces.back();
    const float margin = laid.pixels * (space ? 0.2f : 0.15f);  // of inline code's ground
    if (last && last->span == piece.span &&
        piece.text.data() == last->text.data() + last->text.size() + (space ? 1 : 0)) {
        last->text = {last->text.data(), last->text.size() + piece.text.size() + (space ? 1 : 0)};
        last->width = text_size(last->face, size_of(*last, laid.pixels), last->text).x;
        x = last->x + last->width;
        return;
    }
    if (space && last) x += space_width;
    if (piece.span->code != (last && last->span->code)) x += margin;
    piece.x = std::ceil(x);
    piece.y = y;
    laid.pieces.push_back(piece);
    x = piece.x + piece.width;
}

}  // namespace

LaidText lay_out(const Spans& spans, float width, float pixels, bool bold) {
    LaidText laid;
    laid.pixels = pixels;
    laid.line_height = std::round(pixels * line_scale);
    const float space = text_size(Face::text, pixels, " ").x;
    const std::vector<Word> words = words_of(spans, pixels, bold);
    float x = 0, y = 0;
    for (size_t i = 0; i < words.size();) {
        if (words[i].newline) {
            x = 0;
            y += laid.line_height;
            ++i;
            continue;
        }
        size_t end = i + 1;  // a chunk: words that must stay together
        float chunk = words[i].piece.width;
        while (end < words.size() && !may_break_before(words, end)) chunk += words[end++].piece.width;
        const float gap = x > 0 && words[i].space ? space : 0;
        if (x > 0 && x + gap + chunk > width) {
            x = 0;
            y += laid.line_height;
        }
        for (size_t k = i; k < end; ++k) {
            if (chunk > width)
                place_long_word(laid, words[k].piece, x, y, width);
            else
                place_word(laid, words[k].piece, k == i && words[i].space, space, x, y);
        }
        laid.width = std::max(laid.width, x);
        i = end;
    }
    laid.height = laid.pieces.empty() && words.empty() ? 0 : y + laid.line_height;
    return laid;
}

std::string draw_laid(const LaidText& laid, ImVec2 at, ImU32 colour) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    std::string clicked;
    const float baseline = (laid.line_height - laid.pixels) / 2 + ascent_of(Face::text, laid.pixels);
    const ImVec2 keep = ImGui::GetCursorScreenPos();
    for (const Piece& piece : laid.pieces) {
        const float size = size_of(piece, laid.pixels);
        const ImVec2 top{at.x + piece.x, at.y + piece.y + baseline - ascent_of(piece.face, size)};
        ImU32 ink = colour;
        if (piece.span->code) {
            const float pad = laid.pixels * 0.15f, rise = laid.line_height * 0.07f;
            list->AddRectFilled({top.x - pad, at.y + piece.y + rise},
                                {top.x + piece.width + pad, at.y + piece.y + laid.line_height - rise},
                                palette().raised, laid.pixels * 0.2f);
        }
        if (!piece.span->link.empty()) {
            ink = palette().accent;
            ImGui::SetCursorScreenPos({top.x, at.y + piece.y});
            ImGui::PushID(&piece);
            if (ImGui::InvisibleButton("link", {std::max(1.f, piece.width), laid.line_height}))
                clicked = piece.span->link;
            if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            ImGui::PopID();
            list->AddLine({top.x, top.y + size * 1.1f}, {top.x + piece.width, top.y + size * 1.1f},
                          with_alpha(ink, 0.5f));
        }
        draw_text(list, piece.face, size, top, ink, piece.text);
        if (piece.span->struck)
            list->AddLine({top.x, top.y + size * 0.6f}, {top.x + piece.width, top.y + size * 0.6f}, ink);
    }
    ImGui::SetCursorScreenPos(keep);
    return clicked;
}

namespace {

struct CodeLine {
    std::string_view text;
    std::vector<TokenSpan> tokens;
};

std::vector<CodeLine> lines_of(std::string_view code, bool coloured) {
    std::vector<CodeLine> lines;
    bool in_comment = false;
    while (true) {
        const size_t end = code.find('\n');
        CodeLine line{code.substr(0, end), {}};
        if (coloured)
            line.tokens = tokens_of(line.text, in_comment);
        else if (!line.text.empty())
            line.tokens = {{0, line.text.size(), Token::plain}};
        lines.push_back(std::move(line));
        if (end == std::string_view::npos) return lines;
        code.remove_prefix(end + 1);
    }
}

}  // namespace

void draw_code(const std::string& code, std::string_view language, float width,
               const std::vector<int>& line_numbers, std::string_view caption) {
    const float size = std::round(em() * code_scale), step = std::round(size * code_step), pad = em(0.7f);
    std::string_view shown = code;
    while (shown.ends_with('\n')) shown.remove_suffix(1);
    const std::vector<CodeLine> lines = lines_of(shown, is_cuda_language(language));
    const float advance = text_size(Face::mono, size, "0").x;
    const float margin = line_numbers.empty() ? 0 : advance * 4;
    float widest = 0;
    for (const CodeLine& line : lines) widest = std::max(widest, float(line.text.size()) * advance);
    const float head = caption.empty() ? 0 : em(1.7f);
    const bool scrolls = widest + margin + 2 * pad > width;
    const float height =
        head + float(lines.size()) * step + 2 * pad * 0.8f + (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(code.c_str());
    ImGui::PushStyleColor(ImGuiCol_ChildBg, palette().code);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    if (ImGui::BeginChild("code", {width, height}, ImGuiChildFlags_Borders,
                          ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                              ImGuiWindowFlags_NoNav)) {
        ImDrawList* list = ImGui::GetWindowDrawList();
        const ImVec2 origin = ImGui::GetCursorScreenPos();
        if (head > 0)
            draw_text(list, Face::text, em(0.82f), {at.x + pad, origin.y + em(0.5f)}, palette().dim, caption);
        for (size_t i = 0; i < lines.size(); ++i) {
            const float y = origin.y + head + pad * 0.8f + float(i) * step + (step - size) / 2;
            if (i < line_numbers.size()) {
                const std::string number = std::to_string(line_numbers[i]);
                draw_text(list, Face::mono, size * 0.9f,
                          {origin.x + pad + advance * (2.4f - float(number.size())), y}, palette().faint,
                          number);
            }
            for (const TokenSpan& token : lines[i].tokens)
                draw_text(list, Face::mono, size, {origin.x + pad + margin + advance * float(token.begin), y},
                          colour_of(token.token), lines[i].text.substr(token.begin, token.size));
        }
        ImGui::Dummy(
            {widest + margin + 2 * pad, height - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0) - 2});
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    ImGui::PopID();
}

}  // namespace lab
