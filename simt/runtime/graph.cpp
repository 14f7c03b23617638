#include "simt/runtime/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "simt/host/timeline.h"
#include "simt/runtime/events.h"
#include "simt/runtime/handles.h"

namespace simt::graph {
namespace {

using runtime::HandleTable;

HandleTable<std::shared_ptr<Graph>>& graphs() {
    static auto& table = *new HandleTable<std::shared_ptr<Graph>>;
    return table;
}
HandleTable<Node*>& nodes() {
    static auto& table = *new HandleTable<Node*>;
    return table;
}

}  // namespace

Node& Graph::add(cudaGraphNodeType type, const std::vector<Node*>& dependencies) {
    nodes.push_back(std::make_unique<Node>());
    Node& node = *nodes.back();
    node.type = type;
    node.graph = this;
    node.dependencies = dependencies;
    if (handle != nullptr) node.handle = static_cast<cudaGraphNode_t>(graph::nodes().add(&node));
    return node;
}

bool Graph::frees(const void* pointer) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
        return node->type == cudaGraphNodeTypeMemFree && node->memory == pointer;
    });
}

bool Graph::allocates() const {
    return std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
        return node->type == cudaGraphNodeTypeMemAlloc || node->type == cudaGraphNodeTypeMemFree ||
               (node->child != nullptr && node->child->allocates());
    });
}

std::shared_ptr<Graph> copy_of(const Graph& graph, bool with_handles, NodeMap& copies) {
    auto copy = std::make_shared<Graph>();
    copy->where = graph.where;
    copy->is_child = graph.is_child;
    copy->fate = graph.fate;
    for (const auto& node : graph.nodes) {
        Node& made = copy->add(node->type, {});
        made.original = node->handle;
        made.work = node->work;
        made.event = node->event;
        made.memory = node->memory;
        made.enabled = node->enabled;
        if (node->child != nullptr) made.child = copy_of(*node->child, false, copies);
        copies[node.get()] = &made;
    }
    for (const auto& node : graph.nodes)
        for (const Node* dependency : node->dependencies)
            copies[node.get()]->dependencies.push_back(copies[dependency]);
    if (with_handles) give_handles(*copy);
    return copy;
}

void give_handles(Graph& graph) {
    // A graph that nobody but its node owns is still found by its handle.
    const std::shared_ptr<Graph> not_owned(&graph, [](Graph*) {});
    if (graph.handle == nullptr) graph.handle = static_cast<cudaGraph_t>(graphs().add(not_owned));
    for (const auto& node : graph.nodes) {
        if (node->handle == nullptr) node->handle = static_cast<cudaGraphNode_t>(nodes().add(node.get()));
        if (node->child != nullptr) give_handles(*node->child);
    }
}

void forget_handles(Graph& graph) {
    graphs().remove(graph.handle);
    for (const auto& node : graph.nodes) {
        nodes().remove(node->handle);
        if (node->child != nullptr) forget_handles(*node->child);
    }
}

void forget_handle(const Node& node) {
    nodes().remove(node.handle);
}

Graph* find_graph(cudaGraph_t handle) {
    const auto* found = graphs().find(handle);
    return found == nullptr ? nullptr : found->get();
}

std::shared_ptr<Graph> shared_graph(cudaGraph_t handle) {
    const auto* found = graphs().find(handle);
    return found == nullptr ? nullptr : *found;
}

Node* find_node(cudaGraphNode_t handle) {
    Node** found = nodes().find(handle);
    return found == nullptr ? nullptr : *found;
}

cudaGraph_t keep_graph(const std::shared_ptr<Graph>& graph) {
    give_handles(*graph);
    *graphs().find(graph->handle) = graph;
    return graph->handle;
}

cudaError_t misuse(const Caller& c, const std::string& what, const std::string& fix, cudaError_t code) {
    return runtime::fail(code, {.kind = "api-misuse",
                                .message = fmt::format("{} at line {} {}", c.call, c.where.line, what),
                                .fix = fix,
                                .where = c.where});
}

// ---- the plan ----

namespace {

class Planner {
  public:
    explicit Planner(std::vector<Step>& steps) : steps_(steps) {}

