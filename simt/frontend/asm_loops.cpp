#include "simt/frontend/asm_loops.h"

#include <algorithm>
#include <utility>

namespace simt::frontend {
namespace {

constexpr size_t nowhere = static_cast<size_t>(-1);

// Reachable blocks, each before its successors but for back edges.
std::vector<size_t> reverse_postorder(const FlowGraph& graph) {
    std::vector<size_t> order;
    std::vector<char> seen(graph.nodes.size(), 0);
    std::vector<std::pair<size_t, size_t>> stack{{0, 0}};
    seen[0] = 1;
    while (!stack.empty()) {
        auto& [node, child] = stack.back();
        if (child == graph.nodes[node].next.size()) {
            order.push_back(node);
            stack.pop_back();
            continue;
        }
        const size_t next = graph.nodes[node].next[child++];
        if (seen[next]) continue;
        seen[next] = 1;
        stack.push_back({next, 0});
    }
    std::reverse(order.begin(), order.end());
    return order;
}

// Immediate dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
std::vector<size_t> dominators(const std::vector<size_t>& order,
                               const std::vector<std::vector<size_t>>& previous) {
    std::vector<size_t> rank(previous.size(), nowhere), idom(previous.size(), nowhere);
    for (size_t i = 0; i < order.size(); i++) rank[order[i]] = i;
    idom[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const size_t node : order) {
            if (node == 0) continue;
            size_t best = nowhere;
            for (const size_t p : previous[node]) {
                if (idom[p] == nowhere) continue;
                size_t a = p, b = best == nowhere ? p : best;
                while (a != b) {
                    while (rank[a] > rank[b]) a = idom[a];
                    while (rank[b] > rank[a]) b = idom[b];
                }
                best = a;
            }
            if (best != idom[node]) {
                idom[node] = best;
                changed = true;
            }
        }
    }
    return idom;
}

bool dominates(const std::vector<size_t>& idom, size_t above, size_t node) {
    while (node != above && node != 0) node = idom[node];
    return node == above;
}

}  // namespace

std::vector<FoundLoop> find_loops(const FlowGraph& graph) {
    if (graph.nodes.empty()) return {};
    const std::vector<size_t> order = reverse_postorder(graph);
    std::vector<std::vector<size_t>> previous(graph.nodes.size());
    for (const size_t node : order)
        for (const size_t next : graph.nodes[node].next) previous[next].push_back(node);
    const std::vector<size_t> idom = dominators(order, previous);
    std::vector<FoundLoop> loops;
    for (const size_t head : order) {
        std::vector<size_t> work;
        for (const size_t p : previous[head])
            if (dominates(idom, head, p)) work.push_back(p);
        if (work.empty()) continue;
        std::vector<char> inside(graph.nodes.size(), 0);
        inside[head] = 1;
        std::erase_if(work, [&](size_t p) { return std::exchange(inside[p], 1) != 0; });
        FoundLoop loop{head, head, head};
        while (!work.empty()) {
            const size_t node = work.back();
            work.pop_back();
            loop.first = std::min(loop.first, node);
            loop.last = std::max(loop.last, node);
            for (const size_t p : previous[node])
                if (!inside[p]) {
                    inside[p] = 1;
                    work.push_back(p);
                }
        }
        loops.push_back(loop);
    }
    return loops;
}

}  // namespace simt::frontend
