// The loops of one function, from its basic blocks.
#pragma once

#include <cstddef>
#include <vector>

namespace simt::frontend {

// Blocks in the order of the text; block 0 is the function's entry.
struct FlowGraph {
    struct Node {
        std::vector<size_t> next;  // successors
    };
    std::vector<Node> nodes;
};

struct FoundLoop {
    size_t head;         // every way into the loop goes through this block
    size_t first, last;  // the lowest and the highest block in the text that belong to it
};

// Natural loops; those with one head are one loop. Outer loops come before those inside them.
std::vector<FoundLoop> find_loops(const FlowGraph& graph);

}  // namespace simt::frontend