    // What comes after `graph` waits for the steps that it returns. False: a circle.
    bool add(const Graph& graph, const std::vector<size_t>& entry, std::vector<size_t>& exit) {
        if (graph.nodes.empty()) {
            exit = entry;
            return true;
        }
        std::map<const Node*, std::vector<size_t>> ends;
        std::set<const Node*> has_dependents;
        while (ends.size() < graph.nodes.size()) {
            const size_t before = ends.size();
            for (const auto& node : graph.nodes) {
                const auto& needed = node->dependencies;
                const bool is_next = ends.count(node.get()) == 0 &&
                                     std::all_of(needed.begin(), needed.end(),
                                                 [&](const Node* d) { return ends.count(d) != 0; });
                if (!is_next) continue;
                std::vector<size_t> last;
                if (!add_node(*node, needed.empty() ? entry : all_of(*node, ends), last)) return false;
                ends.emplace(node.get(), std::move(last));
                has_dependents.insert(needed.begin(), needed.end());
            }
            if (ends.size() == before) return false;
        }
        std::set<size_t> last;
        for (const auto& [node, steps] : ends)
            if (has_dependents.count(node) == 0) last.insert(steps.begin(), steps.end());
        exit.assign(last.begin(), last.end());
        return true;
    }

    unsigned give_chains() {
        unsigned chains = 0;
        std::vector<size_t> tails;  // by chain: its last step
        std::vector<std::vector<size_t>>
            before;  // by step and chain: 1 + the latest step of it that comes before
        before.resize(steps_.size());
        for (size_t i = 0; i < steps_.size(); ++i) {
            Step& step = steps_[i];
            std::vector<size_t>& mine = before[i];
            mine.assign(chains, 0);
            for (const size_t other : step.after) {
                for (size_t c = 0; c < before[other].size(); ++c)
                    mine[c] = std::max(mine[c], before[other][c]);
                mine[steps_[other].chain] = std::max(mine[steps_[other].chain], other + 1);
            }
            unsigned chain = 0;
            while (chain < chains && mine[chain] != tails[chain] + 1) ++chain;
            if (chain == chains) {
                ++chains;
                tails.push_back(i);
                mine.push_back(0);
            }
            step.chain = chain;
            tails[chain] = i;
        }
        return chains;
    }

  private:
    static std::vector<size_t> all_of(const Node& node,
                                      const std::map<const Node*, std::vector<size_t>>& ends) {
        std::set<size_t> all;
        for (const Node* d : node.dependencies) all.insert(ends.at(d).begin(), ends.at(d).end());
        return {all.begin(), all.end()};
    }

    bool add_node(const Node& node, const std::vector<size_t>& after, std::vector<size_t>& ends) {
        if (node.child != nullptr) return add(*node.child, after, ends);
        ends = {steps_.size()};
        steps_.push_back({const_cast<Node*>(&node), 0, after});
        return true;
    }

    std::vector<Step>& steps_;
};

}  // namespace

bool plan(const Graph& graph, std::vector<Step>& steps, unsigned& chains) {
    steps.clear();
    Planner planner(steps);
    std::vector<size_t> exit;
    if (!planner.add(graph, {}, exit)) return false;
    chains = planner.give_chains();
    return true;
}

// ---- launches ----

namespace {

queue::NewOperation operation_of(const Node& node) {
    const bool does_something = node.enabled && node.type != cudaGraphNodeTypeEmpty;
    if (!does_something)
        return {.kind = queue::Kind::wait, .where = node.work.where, .name = "a node that does nothing"};
    switch (node.type) {
        case cudaGraphNodeTypeEventRecord:
            return {.kind = queue::Kind::record, .where = node.work.where, .name = "an event record node"};
        case cudaGraphNodeTypeWaitEvent: {
            queue::NewOperation wait{
                .kind = queue::Kind::wait, .where = node.work.where, .name = "an event wait node"};
            if (const auto recorded = runtime::recorded_by(node.event)) wait.after.push_back(recorded);
            return wait;
        }
        default:
            return node.work;
    }
}

// Of the host, in ns: the launch itself with its first node, and each further branch.
double call_ns(const Exec& exec, const Step& step, bool first_of_chain) {
    using timeline::HostCost;
    if (!first_of_chain) return HostCost::graph_node;
    return step.chain == 0
               ? HostCost::graph_launch + HostCost::graph_node * static_cast<double>(exec.steps.size())
               : HostCost::graph_branch;
}

queue::Stream& stream_of(Exec& exec, unsigned chain, queue::Stream& stream) {
    if (chain == 0) return stream;
    while (exec.branches.size() < chain) {
        // The first branch is the launch's stream.
        const std::string name = fmt::format("graph {}, branch {}", exec.number, exec.branches.size() + 2);
        exec.branches.push_back(&queue::make_branch(stream.device, name));
    }
    queue::Stream& branch = *exec.branches[chain - 1];
    branch.priority = stream.priority;
    return branch;
}

}  // namespace

