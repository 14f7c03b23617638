// Nodes: how they are added, asked and changed.
#include "simt/runtime/graph_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "simt/machine/launch_run.h"
#include "simt/runtime/copy.h"
#include "simt/runtime/events.h"

namespace simt::graph {

using runtime::fail;

namespace {

cudaError_t misuse(const Caller& c, const std::string& what, const std::string& fix,
                   cudaError_t code = cudaErrorInvalidValue) {
    return fail(code, {.kind = "api-misuse",
                       .message = fmt::format("{} at line {} {}", c.call, c.where.line, what),
                       .fix = fix,
                       .where = c.where});
}

const char* name_of(cudaGraphNodeType type) {
    switch (type) {
        case cudaGraphNodeTypeKernel:
            return "a kernel node";
        case cudaGraphNodeTypeMemcpy:
            return "a memcpy node";
        case cudaGraphNodeTypeMemset:
            return "a memset node";
        case cudaGraphNodeTypeHost:
            return "a host node";
        case cudaGraphNodeTypeGraph:
            return "a child graph node";
        case cudaGraphNodeTypeEmpty:
            return "an empty node";
        case cudaGraphNodeTypeWaitEvent:
            return "an event wait node";
        case cudaGraphNodeTypeEventRecord:
            return "an event record node";
        case cudaGraphNodeTypeMemAlloc:
            return "a memory allocation node";
        case cudaGraphNodeTypeMemFree:
            return "a memory free node";
        default:
            return "a node of a kind that the CPU machine does not have";
    }
}

std::shared_ptr<const HeldLaunch> launch_of(const Node& node) {
    const auto* held = std::any_cast<std::shared_ptr<const HeldLaunch>>(&node.work.parameters);
    return held == nullptr ? nullptr : *held;
}

cudaError_t launch_kernel(const cudaKernelNodeParams& p, bool is_cooperative, const Node* old,
                          const Caller& caller) {
    Config config = simt::config(p.gridDim, p.blockDim, p.sharedMemBytes, nullptr);
    config.cooperative = is_cooperative;
    const auto like = old == nullptr ? nullptr : launch_of(*old);
    if (like == nullptr || like->call.function != p.func)
        return cuda::launch_untyped(caller.call, p.func, config, p.kernelParams, caller.where);
    const cudaError_t before = cuda::begin_launch();
    like->call.again(like->arguments, like->call, config, p.kernelParams, caller.where);
    return cuda::end_launch(before);
}

}  // namespace

Make make_kernel(const cudaKernelNodeParams* p) {
    return [p](const Node* old, const Caller& caller) -> cudaError_t {
        if (p == nullptr)
            return misuse(caller, "got no parameters", "Pass the address of a cudaKernelNodeParams.");
        if (p->func == nullptr) return fail(cudaErrorInvalidDeviceFunction);
        const auto like = old == nullptr ? nullptr : launch_of(*old);
        const bool takes_some = like == nullptr || like->call.parameters != 0;
        if (p->kernelParams == nullptr && (p->extra != nullptr || takes_some) && like != nullptr)
            return misuse(caller, "gives no arguments in kernelParams",
                          "Pass an array of pointers to the arguments, one for each parameter.");
        return launch_kernel(*p, like != nullptr && like->call.config.cooperative, old, caller);
    };
}

Make make_copy(const cudaMemcpy3DParms* p) {
    return [p](const Node*, const Caller& caller) -> cudaError_t {
        if (p == nullptr)
            return misuse(caller, "got no parameters", "Pass the address of a cudaMemcpy3DParms.");
        return runtime::queue_copy_3d(caller.call, p, nullptr, true, caller.where);
    };
}

Make make_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return [=](const Node*, const Caller& caller) -> cudaError_t {
        return runtime::queue_copy({caller.call, kind, caller.where}, to, from, bytes, kind, false, nullptr,
                                   true);
    };
}

