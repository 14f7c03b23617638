// Nodes: how they are added, asked and changed.
#include "simt/runtime/graph_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "simt/machine/launch_run.h"
#include "simt/runtime/copy.h"
#include "simt/runtime/events.h"

namespace simt::graph {

using runtime::fail;

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

namespace {}  // namespace

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

cudaError_t refuse_type(const Caller& caller, cudaGraphNodeType type) {
    const bool is_conditional = type == cudaGraphNodeTypeConditional;
    return misuse(caller, fmt::format("asks for {}", is_conditional ? "a conditional node" : name_of(type)),
                  is_conditional
                      ? "The CPU machine has no conditional nodes: decide on the host which graph to "
                        "launch, or disable nodes with cudaGraphNodeSetEnabled."
                      : "Use streams and events between processes' work instead.",
                  cudaErrorNotSupported);
}

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
            return refuse_type(place.caller, p.type);
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