cudaError_t launch(Exec& exec, queue::Stream& stream, Where where) {
    static uint64_t launches = 0;
    if (const cudaError_t error = take_memory(exec, stream, where); error != cudaSuccess) return error;
    const queue::GraphLaunch mark{++launches, where};
    // Other branches begin after what the stream has so far, and all after the graph's last launch.
    std::vector<queue::OperationPtr> begin;
    if (exec.last != nullptr) begin.push_back(exec.last);
    const auto mark_stream = [&](std::vector<queue::OperationPtr> after) {
        return queue::enqueue(stream, {.kind = queue::Kind::wait,
                                       .where = where,
                                       .name = "cudaGraphLaunch",
                                       .after = std::move(after),
                                       .graph = mark,
                                       .call_ns = 0});
    };
    if (exec.chains > 1) begin = {mark_stream(begin)};
    std::vector<queue::OperationPtr> made;
    std::vector<queue::OperationPtr> tails(exec.chains);
    for (const Step& step : exec.steps) {
        queue::NewOperation operation = operation_of(*step.node);
        const bool first = tails[step.chain] == nullptr;
        operation.graph = mark;
        operation.call_ns = call_ns(exec, step, first);
        if (first) operation.after.insert(operation.after.end(), begin.begin(), begin.end());
        for (const size_t other : step.after)
            if (exec.steps[other].chain != step.chain) operation.after.push_back(made[other]);
        made.push_back(queue::enqueue(stream_of(exec, step.chain, stream), std::move(operation)));
        tails[step.chain] = made.back();
        if (step.node->type == cudaGraphNodeTypeEventRecord && step.node->enabled)
            runtime::note_recorded(step.node->event, made.back());
    }
    if (exec.chains > 1) mark_stream({tails.begin() + 1, tails.end()});
    exec.last = stream.last;
    if (exec.graph->fate != nullptr) exec.graph->fate->was_launched = true;
    return cudaSuccess;
}

namespace {
std::vector<std::shared_ptr<Fate>>& fates() {
    static auto& all = *new std::vector<std::shared_ptr<Fate>>;
    return all;
}
}  // namespace

void note_capture(Graph& graph) {
    graph.fate = std::make_shared<Fate>(Fate{graph.where, graph.nodes.size()});
    if (!graph.nodes.empty()) fates().push_back(graph.fate);
}

void report_unused() {
    for (const auto& fate : fates()) {
        if (fate->was_launched) continue;
        report_finding(
            {.kind = "api-misuse",
             .advice = true,
             .message = fmt::format("the graph that line {} began to capture ({} node{}) was never "
                                    "launched: none of it ran",
                                    fate->where.line, fate->nodes, fate->nodes == 1 ? "" : "s"),
             .fix = "Instantiate it (cudaGraphInstantiate) and launch it (cudaGraphLaunch).",
             .where = fate->where});
    }
}

Alive alive_graphs() {
    Alive alive;
    graphs().for_each([&](const std::shared_ptr<Graph>& graph) {
        if (graph->is_child) return;
        auto& [where, count] = alive[graph->where.line];
        where = graph->where;
        ++count;
    });
    return alive;
}

namespace {
void report_alive(const Alive& alive, const char* what, const char* fix) {
    for (const auto& [line, made] : alive) {
        const auto& [where, count] = made;
        if (line == 0) continue;
        report_finding({.kind = "leak",
                        .advice = true,
                        .message = count == 1
                                       ? fmt::format("the {} made at line {} was never destroyed", what, line)
                                       : fmt::format("{} {}s, all made at line {}, were never destroyed",
                                                     count, what, line),
                        .fix = fix,
                        .where = where});
    }
}
}  // namespace

void report_leaks() {
    report_alive(alive_graphs(), "graph",
                 "Call cudaGraphDestroy as soon as it is instantiated: the executable graph is a copy.");
    report_alive(alive_execs(), "executable graph",
                 "Call cudaGraphExecDestroy when its last launch is done.");
}

}  // namespace simt::graph
