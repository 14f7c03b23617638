// CUDA graphs: what a cudaGraph_t, a cudaGraphNode_t and a cudaGraphExec_t stand for.
//
// A node keeps what an API call would have queued (queue::NewOperation), and each launch queues it anew. Calls of the
// graph API make such operations by the very functions that queue copies and kernels, with a Recorder in the way
// (runtime/work.h), so that both check the same. A capture does it with the calls of a stream (runtime/capture.h).
//
// A launch runs the first chain of nodes in the launch's own stream and each branch in a stream of its own, so that what
// knows about streams (races, the timeline) knows about graphs. The caller has the ApiLock for all of this page.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simt/runtime/work.h"

namespace simt::graph {

struct Graph;

// What nodes keep of their calls, for questions and for changes (queue::NewOperation::parameters): this, or
// cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams, or a shared_ptr to a HeldLaunch.
struct Memory {
    void* pointer;
    size_t bytes;
};

// What became of a capture.
struct Fate {
    Where where{};  // of its begin
    size_t nodes = 0;
    bool was_launched = false;
};

struct Node {
    cudaGraphNode_t handle = nullptr;    // nullptr: of an executable graph
    cudaGraphNode_t original = nullptr;  // of which it is a copy
    Graph* graph = nullptr;
    cudaGraphNodeType type{};
    std::vector<Node*> dependencies;
    queue::NewOperation work;      // kernels, copies, sets, host functions, memory
    cudaEvent_t event = nullptr;   // of nodes that record one or wait for one
    void* memory = nullptr;        // of nodes that allocate or free
    std::shared_ptr<Graph> child;  // its own copy
    bool enabled = true;
    std::vector<void*> addresses;  // of a kernel's arguments, as cudaGraphKernelNodeGetParams shows them
};

struct Graph {
    cudaGraph_t handle = nullptr;  // nullptr: of an executable graph
    Where where{};
    bool is_child = false;                     // belongs to a node
    std::shared_ptr<Fate> fate;                // of captured graphs and their copies
    unsigned instances = 0;                    // executable graphs of it
    std::vector<std::unique_ptr<Node>> nodes;  // in the order in which they were added

    Node& add(cudaGraphNodeType type, const std::vector<Node*>& dependencies);
    bool allocates() const;
    bool frees(const void* pointer) const;
};

using NodeMap = std::map<const Node*, Node*>;
// With handles of its own or without. `copies`: every node's copy, those of child graphs, too.
std::shared_ptr<Graph> copy_of(const Graph& graph, bool with_handles, NodeMap& copies);
void give_handles(Graph& graph);
void forget_handles(Graph& graph);
void forget_handle(const Node& node);

// ---- executable graphs ----
struct Step {
    Node* node;
    unsigned chain = 0;         // that it runs in; 0: the launch's stream
    std::vector<size_t> after;  // steps that come before it
};

struct Exec {
    unsigned number = 0;  // counts from 1
    Where made_at{};
    std::shared_ptr<Graph> graph;            // a copy
    std::weak_ptr<Graph> source;             // of this one
    std::map<cudaGraphNode_t, Node*> nodes;  // by the handle in the graph that it was made of
    std::vector<Step> steps;                 // in an order that all of `after` allow
    std::vector<queue::Stream*> branches;    // of chains 1, 2, ...
    unsigned chains = 0;
    unsigned long long flags = 0;
    queue::OperationPtr last;  // of its last launch
};

// False: the nodes wait for each other in a circle.
bool plan(const Graph& graph, std::vector<Step>& steps, unsigned& chains);
cudaError_t launch(Exec& exec, queue::Stream& stream, Where where);

// ---- handles ----
// How many of them exist, by the line that made them.
using Alive = std::map<int, std::pair<Where, unsigned>>;
Alive alive_graphs();
Alive alive_execs();
Graph* find_graph(cudaGraph_t handle);
std::shared_ptr<Graph> shared_graph(cudaGraph_t handle);
Node* find_node(cudaGraphNode_t handle);
cudaGraph_t keep_graph(const std::shared_ptr<Graph>& graph);  // which has handles

// ---- memory of graphs: nodes that allocate and free ----
struct Caller {
    const char* call;
    Where where;
};
// An error and its finding: "{call} at line {n} {what}".
cudaError_t misuse(const Caller& caller, const std::string& what, const std::string& fix,
                   cudaError_t code = cudaErrorInvalidValue);
cudaError_t queue_allocation(void** pointer, size_t bytes, size_t element_bytes, cudaStream_t stream,
                             const Caller& caller);
cudaError_t queue_release(void* pointer, cudaStream_t stream, const Caller& caller);
// What a launch allocates and frees. The memory of the last launch must be free by now.
cudaError_t take_memory(const Exec& exec, queue::Stream& stream, Where where);

void note_capture(Graph& graph);  // it has ended well
// At the end: what was captured and never launched.
void report_unused();
// At the end, a finding for each line: graphs, and executable graphs, that nobody destroyed.
void report_leaks();

}  // namespace simt::graph
