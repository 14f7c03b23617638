// The statements of a function's body, as far as notes need them.
#pragma once

#include <vector>

#include "simt/frontend/scan.h"

namespace simt::frontend {

struct Barrier {
    int line = 0;
    int condition_line =
        0;  // first line of the innermost if, switch or loop around it, in the same function; 0: none
};

struct Body {
    std::vector<size_t> returns;  // `return` tokens of `return;`, not those of lambdas and local classes
    std::vector<Barrier> barriers;
    std::vector<Tokens::Range> statements;  // of the function itself, as above; `last` is at the ';'
};

Body read_body(const Tokens& code, const Function& function);

}  // namespace simt::frontend
