// The runtime API's functions for nodes.
#include <fmt/format.h>

#include "simt/machine/launch_run.h"
#include "simt/runtime/graph_nodes.h"

namespace simt::graph {
namespace {

using runtime::fail;

// The node, if it is of that type, or an error.
cudaError_t typed_node(cudaGraphNode_t handle, cudaGraphNodeType type, const Caller& caller, Node*& node) {
    node = find_node(handle);
    if (node == nullptr)
        return misuse(caller, "got a node that does not exist", "Pass a node of a graph that still exists.");
    if (node->type == type) return cudaSuccess;
    return misuse(caller, fmt::format("is for {}, but the node is {}", name_of(type), name_of(node->type)),
                  "Use the function for that kind of node.");
}

}  // namespace
}  // namespace simt::graph

using simt::ApiLock;
using simt::Where;
using namespace simt::graph;
using simt::runtime::Call;
using simt::runtime::enter;
using simt::runtime::fail;

#define PLACE \
    { node, graph, dependencies, count, caller }

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters, Where where) {
    GRAPH_CALL(work);
    return add_node(PLACE, cudaGraphNodeTypeKernel, make_kernel(parameters));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters, Where where) {
    GRAPH_CALL(work);
    return add_node(PLACE, cudaGraphNodeTypeMemcpy, make_copy(parameters));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind, Where where) {
    GRAPH_CALL(work);
    return add_node(PLACE, cudaGraphNodeTypeMemcpy, make_copy(to, from, bytes, kind));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters, Where where) {
    GRAPH_CALL(work);
    return add_node(PLACE, cudaGraphNodeTypeMemset, make_set(parameters));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters, Where where) {
    GRAPH_CALL(work);
    return add_node(PLACE, cudaGraphNodeTypeHost, make_host(parameters));
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count, cudaGraph_t child,
                                       Where where) {
    GRAPH_CALL(work);
    return add_child(PLACE, child);
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count, Where where) {
    GRAPH_CALL(work);
    return add_node(PLACE, cudaGraphNodeTypeEmpty, nullptr);
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count, cudaEvent_t event,
                                        Where where) {
    GRAPH_CALL(work);
    return add_event_node(PLACE, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count, cudaEvent_t event,
                                      Where where) {
    GRAPH_CALL(work);
    return add_event_node(PLACE, cudaGraphNodeTypeWaitEvent, event);
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters, Where where) {
    GRAPH_CALL(work);
    return add_allocation(PLACE, parameters);
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count, void* pointer,
                                    Where where) {
    GRAPH_CALL(work);
    return add_release(PLACE, pointer);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* parameters,
                             Where where) {
    GRAPH_CALL(work);
    if (parameters == nullptr) return fail(cudaErrorInvalidValue);
    return add_any(PLACE, *parameters);
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle*, cudaGraph_t, unsigned, unsigned,
                                             Where where) {
    GRAPH_CALL(work);
    return refuse_type(caller, cudaGraphNodeTypeConditional);
}
namespace simt::cuda {
cudaError_t add_symbol_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                            size_t count, const SymbolCopy& copy, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    return add_node(
        {node,
         graph,
         dependencies,
         count,
         {copy.to_symbol ? "cudaGraphAddMemcpyNodeToSymbol" : "cudaGraphAddMemcpyNodeFromSymbol", where}},
        cudaGraphNodeTypeMemcpy, make_copy(copy));
}
}  // namespace simt::cuda

// ---- questions and changes ----

#define TYPED_NODE(type)   \
    Node* found = nullptr; \
    if (const cudaError_t error = typed_node(node, type, caller, found); error != cudaSuccess) return error

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters,
                                         Where where) {
    GRAPH_CALL(wait);
    TYPED_NODE(cudaGraphNodeTypeKernel);
    if (parameters == nullptr) return fail(cudaErrorInvalidValue);
    if (launch_of(*found) == nullptr) return fail(cudaErrorNotSupported);  // a library's
    *parameters = kernel_parameters(*found);
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters,
                                         Where where) {
    GRAPH_CALL(work);
    TYPED_NODE(cudaGraphNodeTypeKernel);
    return set_node(*found, found->type, make_kernel(parameters), caller);
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value, Where where) {
    GRAPH_CALL(work);
    TYPED_NODE(cudaGraphNodeTypeKernel);
    if (value == nullptr) return fail(cudaErrorInvalidValue);
    if (attribute != cudaLaunchAttributeCooperative) return cudaSuccess;  // hints that change no result
    if (launch_of(*found) == nullptr) return fail(cudaErrorNotSupported);
    const cudaKernelNodeParams p = kernel_parameters(*found);
    const auto make = [&](const Node* old, const Caller& c) {
        return launch_kernel(p, value->cooperative != 0, old, c);
    };
    return set_node(*found, found->type, make, caller);
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value, Where where) {
    GRAPH_CALL(wait);
    TYPED_NODE(cudaGraphNodeTypeKernel);
    if (value == nullptr) return fail(cudaErrorInvalidValue);
    *value = {};
    if (attribute == cudaLaunchAttributeCooperative && launch_of(*found) != nullptr)
        value->cooperative = launch_of(*found)->call.config.cooperative;
    return cudaSuccess;
}

