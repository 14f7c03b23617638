#include "simt/frontend/asm_forks.h"

#include <algorithm>
#include <set>

namespace simt::frontend {
namespace {

// More work than that stays behind a branch. Set by the H200's counters (tests/fidelity/kernels): nvcc's own
// limit is not documented, and an x86-64 instruction is not one of a GPU.
constexpr unsigned most_predicated = 8;
constexpr size_t most_nodes = 24, longest_chain = 16;

// Everything between the fork and the place where its ways meet again is little work, in one go: no call, no
// way back, and no access that decides where to go on.
bool is_short(const std::vector<Node>& nodes, size_t fork) {
    std::set<size_t> open(nodes[fork].ways.begin(), nodes[fork].ways.end());
    unsigned cost = 0;
    for (size_t count = 0; open.size() > 1; ++count) {
        const size_t at = *open.begin();
        open.erase(open.begin());
        const Node& now = nodes[at];
        if (count == most_nodes || at <= fork || now.calls || now.ways.empty()) return false;
        if (now.ways.size() > 1 && now.accesses != 0) return false;
        if (std::any_of(now.ways.begin(), now.ways.end(), [&](size_t way) { return way <= at; }))
            return false;
        cost += now.instructions;
        open.insert(now.ways.begin(), now.ways.end());
    }
    return cost <= most_predicated;
}

// nvcc leaves an `if` a branch where the loop around it has the lanes of a warp meet.
bool loop_meets(const std::vector<Node>& nodes, const std::vector<FoundLoop>& loops, size_t node) {
    return std::any_of(loops.begin(), loops.end(), [&](const FoundLoop& loop) {
        if (node < loop.first || node > loop.last) return false;
        return std::any_of(nodes.begin() + static_cast<ptrdiff_t>(loop.first),
                           nodes.begin() + static_cast<ptrdiff_t>(loop.last) + 1,
                           [](const Node& n) { return n.meets; });
    });
}

bool ends_at_once(const std::vector<Node>& nodes, size_t node) {
    for (size_t steps = 0; steps < longest_chain; steps++) {
        const Node& now = nodes[node];
        if (now.calls || now.accesses != 0) return false;
        if (now.returns) return true;
        if (now.ways.size() != 1) return false;
        node = now.ways[0];
    }
    return false;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> join_checked_blocks(const std::vector<Node>& nodes) {
    std::vector<char> hooked(nodes.size());
    for (size_t i = 0; i < nodes.size(); i++) hooked[i] = nodes[i].hooked;
    std::vector<std::pair<size_t, size_t>> joined;
    for (size_t i = 0; i < nodes.size(); i++) {
        if (!hooked[i] || nodes[i].ways.size() != 1) continue;
        const size_t next = nodes[i].ways[0];
        if (hooked[next] || next <= i) continue;
        hooked[next] = 1;
        joined.emplace_back(i, next);
    }
    return joined;
}

Fork judge_fork(const std::vector<Node>& nodes, const std::vector<FoundLoop>& loops, size_t node) {
    if (is_short(nodes, node) && !loop_meets(nodes, loops, node)) return Fork::predicated;
    const std::vector<size_t>& ways = nodes[node].ways;
    const bool in_loop = std::any_of(loops.begin(), loops.end(), [&](const FoundLoop& loop) {
        return node >= loop.first && node <= loop.last;
    });
    const bool may_end = !in_loop && std::any_of(ways.begin(), ways.end(),
                                                 [&](size_t way) { return ends_at_once(nodes, way); });
    return may_end ? Fork::may_end : Fork::branch;
}

}  // namespace simt::frontend
