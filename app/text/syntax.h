// Colours for lines of CUDA C++: a small lexer, good enough for reading, of one line at a time.
#pragma once

#include <string_view>
#include <vector>

#include "app/theme/theme.h"

namespace lab {

enum class Token { plain, keyword, type, cuda, function, number, string, comment, preprocessor };

struct TokenSpan {
    size_t begin = 0, size = 0;
    Token token = Token::plain;
};

// in_comment: whether the line begins inside a /* comment; holds the same for the next line afterwards.
std::vector<TokenSpan> tokens_of(std::string_view line, bool& in_comment);

ImU32 colour_of(Token token);

// Whether text in a fence of this language is coloured.
bool is_cuda_language(std::string_view language);

}  // namespace lab
