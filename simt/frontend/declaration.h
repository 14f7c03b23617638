// One variable declaration, taken apart: `static __shared__ __align__(16) float a[4], *b;`
#pragma once

#include <string>
#include <vector>

#include "simt/frontend/scan.h"

namespace simt::frontend {

struct Declarator {
    std::vector<size_t> tokens;  // without attributes and initialiser; the name is among them
    size_t name = none;
    size_t initialiser = none;  // the '=', '{' or '(' that starts it
};

struct Declaration {
    bool is_extern = false;
    std::vector<size_t> base;  // tokens of the type; storage words, CUDA words and alignment left out
    size_t body_open = none;   // the '{' of a type that is defined right here
    size_t type_name = none;   // its name; none: it has no name
    std::vector<std::string> alignments;  // what stood between the parentheses
    std::vector<Declarator> declarators;
    bool understood = false;
};

// The declaration in tokens [first, end); `end` is at its ';' (or beyond the last token).
Declaration parse_declaration(const Scan& scan, const Tokens& tokens, size_t first, size_t end);

}  // namespace simt::frontend
