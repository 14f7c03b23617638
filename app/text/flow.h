// Lays out and draws text of several faces in a given width: paragraphs, headings, lists, tables, code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/text/document.h"
#include "app/theme/theme.h"

namespace lab {

// A run of words on one line, placed. Views into the spans that it was made of, which must outlive it.
struct Piece {
    float x = 0, y = 0, width = 0;  // y: top of its line
    Face face = Face::text;
    const Span* span = nullptr;
    std::string_view text;
};

struct LaidText {
    std::vector<Piece> pieces;
    float pixels = 0, line_height = 0;
    float width = 0, height = 0;
};

// pixels: size of the font. bold: every span is.
LaidText lay_out(const Spans& spans, float width, float pixels, bool bold = false);

// Draws at `at` in `colour` (links and code have colours of their own). Returns the link that was clicked, or
// "".
std::string draw_laid(const LaidText& laid, ImVec2 at, ImU32 colour);

// A block of code on its own ground, coloured where `language` says so. Advances ImGui's cursor.
// line_numbers: empty, or the number to show at each line. caption: drawn above it where it is not empty.
void draw_code(const std::string& code, std::string_view language, float width,
               const std::vector<int>& line_numbers = {}, std::string_view caption = "");

// A piece of Markdown with its layout kept between frames.
class DocumentView {
  public:
    DocumentView() = default;
    explicit DocumentView(const std::string& markdown) : document_(read_markdown(markdown)) {}
    // The layout points into the document: it moves along, but cannot be copied.
    DocumentView(DocumentView&&) = default;
    DocumentView& operator=(DocumentView&&) = default;

    float height(float width);
    // Draws at ImGui's cursor and moves it below. colour 0: the theme's text. Returns the link that was
    // clicked.
    std::string draw(float width, ImU32 colour = 0);
    const Document& document() const { return document_; }

  private:
    struct Laid {
        float x = 0, y = 0, width = 0, height = 0;
        LaidText text;
        std::vector<std::vector<LaidText>> cells;
        std::vector<float> columns, rows;
    };
    void lay_out_all(float width);
    Laid lay_out_table(const TextBlock& block, float width) const;
    std::string draw_block(const TextBlock& block, const Laid& laid, ImVec2 origin, ImU32 colour) const;
    void draw_table(const TextBlock& block, const Laid& laid, ImVec2 at, ImU32 colour) const;

    Document document_;
    std::vector<Laid> laid_;
    float width_ = -1, em_ = 0, height_ = 0;
};

}  // namespace lab
