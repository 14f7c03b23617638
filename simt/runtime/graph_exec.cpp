// Executable graphs: made, launched, changed.
#include <fmt/format.h>

#include <algorithm>

#include "simt/host/timeline.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/graph_nodes.h"
#include "simt/runtime/handles.h"

namespace simt::graph {
namespace {

using runtime::Call;
using runtime::enter;
using runtime::fail;

runtime::HandleTable<std::unique_ptr<Exec>>& execs() {
    static auto& table = *new runtime::HandleTable<std::unique_ptr<Exec>>;
    return table;
}

Exec* find_exec(cudaGraphExec_t handle) {
    auto* found = execs().find(handle);
    return found == nullptr ? nullptr : found->get();
}

cudaError_t no_exec(const Caller& caller) {
    return misuse(
        caller, "got an executable graph that does not exist",
        "Make it with cudaGraphInstantiate, check what that returned, and do not use it after it was "
        "destroyed.");
}

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags,
                        const Caller& caller) {
    constexpr unsigned long long known = 15;
    if (exec == nullptr || (flags & ~known) != 0)
        return misuse(caller, exec == nullptr ? "got a null pointer" : "got flags that there are not",
                      "Pass the address of a cudaGraphExec_t, and 0 as flags.");
    const auto source = shared_graph(graph);
    if (source == nullptr)
        return misuse(
            caller, "got a graph that does not exist",
            "Create it with cudaGraphCreate or by a capture (whose cudaStreamEndCapture may have failed), "
            "and do not use it after it was destroyed.");
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
        return misuse(caller, "asks for a graph that kernels launch, which the CPU machine does not have",
                      "Launch it from the host.", cudaErrorNotSupported);
    if (source->allocates() && source->instances != 0)
        return misuse(caller, "makes a second executable graph of a graph that allocates memory",
                      "Destroy the first one before.", cudaErrorNotSupported);
    static unsigned instantiated = 0;
    auto made = std::make_unique<Exec>();
    made->number = ++instantiated;
    made->made_at = caller.where;
    NodeMap copies;
    made->graph = copy_of(*source, false, copies);
    if (!plan(*made->graph, made->steps, made->chains))
        return misuse(caller,
                      "got a graph whose nodes wait for each other in a circle: none of them could begin",
                      "Remove the edge that closes the circle (cudaGraphRemoveDependencies).");
    for (const auto& [node, copy] : copies) made->nodes[node->handle] = copy;
    made->source = source;
    made->flags = flags;
    ++source->instances;
    timeline::graph_instantiated(caller.call, made->steps.size(), caller.where);
    *exec = static_cast<cudaGraphExec_t>(execs().add(std::move(made)));
    return cudaSuccess;
}

// The executable graph's own node, or an error.
cudaError_t find_copy(Exec& exec, cudaGraphNode_t handle, const Caller& caller, Node*& node) {
    const auto found = exec.nodes.find(handle);
    if (found == exec.nodes.end())
        return misuse(caller, "names a node that the executable graph does not have",
                      "Pass a node of the graph that it was instantiated from.");
    node = found->second;
    return cudaSuccess;
}

// What is set must move between the same kinds of memory.
cudaError_t check_same_direction(const Node& node, queue::Kind before, const queue::NewOperation& old,
                                 Node& changed, const Caller& caller) {
    if (node.work.kind == before) return cudaSuccess;
    changed.work = old;
    return misuse(caller, "changes between which sides (host, device) the node copies",
                  "Keep the direction, or instantiate a new graph.");
}

cudaError_t set_copy(Node& node, const Make& make, const Caller& caller) {
    const queue::NewOperation old = node.work;
    if (const cudaError_t error = set_node(node, cudaGraphNodeTypeMemcpy, make, caller); error != cudaSuccess)
        return error;
    return check_same_direction(node, old.kind, old, node, caller);
}

cudaError_t set(cudaGraphExec_t handle, cudaGraphNode_t node, cudaGraphNodeType type, const Make& make,
                const Caller& caller) {
    Exec* exec = find_exec(handle);
    if (exec == nullptr) return no_exec(caller);
    Node* copy = nullptr;
    if (const cudaError_t error = find_copy(*exec, node, caller, copy); error != cudaSuccess) return error;
    return type == cudaGraphNodeTypeMemcpy ? set_copy(*copy, make, caller)
                                           : set_node(*copy, type, make, caller);
}

// ---- update ----

struct Difference {
    cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
    const Node* node = nullptr;  // of the new graph
};

// Nodes are paired in the order in which they were added.
Difference compare(const Graph& mine, const Graph& other) {
    if (mine.nodes.size() != other.nodes.size()) return {cudaGraphExecUpdateErrorTopologyChanged, nullptr};
    const auto index_of = [](const Graph& graph, const Node* node) {
        return std::find_if(graph.nodes.begin(), graph.nodes.end(),
                            [&](const auto& each) { return each.get() == node; }) -
               graph.nodes.begin();
    };
    for (size_t i = 0; i < mine.nodes.size(); ++i) {
        const Node &a = *mine.nodes[i], &b = *other.nodes[i];
        if (a.type != b.type) return {cudaGraphExecUpdateErrorNodeTypeChanged, &b};
        if (a.dependencies.size() != b.dependencies.size())
            return {cudaGraphExecUpdateErrorTopologyChanged, &b};
        for (const Node* d : a.dependencies) {
            const auto same = std::find_if(b.dependencies.begin(), b.dependencies.end(), [&](const Node* e) {
                return index_of(other, e) == index_of(mine, d);
            });
            if (same == b.dependencies.end()) return {cudaGraphExecUpdateErrorTopologyChanged, &b};
        }
        if (a.type == cudaGraphNodeTypeMemcpy && a.work.kind != b.work.kind)
            return {cudaGraphExecUpdateErrorParametersChanged, &b};
        if (a.memory != b.memory) return {cudaGraphExecUpdateErrorNotSupported, &b};
        if (a.child == nullptr) continue;
        if (const Difference inner = compare(*a.child, *b.child); inner.result != cudaGraphExecUpdateSuccess)
            return inner;
    }
    return {};
}

void take_over(Graph& mine, const Graph& other) {
    for (size_t i = 0; i < mine.nodes.size(); ++i) {
        mine.nodes[i]->work = other.nodes[i]->work;
        mine.nodes[i]->event = other.nodes[i]->event;
        if (mine.nodes[i]->child != nullptr) take_over(*mine.nodes[i]->child, *other.nodes[i]->child);
    }
}

const char* meaning_of(cudaGraphExecUpdateResult result) {
    switch (result) {
        case cudaGraphExecUpdateErrorTopologyChanged:
            return "the new graph has other nodes or edges";
        case cudaGraphExecUpdateErrorNodeTypeChanged:
            return "a node of the new graph is of another kind";
        case cudaGraphExecUpdateErrorParametersChanged:
            return "a node of the new graph copies between other sides (host, device)";
        default:
            return "nodes that allocate memory can't change";
    }
}

cudaError_t update(cudaGraphExec_t handle, cudaGraph_t graph, cudaGraphExecUpdateResultInfo& info,
                   const Caller& caller) {
    Exec* exec = find_exec(handle);
    if (exec == nullptr) return no_exec(caller);
    const auto other = shared_graph(graph);
    if (other == nullptr) return misuse(caller, "got a graph that does not exist", "Pass the new graph.");
    const Difference difference = compare(*exec->graph, *other);
    info = {difference.result, difference.node == nullptr ? nullptr : difference.node->handle, nullptr};
    if (difference.result == cudaGraphExecUpdateSuccess) {
        take_over(*exec->graph, *other);
        if (other->fate != nullptr && exec->graph->fate != other->fate) other->fate->was_launched = true;
        return cudaSuccess;
    }
    // Programs try, and instantiate anew where it fails: this is no fault of theirs.
    report_finding({.kind = "api-misuse",
                    .advice = true,
                    .message = fmt::format("{} at line {} can't update the executable graph: {}", caller.call,
                                           caller.where.line, meaning_of(difference.result)),
                    .fix =
                        "Where it returns cudaErrorGraphExecUpdateFailure, destroy the executable graph and "
                        "instantiate the new graph.",
                    .where = caller.where});
    return fail(cudaErrorGraphExecUpdateFailure);
}

cudaError_t launch(cudaGraphExec_t handle, cudaStream_t stream, const Caller& caller) {
    Exec* exec = find_exec(handle);
    if (exec == nullptr) return no_exec(caller);
    queue::Stream* found = runtime::find_stream(stream);
    if (found == nullptr) return runtime::unknown_stream(caller.call, caller.where);
    if (capture::any)
        if (const auto captured = capture::take_graph(*found, *exec->graph, caller.where)) return *captured;
    return launch(*exec, *found, caller.where);
}

bool can_be_disabled(cudaGraphNodeType type) {
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
           type == cudaGraphNodeTypeMemset;
}

}  // namespace

