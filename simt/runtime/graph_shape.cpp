// Graphs as a whole: made, copied, asked for nodes and edges, changed, printed.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "simt/runtime/graph.h"

namespace simt::graph {
namespace {

using runtime::Call;
using runtime::enter;
using runtime::fail;

cudaError_t no_graph(const Caller& caller) {
    return misuse(
        caller, "got a graph that does not exist",
        "Create it with cudaGraphCreate or by a capture, and do not use it after it was destroyed.");
}
cudaError_t no_node(const Caller& caller) {
    return misuse(caller, "got a node that does not exist", "Pass a node of a graph that still exists.");
}

// How CUDA gives lists: without a place their length, else as many as there is room for, and nulls for the rest.
template <class Handle>
cudaError_t give(const std::vector<Handle>& all, Handle* to, size_t* count) {
    if (count == nullptr) return fail(cudaErrorInvalidValue);
    if (to != nullptr)
        for (size_t i = 0; i < *count; ++i) to[i] = i < all.size() ? all[i] : nullptr;
    *count = to == nullptr ? all.size() : std::min(*count, all.size());
    return cudaSuccess;
}

struct Edges {
    std::vector<cudaGraphNode_t> from, to;
};

Edges edges_of(const Graph& graph) {
    Edges edges;
    for (const auto& node : graph.nodes)
        for (const Node* dependency : node->dependencies) {
            edges.from.push_back(dependency->handle);
            edges.to.push_back(node->handle);
        }
    return edges;
}

// The two ends of an edge that a call names, both of the graph.
struct Edge {
    Node *from = nullptr, *to = nullptr;
};
cudaError_t find_edge(const Graph& graph, cudaGraphNode_t from, cudaGraphNode_t to, const Caller& caller,
                      Edge& edge) {
    edge = {find_node(from), find_node(to)};
    for (const Node* end : {edge.from, edge.to})
        if (end == nullptr || end->graph != &graph)
            return misuse(caller, "names a node that is none of this graph",
                          "Both ends of an edge are nodes of the graph.");
    return cudaSuccess;
}

bool depends(const Edge& edge) {
    const auto& all = edge.to->dependencies;
    return std::find(all.begin(), all.end(), edge.from) != all.end();
}

cudaError_t add_edges(Graph& graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count,
                      const Caller& caller) {
    for (size_t i = 0; i < count; ++i) {
        Edge edge;
        if (const cudaError_t error = find_edge(graph, from[i], to[i], caller, edge); error != cudaSuccess)
            return error;
        if (edge.from == edge.to)
            return misuse(caller, "makes a node wait for itself", "An edge joins two different nodes.");
        if (depends(edge)) return misuse(caller, "adds an edge that there is already", "Add each edge once.");
        edge.to->dependencies.push_back(edge.from);
    }
    return cudaSuccess;
}

cudaError_t remove_edges(Graph& graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count,
                         const Caller& caller) {
    for (size_t i = 0; i < count; ++i) {
        Edge edge;
        if (const cudaError_t error = find_edge(graph, from[i], to[i], caller, edge); error != cudaSuccess)
            return error;
        if (!depends(edge))
            return misuse(caller, "removes an edge that there is not", "Name an edge of the graph.");
        std::erase(edge.to->dependencies, edge.from);
    }
    return cudaSuccess;
}

void remove_node(Graph& graph, Node& gone) {
    for (const auto& node : graph.nodes) std::erase(node->dependencies, &gone);
    if (gone.child != nullptr) forget_handles(*gone.child);
    forget_handle(gone);
    std::erase_if(graph.nodes, [&](const auto& node) { return node.get() == &gone; });
}

std::string label_of(const Node& node) {
    static constexpr const char* names[] = {"kernel", "memcpy", "memset",       "host",
                                            "graph",  "empty",  "wait event",   "record event",
                                            "",       "",       "memory alloc", "memory free"};
    const std::string what = names[node.type];
    const std::string line = node.work.where.line != 0 ? fmt::format("\\nline {}", node.work.where.line) : "";
    return node.type == cudaGraphNodeTypeKernel ? fmt::format("{} {}{}", what, node.work.name, line)
                                                : what + line;
}

}  // namespace
}  // namespace simt::graph

using simt::ApiLock;
using simt::Where;
using namespace simt::graph;
using simt::runtime::Call;
using simt::runtime::enter;
using simt::runtime::fail;

#define WITH_GRAPH(kind)                                                                 \
    const ApiLock lock;                                                                  \
    if (const cudaError_t error = enter(Call::kind); error != cudaSuccess) return error; \
    const Caller caller{__func__, where};                                                \
    Graph* found = find_graph(graph);                                                    \
    if (found == nullptr) return no_graph(caller)
