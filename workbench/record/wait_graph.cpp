#include "workbench/record/wait_graph.h"

#include <algorithm>
#include <map>

namespace lab {

WaitGraph::WaitGraph(const Timeline& timeline) : tasks_(static_cast<int>(timeline.tasks.size())) {
    const size_t nodes = timeline.tasks.size() + timeline.host.size();
    into_.resize(nodes);
    out_.resize(nodes);
    std::map<int, int> last_of_stream;
    for (int t = 0; t < tasks_; ++t) {
        const TimelineTask& task = timeline.tasks[static_cast<size_t>(t)];
        const auto [last, is_first] = last_of_stream.try_emplace(task.stream, t);
        if (!is_first) add(last->second, t, WaitEdge::Why::stream_order);
        last->second = t;
        const bool by_event = task.kind == "wait" && task.graph == 0;
        for (const int other : task.after)
            if (other >= 0 && other < t)
                add(other, t, by_event ? WaitEdge::Why::event : WaitEdge::Why::default_stream);
    }
    std::map<int, int> last_of_thread;
    for (size_t s = 0; s < timeline.host.size(); ++s) {
        const HostStep& step = timeline.host[s];
        const int node = of_step(s);
        const auto [last, is_first] = last_of_thread.try_emplace(step.thread, node);
        if (!is_first) add(last->second, node, WaitEdge::Why::host_order);
        last->second = node;
        if (step.task < 0 || step.task >= tasks_) continue;
        if (step.what == "queues") add(node, step.task, WaitEdge::Why::queued);
        if (step.what == "waits") add(step.task, node, WaitEdge::Why::host_waits);
    }
}

void WaitGraph::add(int from, int to, WaitEdge::Why why) {
    const int edge = static_cast<int>(edges_.size());
    edges_.push_back({from, to, why});
    out_[static_cast<size_t>(from)].push_back(edge);
    into_[static_cast<size_t>(to)].push_back(edge);
}

std::vector<bool> WaitGraph::reach(int node, bool forwards) const {
    std::vector<bool> found(into_.size(), false);
    if (node < 0 || node >= size()) return found;
    std::vector<int> open{node};
    while (!open.empty()) {
        const auto at = static_cast<size_t>(open.back());
        open.pop_back();
        for (const int edge : forwards ? out_[at] : into_[at]) {
            const WaitEdge& e = edges_[static_cast<size_t>(edge)];
            const int next = forwards ? e.to : e.from;
            if (found[static_cast<size_t>(next)]) continue;
            found[static_cast<size_t>(next)] = true;
            open.push_back(next);
        }
    }
    return found;
}

std::vector<bool> WaitGraph::all_before(int node) const {
    return reach(node, false);
}

std::vector<bool> WaitGraph::all_after(int node) const {
    return reach(node, true);
}

std::vector<WaitEdge> WaitGraph::path(int a, int b) const {
    if (a < 0 || b < 0 || a >= size() || b >= size()) return {};
    std::vector<int> by(into_.size(), -1);  // edge that leads there
    std::vector<int> ring{a};
    for (size_t i = 0; i < ring.size() && by[static_cast<size_t>(b)] < 0; ++i)
        for (const int edge : out_[static_cast<size_t>(ring[i])]) {
            const int next = edges_[static_cast<size_t>(edge)].to;
            if (next == a || by[static_cast<size_t>(next)] >= 0) continue;
            by[static_cast<size_t>(next)] = edge;
            ring.push_back(next);
        }
    std::vector<WaitEdge> path;
    for (int at = b; at != a;) {
        const int edge = by[static_cast<size_t>(at)];
        if (edge < 0) return {};
        path.push_back(edges_[static_cast<size_t>(edge)]);
        at = path.back().from;
    }
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace lab