Make make_copy(const cuda::SymbolCopy& copy) {
    return [copy](const Node*, const Caller& caller) -> cudaError_t {
        return copy.to_symbol ? cuda::copy_to_symbol(copy.symbol, copy.memory, copy.bytes, copy.offset,
                                                     copy.kind, nullptr, true, caller.where)
                              : cuda::copy_from_symbol(copy.memory, copy.symbol, copy.bytes, copy.offset,
                                                       copy.kind, nullptr, true, caller.where);
    };
}

Make make_set(const cudaMemsetParams* p) {
    return [p](const Node*, const Caller& caller) -> cudaError_t {
        if (p == nullptr)
            return misuse(caller, "got no parameters", "Pass the address of a cudaMemsetParams.");
        const unsigned bytes = p->elementSize;
        if (bytes != 1 && bytes != 2 && bytes != 4)
            return misuse(caller, fmt::format("has an elementSize of {}", bytes),
                          "An element has 1, 2 or 4 bytes; width counts elements.");
        const runtime::Fill fill{.to = p->dst,
                                 .pitch = p->height > 1 ? p->pitch : p->width * bytes,
                                 .value = static_cast<int>(p->value),
                                 .width = p->width * bytes,
                                 .height = p->height,
                                 .element_bytes = bytes};
        return runtime::queue_fill({caller.call, cudaMemcpyDefault, caller.where}, fill, nullptr, true);
    };
}

Make make_host(const cudaHostNodeParams* p) {
    return [p](const Node*, const Caller& caller) -> cudaError_t {
        if (p == nullptr || p->fn == nullptr)
            return misuse(caller, "got no function", "Set fn and userData of the cudaHostNodeParams.");
        return cudaLaunchHostFunc(nullptr, p->fn, p->userData, caller.where);
    };
}

cudaError_t record(const Make& make, const Node* old, const Caller& caller, queue::NewOperation& made) {
    runtime::Recorder recorder;
    if (const cudaError_t error = make(old, caller); error != cudaSuccess) return error;
    if (!recorder.recorded)
        return misuse(caller, "makes a node that does nothing: it moves 0 bytes", "Check the sizes.");
    made = std::move(*recorder.recorded);
    return cudaSuccess;
}

cudaError_t set_node(Node& node, cudaGraphNodeType type, const Make& make, const Caller& caller) {
    if (node.type != type)
        return misuse(caller, fmt::format("is for {}, but the node is {}", name_of(type), name_of(node.type)),
                      "Use the function for that kind of node.");
    queue::NewOperation made;
    if (const cudaError_t error = record(make, &node, caller, made); error != cudaSuccess) return error;
    node.work = std::move(made);
    return cudaSuccess;
}

cudaError_t check_place(const NodePlace& place, std::vector<Node*>& dependencies) {
    const auto& [node, graph, given, count, caller] = place;
    if (node == nullptr)
        return misuse(caller, "got a null pointer as the place for the new node",
                      "Pass the address of a node.");
    const Graph* found = find_graph(graph);
    if (found == nullptr)
        return misuse(caller, "got a graph that does not exist",
                      "Create it with cudaGraphCreate, and do not use it after it was destroyed.");
    if (count != 0 && given == nullptr)
        return misuse(caller, fmt::format("says that there are {} dependencies, but gives none", count),
                      "Pass an array of nodes, or nullptr and 0.");
    for (size_t i = 0; i < count; ++i) {
        Node* dependency = find_node(given[i]);
        if (dependency == nullptr || dependency->graph != found)
            return misuse(caller,
                          fmt::format("names a dependency (number {}) that is no node of this graph", i),
                          "Nodes depend on nodes of the same graph; pass what its cudaGraphAdd...Node set.");
        if (std::find(dependencies.begin(), dependencies.end(), dependency) != dependencies.end())
            return misuse(caller, "names the same dependency twice", "Name each node once.");
        dependencies.push_back(dependency);
    }
    return cudaSuccess;
}

