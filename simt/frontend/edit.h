// Replacements in a text that keep its line count, and the map back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simt/frontend/lexer.h"
#include "simt/frontend/positions.h"
#include "simt/frontend/tokens.h"

namespace simt::frontend {

// What replaces text[begin, end). Ends up with as many newlines as it replaces.
class Edit {
  public:
    Edit(const Lexed& file, size_t begin, size_t end, bool in_directive)
        : file_(&file), begin_(begin), end_(end), in_directive_(in_directive) {}

    // Text of ours; a message there points at `begin`, or at the offset given.
    Edit& add(std::string_view text) { return add(text, begin_); }
    Edit& add(std::string_view text, size_t stands_for);
    // The learner's own tokens [first, last), on one line.
    Edit& copy(const Tokens& tokens, size_t first, size_t last);
    // Newlines, until the output is on the line of `offset`.
    Edit& catch_up(size_t offset);

    size_t begin() const { return begin_; }
    size_t end() const { return end_; }

  private:
    friend struct Applied;
    struct Piece {
        std::string text;
        size_t from;
        bool verbatim;
    };
    const Lexed* file_;
    size_t begin_, end_;
    bool in_directive_;
    int newlines_ = 0;
    std::vector<Piece> pieces_;
};

struct Applied {
    std::string text;
    PositionMap positions;
    static Applied apply(const Lexed& file,
                         std::vector<Edit> edits);  // overlapping edits: the first one counts
};

}  // namespace simt::frontend