#define WITH_NODE(kind)                                                                  \
    const ApiLock lock;                                                                  \
    if (const cudaError_t error = enter(Call::kind); error != cudaSuccess) return error; \
    const Caller caller{__func__, where};                                                \
    Node* found = find_node(node);                                                       \
    if (found == nullptr) return no_node(caller)

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (graph == nullptr || flags != 0)
        return misuse({"cudaGraphCreate", where}, graph == nullptr ? "got a null pointer" : "got flags",
                      "Pass the address of a cudaGraph_t, and 0.");
    const auto made = std::make_shared<Graph>();
    made->where = where;
    *graph = keep_graph(made);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    const Where where{};
    WITH_GRAPH(cleanup);
    if (found->is_child)
        return misuse(caller, "got a child graph, which its parent owns", "Destroy the parent.");
    const auto alive = shared_graph(graph);
    forget_handles(*found);
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph, Where where) {
    WITH_GRAPH(work);
    if (clone == nullptr) return fail(cudaErrorInvalidValue);
    if (found->allocates()) {
        misuse(caller, "copies a graph that allocates memory, which CUDA does not", "Build it again.");
        return fail(cudaErrorNotSupported);
    }
    NodeMap copies;
    *clone = keep_graph(copy_of(*found, true, copies));
    return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t graph,
                                     Where where) {
    WITH_GRAPH(wait);
    const auto copy = std::find_if(found->nodes.begin(), found->nodes.end(), [&](const auto& each) {
        return each->original != nullptr && each->original == original;
    });
    if (node == nullptr || copy == found->nodes.end())
        return misuse(caller, "asks for the copy of a node in a graph that is no copy of its graph",
                      "Pass the graph that cudaGraphClone set.");
    *node = (*copy)->handle;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, Where where) {
    WITH_GRAPH(wait);
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : found->nodes) all.push_back(node->handle);
    return give(all, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, Where where) {
    WITH_GRAPH(wait);
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : found->nodes)
        if (node->dependencies.empty()) all.push_back(node->handle);
    return give(all, nodes, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count, Where where) {
    WITH_GRAPH(wait);
    if (count == nullptr || (from == nullptr) != (to == nullptr)) return fail(cudaErrorInvalidValue);
    const Edges edges = edges_of(*found);
    if (data != nullptr) std::fill_n(data, std::min(*count, edges.from.size()), cudaGraphEdgeData{});
    size_t same = *count;
    give(edges.from, from, &same);
    return give(edges.to, to, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* data, size_t* count, Where where) {
    WITH_NODE(wait);
    std::vector<cudaGraphNode_t> all;
    for (const Node* dependency : found->dependencies) all.push_back(dependency->handle);
    if (data != nullptr && count != nullptr)
        std::fill_n(data, std::min(*count, all.size()), cudaGraphEdgeData{});
    return give(all, nodes, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* data, size_t* count, Where where) {
    WITH_NODE(wait);
    std::vector<cudaGraphNode_t> all;
    for (const auto& other : found->graph->nodes)
        if (depends({found, other.get()})) all.push_back(other->handle);
    if (data != nullptr && count != nullptr)
        std::fill_n(data, std::min(*count, all.size()), cudaGraphEdgeData{});
    return give(all, nodes, count);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type, Where where) {
    WITH_NODE(wait);
    if (type == nullptr) return fail(cudaErrorInvalidValue);
    *type = found->type;
    return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count,
                                     Where where) {
    WITH_GRAPH(work);
    if (count != 0 && (from == nullptr || to == nullptr)) return fail(cudaErrorInvalidValue);
    return add_edges(*found, from, to, count, caller);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count,
                                        Where where) {
    WITH_GRAPH(work);
    if (count != 0 && (from == nullptr || to == nullptr)) return fail(cudaErrorInvalidValue);
    return remove_edges(*found, from, to, count, caller);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node, Where where) {
    WITH_NODE(work);
    if (found->graph->allocates()) {
        misuse(caller, "takes a node out of a graph that allocates memory, which CUDA does not",
               "Build it again.");
        return fail(cudaErrorNotSupported);
    }
    remove_node(*found->graph, *found);
    return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned, Where where) {
    WITH_GRAPH(wait);
    if (path == nullptr) return fail(cudaErrorInvalidValue);
    std::ofstream file(path);
    file << "digraph graph_1 {\n  node [shape=box];\n";
    for (const auto& node : found->nodes)
        file << fmt::format("  n{} [label=\"{}\"];\n", fmt::ptr(node->handle), label_of(*node));
    const Edges edges = edges_of(*found);
    for (size_t i = 0; i < edges.from.size(); ++i)
        file << fmt::format("  n{} -> n{};\n", fmt::ptr(edges.from[i]), fmt::ptr(edges.to[i]));
    file << "}\n";
    if (file) return cudaSuccess;
    return misuse(caller, fmt::format("can't write {}", path), "Name a file in a folder that exists.");
}
