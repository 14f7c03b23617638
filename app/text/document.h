// Markdown -> a flat list of blocks that the window lays out itself. md4c's push parser reads the text; raw
// HTML is shown as text.
#pragma once

#include <string>
#include <vector>

namespace lab {

struct Span {
    std::string text;  // UTF-8; "\n": a hard line break
    bool bold = false, italic = false, code = false, struck = false;
    std::string link;  // where it leads; empty: no link
};
using Spans = std::vector<Span>;

struct TextBlock {
    enum class Kind { paragraph, heading, item, code, table, rule } kind = Kind::paragraph;
    int level = 0;       // heading: 1 to 6
    int indent = 0;      // depth of the list that it stands in
    int quote = 0;       // depth of quotation
    bool tight = false;  // little space above it: a list without blank lines
    std::string marker;  // item: "1." or empty for a bullet; further paragraphs of an item are paragraphs
    Spans spans;         // paragraph, heading, item
    std::string code, language;
    std::vector<std::vector<Spans>> rows;  // table: the first is its head
    std::vector<int> align;                // table: per column -1 left, 0 centre, 1 right
};

struct Document {
    std::vector<TextBlock> blocks;
};

// Takes any bytes; never throws.
Document read_markdown(const std::string& text);

// The text alone, without its markup: for captions and tests.
std::string plain_text(const Document& document);

}  // namespace lab
