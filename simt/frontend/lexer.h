// CUDA C++ text -> tokens. Comments, raw strings, digit separators, line continuations and preprocessor lines
// are known; macros are not expanded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simt::frontend {

enum class TokenKind { identifier, number, string, character, punctuation };

// Punctuation is one character a token, but for `::`, `->` and `...`: `<<<` and `>>>` are for the parser to
// find.
struct Token {
    TokenKind kind = TokenKind::punctuation;
    size_t begin = 0, end = 0;  // offsets in the text
    int line = 0;               // 1-based, of its first character
};

// A preprocessor line (with its continuations).
struct Directive {
    std::string name;  // "define", "include", ...
    int line = 0;
    size_t begin = 0, end = 0;  // from the '#' up to, not including, the newline that ends it
    std::vector<Token> tokens;  // what follows the name
    bool dead = false;          // inside #if 0
};

struct Lexed {
    std::string_view text;
    std::vector<Token> code;  // outside preprocessor lines and #if 0
    std::vector<Directive> directives;
    std::vector<size_t> line_starts;  // offset of each line's first character

    std::string_view spelling(const Token& token) const {
        return text.substr(token.begin, token.end - token.begin);
    }
    int line_of(size_t offset) const;
    int column_of(size_t offset) const;  // 1-based, bytes
};

// `text` must outlive the result.
Lexed lex(std::string_view text);

}  // namespace simt::frontend
