#include "app/text/syntax.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace lab {
namespace {

constexpr std::string_view keywords[] = {
    "alignas",  "auto",     "break",    "case",   "catch",  "class",     "const",         "constexpr",
    "continue", "default",  "delete",   "do",     "else",   "enum",      "explicit",      "extern",
    "false",    "for",      "goto",     "if",     "inline", "namespace", "new",           "nullptr",
    "operator", "private",  "public",   "return", "sizeof", "static",    "static_assert", "struct",
    "switch",   "template", "this",     "throw",  "true",   "try",       "typedef",       "typename",
    "union",    "using",    "volatile", "while"};
constexpr std::string_view types[] = {
    "bool",   "char", "cudaError_t", "cudaEvent_t", "cudaStream_t", "dim3",     "double", "float", "float2",
    "float4", "half", "int",         "int2",        "int4",         "int64_t",  "long",   "short", "signed",
    "size_t", "std",  "uint32_t",    "uint64_t",    "uint8_t",      "unsigned", "void"};
constexpr std::string_view cuda_words[] = {"blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"};

template <size_t N>
bool contains(const std::string_view (&words)[N], std::string_view word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

Token token_of_word(std::string_view word, std::string_view rest) {
    if (word.starts_with("__") || contains(cuda_words, word)) return Token::cuda;
    if (contains(keywords, word)) return Token::keyword;
    if (contains(types, word)) return Token::type;
    if (std::isdigit(static_cast<unsigned char>(word[0]))) return Token::number;
    const size_t next = rest.find_first_not_of(' ');
    if (next != std::string_view::npos && (rest[next] == '(' || rest.substr(next).starts_with("<<<")))
        return Token::function;
    return Token::plain;
}

size_t end_of_string(std::string_view line, size_t i) {
    const char quote = line[i++];
    while (i < line.size() && line[i] != quote) i += line[i] == '\\' ? 2 : 1;
    return std::min(i + 1, line.size());
}

}  // namespace

std::vector<TokenSpan> tokens_of(std::string_view line, bool& in_comment) {
    std::vector<TokenSpan> out;
    auto put = [&](size_t begin, size_t end, Token token) {
        if (end > begin) out.push_back({begin, end - begin, token});
        return end;
    };
    size_t i = 0;
    const size_t first = line.find_first_not_of(" \t");
    if (!in_comment && first != std::string_view::npos && line[first] == '#') {
        const size_t slashes = line.find("//");
        const size_t end = put(0, std::min(slashes, line.size()), Token::preprocessor);
        put(end, line.size(), Token::comment);
        return out;
    }
    while (i < line.size()) {
        if (in_comment || line.substr(i).starts_with("/*")) {
            const size_t end = line.find("*/", in_comment ? i : i + 2);
            in_comment = end == std::string_view::npos;
            i = put(i, in_comment ? line.size() : end + 2, Token::comment);
        } else if (line.substr(i).starts_with("//")) {
            i = put(i, line.size(), Token::comment);
        } else if (line[i] == '"' || line[i] == '\'') {
            i = put(i, end_of_string(line, i), Token::string);
        } else if (is_word(line[i])) {
            size_t end = i;
            const bool number = std::isdigit(static_cast<unsigned char>(line[i]));
            while (end < line.size() &&
                   (is_word(line[end]) || (number && (line[end] == '.' || line[end] == '\''))))
                ++end;
            i = put(i, end, token_of_word(line.substr(i, end - i), line.substr(end)));
        } else if (line.substr(i).starts_with("<<<") || line.substr(i).starts_with(">>>")) {
            i = put(i, i + 3, Token::cuda);
        } else {
            i = put(i, i + 1, Token::plain);
        }
    }
    return out;
}

ImU32 colour_of(Token token) {
    const SyntaxColours& c = palette().syntax;
    switch (token) {
        case Token::keyword:
            return c.keyword;
        case Token::type:
            return c.type;
        case Token::cuda:
            return c.cuda;
        case Token::function:
            return c.function;
        case Token::number:
            return c.number;
        case Token::string:
            return c.string;
        case Token::comment:
            return c.comment;
        case Token::preprocessor:
            return c.preprocessor;
        case Token::plain:
            break;
    }
    return c.plain;
}

bool is_cuda_language(std::string_view language) {
    constexpr std::string_view coloured[] = {"c", "cc", "c++", "cpp", "cu", "cuda"};
    return contains(coloured, language);
}

}  // namespace lab