namespace {

template <class T>
cudaError_t get(cudaGraphNode_t node, cudaGraphNodeType type, const Caller& caller, T* to) {
    TYPED_NODE(type);
    const T* kept = std::any_cast<T>(&found->work.parameters);
    if (to == nullptr || kept == nullptr) return fail(cudaErrorInvalidValue);
    *to = *kept;
    return cudaSuccess;
}

cudaError_t set(cudaGraphNode_t node, cudaGraphNodeType type, const Make& make, const Caller& caller) {
    TYPED_NODE(type);
    return set_node(*found, type, make, caller);
}

}  // namespace

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters, Where where) {
    GRAPH_CALL(wait);
    return get(node, cudaGraphNodeTypeMemcpy, caller, parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters,
                                         Where where) {
    GRAPH_CALL(work);
    return set(node, cudaGraphNodeTypeMemcpy, make_copy(parameters), caller);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind, Where where) {
    GRAPH_CALL(work);
    return set(node, cudaGraphNodeTypeMemcpy, make_copy(to, from, bytes, kind), caller);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters, Where where) {
    GRAPH_CALL(wait);
    return get(node, cudaGraphNodeTypeMemset, caller, parameters);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters,
                                         Where where) {
    GRAPH_CALL(work);
    return set(node, cudaGraphNodeTypeMemset, make_set(parameters), caller);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters, Where where) {
    GRAPH_CALL(wait);
    return get(node, cudaGraphNodeTypeHost, caller, parameters);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters,
                                       Where where) {
    GRAPH_CALL(work);
    return set(node, cudaGraphNodeTypeHost, make_host(parameters), caller);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph, Where where) {
    GRAPH_CALL(wait);
    TYPED_NODE(cudaGraphNodeTypeGraph);
    if (graph == nullptr) return fail(cudaErrorInvalidValue);
    *graph = found->child->handle;
    return cudaSuccess;
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event, Where where) {
    GRAPH_CALL(wait);
    TYPED_NODE(cudaGraphNodeTypeEventRecord);
    if (event == nullptr) return fail(cudaErrorInvalidValue);
    *event = found->event;
    return cudaSuccess;
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event, Where where) {
    GRAPH_CALL(work);
    TYPED_NODE(cudaGraphNodeTypeEventRecord);
    return set_event(*found, found->type, event, caller);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event, Where where) {
    GRAPH_CALL(wait);
    TYPED_NODE(cudaGraphNodeTypeWaitEvent);
    if (event == nullptr) return fail(cudaErrorInvalidValue);
    *event = found->event;
    return cudaSuccess;
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event, Where where) {
    GRAPH_CALL(work);
    TYPED_NODE(cudaGraphNodeTypeWaitEvent);
    return set_event(*found, found->type, event, caller);
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* parameters,
                                           Where where) {
    GRAPH_CALL(wait);
    TYPED_NODE(cudaGraphNodeTypeMemAlloc);
    const auto* kept = std::any_cast<Memory>(&found->work.parameters);
    if (parameters == nullptr || kept == nullptr) return fail(cudaErrorInvalidValue);
    *parameters = {};
    parameters->poolProps.allocType = cudaMemAllocationTypePinned;
    parameters->poolProps.location = {cudaMemLocationTypeDevice, 0};
    parameters->bytesize = kept->bytes;
    parameters->dptr = kept->pointer;
    return cudaSuccess;
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer, Where where) {
    GRAPH_CALL(wait);
    TYPED_NODE(cudaGraphNodeTypeMemFree);
    if (pointer == nullptr) return fail(cudaErrorInvalidValue);
    *static_cast<void**>(pointer) = found->memory;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters, Where where) {
    GRAPH_CALL(work);
    if (parameters == nullptr) return fail(cudaErrorInvalidValue);
    TYPED_NODE(parameters->type);
    return set_any(*found, *parameters, caller);
}