cudaError_t add_node(const NodePlace& place, cudaGraphNodeType type, const Make& make, Node** added) {
    std::vector<Node*> dependencies;
    if (const cudaError_t error = check_place(place, dependencies); error != cudaSuccess) return error;
    Graph& graph = *find_graph(place.graph);
    queue::NewOperation made{.where = place.caller.where};
    if (make)
        if (const cudaError_t error = record(make, nullptr, place.caller, made); error != cudaSuccess)
            return error;
    Node& node = graph.add(type, dependencies);
    node.work = std::move(made);
    *place.node = node.handle;
    if (added != nullptr) *added = &node;
    return cudaSuccess;
}

namespace {

cudaError_t add_event_node(const NodePlace& place, cudaGraphNodeType type, cudaEvent_t event) {
    if (runtime::find_event(event) == nullptr)
        return runtime::unknown_event(place.caller.call, place.caller.where);
    Node* node = nullptr;
    const cudaError_t error = add_node(place, type, nullptr, &node);
    if (error == cudaSuccess) node->event = event;
    return error;
}

cudaError_t add_child(const NodePlace& place, cudaGraph_t child) {
    const auto given = shared_graph(child);
    const Graph* parent = find_graph(place.graph);
    if (given == nullptr)
        return misuse(place.caller, "got a child graph that does not exist", "Create it first.");
    if (given.get() == parent)
        return misuse(place.caller, "makes a graph its own child", "A child graph is another graph.");
    if (given->allocates())
        return misuse(place.caller, "has a child graph that allocates memory",
                      "Add its nodes to the graph itself.", cudaErrorNotSupported);
    Node* node = nullptr;
    if (const cudaError_t error = add_node(place, cudaGraphNodeTypeGraph, nullptr, &node);
        error != cudaSuccess)
        return error;
    NodeMap copies;
    node->child = copy_of(*given, true, copies);
    node->child->is_child = true;
    if (given->fate != nullptr) given->fate->was_launched = true;  // by what it is now a part of
    return cudaSuccess;
}

cudaError_t add_allocation(const NodePlace& place, cudaMemAllocNodeParams* p) {
    if (p == nullptr || p->poolProps.allocType != cudaMemAllocationTypePinned)
        return misuse(
            place.caller, "has no valid poolProps",
            "Set poolProps.allocType = cudaMemAllocationTypePinned and poolProps.location to the device.");
    const auto make = [p](const Node*, const Caller& caller) {
        return queue_allocation(&p->dptr, p->bytesize, 1, nullptr, caller);
    };
    Node* node = nullptr;
    const cudaError_t error = add_node(place, cudaGraphNodeTypeMemAlloc, make, &node);
    if (error == cudaSuccess) node->memory = p->dptr;
    return error;
}

cudaError_t add_release(const NodePlace& place, void* pointer) {
    const Graph* graph = find_graph(place.graph);
    if (graph != nullptr && graph->frees(pointer))
        return misuse(place.caller, "frees memory that the graph frees already", "Free it once.");
    const auto make = [pointer](const Node*, const Caller& caller) {
        return queue_release(pointer, nullptr, caller);
    };
    Node* node = nullptr;
    const cudaError_t error = add_node(place, cudaGraphNodeTypeMemFree, make, &node);
    if (error == cudaSuccess) node->memory = pointer;
    return error;
}

cudaError_t not_there(const Caller& caller, cudaGraphNodeType type) {
    const bool is_conditional = type == cudaGraphNodeTypeConditional;
    return misuse(caller, fmt::format("asks for {}", is_conditional ? "a conditional node" : name_of(type)),
                  is_conditional
                      ? "The CPU machine has no conditional nodes: decide on the host which graph to "
                        "launch, or disable nodes with cudaGraphNodeSetEnabled."
                      : "Use streams and events between processes' work instead.",
                  cudaErrorNotSupported);
}

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

cudaKernelNodeParams kernel_parameters(Node& node) {
    const auto held = launch_of(node);
    const auto& [grid, block, shared, stream, cooperative] = held->call.config;
    node.addresses.resize(held->call.parameters);
    held->call.addresses(held->arguments, node.addresses.data());
    cudaKernelNodeParams p{};
    p.func = const_cast<void*>(held->call.function);
    p.gridDim = dim3(grid.x, grid.y, grid.z);
    p.blockDim = dim3(block.x, block.y, block.z);
    p.sharedMemBytes = static_cast<unsigned>(shared);
    p.kernelParams = node.addresses.data();
    return p;
}

cudaError_t add_any(const NodePlace& place, cudaGraphNodeParams& p) {
    switch (p.type) {
        case cudaGraphNodeTypeKernel:
            return add_node(place, p.type, make_kernel(&p.kernel));
        case cudaGraphNodeTypeMemcpy:
            return add_node(place, p.type, make_copy(&p.memcpy.copyParams));
        case cudaGraphNodeTypeMemset:
            return add_node(place, p.type, make_set(&p.memset));
        case cudaGraphNodeTypeHost:
            return add_node(place, p.type, make_host(&p.host));
        case cudaGraphNodeTypeGraph:
            return add_child(place, p.graph.graph);
        case cudaGraphNodeTypeEmpty:
            return add_node(place, p.type, nullptr);
        case cudaGraphNodeTypeWaitEvent:
            return add_event_node(place, p.type, p.eventWait.event);
        case cudaGraphNodeTypeEventRecord:
            return add_event_node(place, p.type, p.eventRecord.event);
        case cudaGraphNodeTypeMemAlloc:
            return add_allocation(place, &p.alloc);
        case cudaGraphNodeTypeMemFree:
            return add_release(place, p.free.dptr);
        default:
            return not_there(place.caller, p.type);
    }
}

cudaError_t set_any(Node& node, cudaGraphNodeParams& p, const Caller& caller) {
    switch (p.type) {
        case cudaGraphNodeTypeKernel:
            return set_node(node, p.type, make_kernel(&p.kernel), caller);
        case cudaGraphNodeTypeMemcpy:
            return set_node(node, p.type, make_copy(&p.memcpy.copyParams), caller);
        case cudaGraphNodeTypeMemset:
            return set_node(node, p.type, make_set(&p.memset), caller);
        case cudaGraphNodeTypeHost:
            return set_node(node, p.type, make_host(&p.host), caller);
        case cudaGraphNodeTypeWaitEvent:
            return set_event(node, p.type, p.eventWait.event, caller);
        case cudaGraphNodeTypeEventRecord:
            return set_event(node, p.type, p.eventRecord.event, caller);
        default:
            return misuse(caller, fmt::format("can't change {}", name_of(p.type)), "Build a new graph.",
                          cudaErrorNotSupported);
    }
}

cudaError_t set_event(Node& node, cudaGraphNodeType type, cudaEvent_t event, const Caller& caller) {
    if (node.type != type)
        return misuse(caller, fmt::format("is for {}, but the node is {}", name_of(type), name_of(node.type)),
                      "Use the function for that kind of node.");
    if (runtime::find_event(event) == nullptr) return runtime::unknown_event(caller.call, caller.where);
    node.event = event;
    return cudaSuccess;
}

}  // namespace simt::graph

using simt::ApiLock;
using simt::Where;
using namespace simt::graph;
using simt::runtime::Call;
using simt::runtime::enter;
using simt::runtime::fail;

// What every function here begins with.
#define GRAPH_CALL(kind)                                                                 \
    const ApiLock lock;                                                                  \
    if (const cudaError_t error = enter(Call::kind); error != cudaSuccess) return error; \
    const Caller caller {                                                                \
        __func__, where                                                                  \
    }
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
    return not_there(caller, cudaGraphNodeTypeConditional);
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
    if (attribute == cudaLaunchAttributeCooperative)
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
