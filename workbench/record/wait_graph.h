// Who waits for whom in a run: the operations of a timeline and the host's steps, with every reason that one of them has
// to come after another. What no path joins may run in either order, or at the same time.
#pragma once

#include <vector>

#include "workbench/record/timeline.h"

namespace lab {

struct WaitEdge {
    enum class Why {
        host_order,      // the next thing that a host thread does
        queued,          // an operation comes after the call that queues it
        stream_order,    // behind it in its stream
        event,           // cudaStreamWaitEvent, for the record of the event
        default_stream,  // the default stream and a blocking one wait for each other; or an edge of a graph
        host_waits,      // the host went on when it was done
    };
    int from = 0, to = 0;  // nodes
    Why why = Why::host_order;
};

class WaitGraph {
  public:
    // The timeline must outlive it.
    explicit WaitGraph(const Timeline& timeline);

    // Nodes: first the tasks, by their index, then the host's steps.
    int of_step(size_t step) const { return tasks_ + static_cast<int>(step); }
    bool is_step(int node) const { return node >= tasks_; }
    int step_of(int node) const { return node - tasks_; }
    int size() const { return static_cast<int>(into_.size()); }
    const std::vector<WaitEdge>& edges() const { return edges_; }

    // By node: whether it is done before `node` begins, in every run. `node` itself is not.
    std::vector<bool> all_before(int node) const;
    std::vector<bool> all_after(int node) const;
    bool is_before(int a, int b) const { return all_before(b)[static_cast<size_t>(a)]; }
    // The edges of one path from a to b, in order, of the fewest edges; none: there is no path.
    std::vector<WaitEdge> path(int a, int b) const;

  private:
    void add(int from, int to, WaitEdge::Why why);
    std::vector<bool> reach(int node, bool forwards) const;

    int tasks_ = 0;
    std::vector<WaitEdge> edges_;
    std::vector<std::vector<int>> into_, out_;  // by node: indices of edges
};

}  // namespace lab
