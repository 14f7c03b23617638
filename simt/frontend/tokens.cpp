#include "simt/frontend/tokens.h"

namespace simt::frontend {
namespace {

bool opens(char c) {
    return c == '(' || c == '[' || c == '{';
}
bool closes(char c) {
    return c == ')' || c == ']' || c == '}';
}
char first_char(std::string_view s) {
    return s.empty() ? '\0' : s[0];
}

}  // namespace

Tokens::Tokens(const Lexed& file, const std::vector<Token>& tokens)
    : file_(&file), tokens_(&tokens), partners_(tokens.size(), none) {
    std::vector<size_t> open;
    for (size_t i = 0; i < tokens.size(); i++) {
        const char c = tokens[i].kind == TokenKind::punctuation ? file.text[tokens[i].begin] : '\0';
        if (opens(c)) open.push_back(i);
        if (!closes(c)) continue;
        const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
        size_t depth = open.size();
        while (depth > 0 && file.text[tokens[open[depth - 1]].begin] != wanted) depth--;
        if (depth == 0) continue;  // closes nothing
        partners_[i] = open[depth - 1];
        partners_[open[depth - 1]] = i;
        open.resize(depth - 1);  // what was opened in between stays without a partner
    }
}

size_t Tokens::angle_partner(size_t i) const {
    int depth = 0;
    for (const size_t limit = i + 4096; i < size() && i < limit; i++) {
        const char c = first_char(spelling(i));
        if (opens(c)) {
            i = partner(i);
            if (i == none) return none;
            continue;
        }
        if (closes(c) || c == ';') return none;
        if (c == '<') depth++;
        if (c == '>' && --depth == 0) return i;
    }
    return none;
}

size_t Tokens::angle_partner_back(size_t i) const {
    int depth = 0;
    for (size_t steps = 0; i < size() && steps < 4096; i--, steps++) {  // wraps to a huge number below zero
        const char c = first_char(spelling(i));
        if (closes(c)) {
            i = partner(i);
            if (i == none) return none;
            continue;
        }
        if (opens(c) || c == ';') return none;
        if (c == '>') depth++;
        if (c == '<' && --depth == 0) return i;
    }
    return none;
}

bool Tokens::opens_launch(size_t i) const {
    return is(i, "<") && is(i + 1, "<") && is(i + 2, "<") && touches_next(i) && touches_next(i + 1);
}

std::string Tokens::flat(size_t first, size_t last) const {
    std::string out;
    for (size_t i = first; i < last && i < size(); i++) {
        if (i > first && (*tokens_)[i - 1].end != (*tokens_)[i].begin) out += ' ';
        out += spelling(i);
    }
    return out;
}

std::vector<Tokens::Range> Tokens::split_commas(size_t first, size_t last, bool angles) const {
    std::vector<Range> parts;
    if (first >= last) return parts;
    size_t begin = first;
    for (size_t i = first; i < last; i++) {
        const char c = first_char(spelling(i));
        size_t close = none;
        if (opens(c)) close = partner(i);
        if (angles && c == '<' && i > first && is_identifier(i - 1)) close = angle_partner(i);
        if (close != none && close < last) {
            i = close;
            continue;
        }
        if (c == ',') {
            parts.push_back({begin, i});
            begin = i + 1;
        }
    }
    parts.push_back({begin, last});
    return parts;
}

}  // namespace simt::frontend
