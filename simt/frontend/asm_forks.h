// Which branches of the CPU's code are branches on a GPU. nvcc makes short sides of an `if` predicated
// instructions or selects, and a thread that ends at once a predicated exit; the sanitizer's own checks are
// none of the program's. What is left splits a warp when its lanes disagree.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "simt/frontend/asm_loops.h"

namespace simt::frontend {

struct Node {  // a piece of code that is entered at its start only and left at its end only
    bool returns = false, calls = false;
    bool meets = false;                       // lanes of a warp meet in what it calls
    unsigned accesses = 0, instructions = 0;  // those that compute: no moves, no accesses
    bool hooked = false;                      // begins a basic block of the program
    std::vector<size_t> ways;                 // where it goes on, without the sanitizer's handlers
};

// A check of the sanitizer cuts a block in two, of which only the first is hooked. Pairs (first, next part).
std::vector<std::pair<size_t, size_t>> join_checked_blocks(const std::vector<Node>& nodes);

enum class Fork { predicated, branch, may_end };
// `node` has several ways.
Fork judge_fork(const std::vector<Node>& nodes, const std::vector<FoundLoop>& loops, size_t node);

}  // namespace simt::frontend
