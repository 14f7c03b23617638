// What the panel shows, derived from a run: the calls of the host and the operations of each stream as the rows and
// columns of a picture, with every edge that makes one wait for another, and the edges that are missing.
#pragma once

#include <string>
#include <vector>

#include "app/model/run_bundle.h"
#include "workbench/record/wait_graph.h"

namespace lab::lesson_10_events {

enum class Shape { call, host_wait, in_vain, host_code, kernel, copy, record, wait, other };

struct Node {
    Shape shape = Shape::call;
    int column = 0, row = 0;  // column 0: the host; the others: `columns`
    int line = 0;
    std::string label;       // "brew_kernel", "record"
    std::string said;        // what it is, a part of a sentence: "the record of line 108"
    std::vector<int> parts;  // nodes of the WaitGraph that it stands for; none: only a finding knows of it
    int launch = -1;         // Kernel::launch
};

struct Edge {
    int from = 0, to = 0;  // indices into Scene::nodes
    WaitEdge::Why why{};
    std::string said;  // why `to` comes after `from`, a sentence
};

// Two that touch the same memory, with no path between them.
struct Race {
    int first = 0, second = 0;
    std::string message, fix;  // the machine's
};

struct Column {
    std::string name;
    int line = 0;  // that created the stream; 0: nobody did
};

struct Scene {
    std::vector<Column> columns;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<Race> races;
    int rows = 0;
    int left_out = 0;  // operations for which there was no room

    // By node, for one of them: what is done before it begins, what begins when it is done, and what may run beside it.
    enum class Place : uint8_t { itself, before, after, unordered };
    std::vector<Place> places(int node) const;
    bool is_ordered(int a, int b) const;
    // The pairs of kernels and copies that no path joins and no finding names, as a sentence. Empty: there is none.
    std::string side_by_side() const;
    // The record of an event behind the first in its stream, made before the second was queued; -1: there is none.
    int record_between(const Node& first, const Node& second) const;
    // The node of a line, an operation if there is one; -1: none.
    int of_line(int line) const;
};

// No nodes: the case queued nothing, or the backend has no timeline.
Scene scene_of(const Run& run, int case_index);

}  // namespace lab::lesson_10_events