Alive alive_execs() {
    Alive alive;
    execs().for_each([&](const std::unique_ptr<Exec>& exec) {
        auto& [where, count] = alive[exec->made_at.line];
        where = exec->made_at;
        ++count;
    });
    return alive;
}

}  // namespace simt::graph

using simt::ApiLock;
using simt::Where;
using namespace simt::graph;
using simt::runtime::Call;
using simt::runtime::enter;
using simt::runtime::fail;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags,
                                 Where where) {
    GRAPH_CALL(work);
    return instantiate(exec, graph, flags, caller);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters, Where where) {
    GRAPH_CALL(work);
    if (parameters == nullptr) return fail(cudaErrorInvalidValue);
    const cudaError_t error = instantiate(exec, graph, parameters->flags, caller);
    parameters->errNode_out = nullptr;
    parameters->result_out =
        error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
    return error;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec, Where where) {
    GRAPH_CALL(cleanup);
    Exec* found = find_exec(exec);
    if (found == nullptr) return no_exec(caller);
    simt::timeline::graph_destroyed(caller.call, found->steps.size(), caller.where);
    if (const auto source = found->source.lock()) --source->instances;
    for (auto* branch : found->branches) simt::queue::retire_stream(*branch);
    execs().remove(exec);
    return cudaSuccess;
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags, Where where) {
    GRAPH_CALL(wait);
    const Exec* found = find_exec(exec);
    if (found == nullptr) return no_exec(caller);
    if (flags == nullptr) return fail(cudaErrorInvalidValue);
    *flags = found->flags;
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream, Where where) {
    GRAPH_CALL(work);
    if (find_exec(exec) == nullptr) return no_exec(caller);
    return simt::runtime::find_stream(stream) == nullptr ? simt::runtime::unknown_stream(caller.call, where)
                                                         : cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream, Where where) {
    GRAPH_CALL(work);
    return launch(exec, stream, caller);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info,
                                Where where) {
    GRAPH_CALL(work);
    if (info == nullptr) return fail(cudaErrorInvalidValue);
    return update(exec, graph, *info, caller);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                cudaGraphExecUpdateResult* result, Where where) {
    GRAPH_CALL(work);
    cudaGraphExecUpdateResultInfo info{};
    const cudaError_t error = update(exec, graph, info, caller);
    if (error_node != nullptr) *error_node = info.errorNode;
    if (result != nullptr) *result = info.result;
    return error;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters, Where where) {
    GRAPH_CALL(work);
    return set(exec, node, cudaGraphNodeTypeKernel, make_kernel(parameters), caller);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters, Where where) {
    GRAPH_CALL(work);
    return set(exec, node, cudaGraphNodeTypeMemcpy, make_copy(parameters), caller);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind,
                                               Where where) {
    GRAPH_CALL(work);
    return set(exec, node, cudaGraphNodeTypeMemcpy, make_copy(to, from, bytes, kind), caller);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters, Where where) {
    GRAPH_CALL(work);
    return set(exec, node, cudaGraphNodeTypeMemset, make_set(parameters), caller);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters, Where where) {
    GRAPH_CALL(work);
    return set(exec, node, cudaGraphNodeTypeHost, make_host(parameters), caller);
}
namespace simt::cuda {
cudaError_t set_symbol_node(cudaGraphExec_t exec, cudaGraphNode_t node, const SymbolCopy& copy, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    const Caller caller{
        copy.to_symbol ? "the change of a copy to a symbol" : "the change of a copy from a symbol", where};
    if (exec != nullptr) return set(exec, node, cudaGraphNodeTypeMemcpy, make_copy(copy), caller);
    Node* found = find_node(node);
    return found == nullptr ? fail(cudaErrorInvalidValue)
                            : set_node(*found, cudaGraphNodeTypeMemcpy, make_copy(copy), caller);
}
}  // namespace simt::cuda

