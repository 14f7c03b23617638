// How nodes are made of what the graph API is given: by the functions that queue copies, sets and kernels, with a
// Recorder in the way.
#pragma once

#include <functional>

#include "simt/runtime/graph.h"

namespace simt {
class HeldLaunch;
}

namespace simt::graph {

// Queues what the node is to do. `old`: the node that it changes, or nullptr. Parameters are pointed to: call it while they
// are there.
using Make = std::function<cudaError_t(const Node* old, const Caller& caller)>;

Make make_kernel(const cudaKernelNodeParams* parameters);
Make make_copy(const cudaMemcpy3DParms* parameters);
Make make_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
Make make_copy(const cuda::SymbolCopy& copy);
Make make_set(const cudaMemsetParams* parameters);
Make make_host(const cudaHostNodeParams* parameters);

struct NodePlace {
    cudaGraphNode_t* node;
    cudaGraph_t graph;
    const cudaGraphNode_t* dependencies;
    size_t count;
    Caller caller;
};
cudaError_t check_place(const NodePlace& place, std::vector<Node*>& dependencies);
// make nullptr: of a node that needs no operation.
cudaError_t add_node(const NodePlace& place, cudaGraphNodeType type, const Make& make,
                     Node** added = nullptr);
cudaError_t add_event_node(const NodePlace& place, cudaGraphNodeType type, cudaEvent_t event);
cudaError_t add_child(const NodePlace& place, cudaGraph_t child);
cudaError_t add_allocation(const NodePlace& place, cudaMemAllocNodeParams* parameters);
cudaError_t add_release(const NodePlace& place, void* pointer);
cudaError_t add_any(const NodePlace& place, cudaGraphNodeParams& parameters);

cudaError_t record(const Make& make, const Node* old, const Caller& caller, queue::NewOperation& made);
// An error leaves the node as it was.
cudaError_t set_node(Node& node, cudaGraphNodeType type, const Make& make, const Caller& caller);
cudaError_t set_event(Node& node, cudaGraphNodeType type, cudaEvent_t event, const Caller& caller);
cudaError_t set_any(Node& node, cudaGraphNodeParams& parameters, const Caller& caller);

const char* name_of(cudaGraphNodeType type);  // "a kernel node"
// Of a kind that the machine does not have.
cudaError_t refuse_type(const Caller& caller, cudaGraphNodeType type);

// A kernel node's launch, and the same again with other parameters. `old`: its node, or nullptr.
std::shared_ptr<const HeldLaunch> launch_of(const Node& node);
cudaError_t launch_kernel(const cudaKernelNodeParams& parameters, bool is_cooperative, const Node* old,
                          const Caller& caller);
// The pointers to its arguments are the node's own.
cudaKernelNodeParams kernel_parameters(Node& node);

}  // namespace simt::graph

// What the graph API's functions begin with.
#define GRAPH_CALL(kind)                                                                 \
    const ApiLock lock;                                                                  \
    if (const cudaError_t error = enter(Call::kind); error != cudaSuccess) return error; \
    const Caller caller {                                                                \
        __func__, where                                                                  \
    }