// Of an executable graph's own node, which is then `found`.
#define WITH_COPY                                 \
    Exec* graph = find_exec(exec);                \
    if (graph == nullptr) return no_exec(caller); \
    Node* found = nullptr;                        \
    if (const cudaError_t error = find_copy(*graph, node, caller, found); error != cudaSuccess) return error

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child, Where where) {
    GRAPH_CALL(work);
    const auto other = shared_graph(child);
    WITH_COPY;
    if (other == nullptr || found->child == nullptr) return fail(cudaErrorInvalidValue);
    if (compare(*found->child, *other).result != cudaGraphExecUpdateSuccess)
        return misuse(caller, "gives a child graph of another shape", "Keep its nodes and edges.");
    take_over(*found->child, *other);
    return cudaSuccess;
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event, Where where) {
    GRAPH_CALL(work);
    WITH_COPY;
    return set_event(*found, cudaGraphNodeTypeEventRecord, event, caller);
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event,
                                               Where where) {
    GRAPH_CALL(work);
    WITH_COPY;
    return set_event(*found, cudaGraphNodeTypeWaitEvent, event, caller);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters, Where where) {
    GRAPH_CALL(work);
    if (parameters == nullptr) return fail(cudaErrorInvalidValue);
    WITH_COPY;
    if (parameters->type == cudaGraphNodeTypeMemcpy)
        return set_copy(*found, make_copy(&parameters->memcpy.copyParams), caller);
    return set_any(*found, *parameters, caller);
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled,
                                    Where where) {
    GRAPH_CALL(work);
    WITH_COPY;
    if (!can_be_disabled(found->type))
        return misuse(caller, "is for kernel, memcpy and memset nodes only",
                      "Leave other nodes as they are.");
    found->enabled = enabled != 0;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled,
                                    Where where) {
    GRAPH_CALL(wait);
    WITH_COPY;
    if (enabled == nullptr || !can_be_disabled(found->type)) return fail(cudaErrorInvalidValue);
    *enabled = found->enabled;
    return cudaSuccess;
}

cudaError_t cudaDeviceGraphMemTrim(int device, Where) {
    int count = 0;
    cudaGetDeviceCount(&count);
    return device >= 0 && device < count ? cudaSuccess : fail(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value,
                                           Where) {
    int count = 0;
    cudaGetDeviceCount(&count);
    if (device < 0 || device >= count) return fail(cudaErrorInvalidDevice);
    if (value == nullptr || attribute > cudaGraphMemAttrReservedMemHigh) return fail(cudaErrorInvalidValue);
    *static_cast<unsigned long long*>(value) = simt::memory::bytes_of_graphs();
    return cudaSuccess;
}
