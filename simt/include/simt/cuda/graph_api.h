// Functions of the runtime API for CUDA graphs. Included by cuda_runtime_api.h, which says how they are declared.
// Where CUDA 13 changed a signature, both forms are here.
#pragma once

// ---- capture ----
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode, SIMT_LINE);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                          size_t count, cudaStreamCaptureMode mode, SIMT_LINE);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph, SIMT_LINE);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status, SIMT_LINE);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                     const cudaGraphNode_t** dependencies = nullptr,
                                     const cudaGraphEdgeData** edges = nullptr, size_t* count = nullptr,
                                     SIMT_LINE);
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* graph,
                                            const cudaGraphNode_t** dependencies, size_t* count, SIMT_LINE) {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count, where);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* edges, size_t count,
                                                unsigned flags = 0, SIMT_LINE);
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                       size_t count, unsigned flags = 0, SIMT_LINE) {
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags, where);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode, SIMT_LINE);

// ---- graphs and their nodes ----
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags, SIMT_LINE);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original, SIMT_LINE);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone,
                                     SIMT_LINE);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters, SIMT_LINE);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters, SIMT_LINE);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters,
                                         SIMT_LINE);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value, SIMT_LINE);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value, SIMT_LINE);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters, SIMT_LINE);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind, SIMT_LINE);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters, SIMT_LINE);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters,
                                         SIMT_LINE);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind, SIMT_LINE);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters, SIMT_LINE);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters, SIMT_LINE);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters, SIMT_LINE);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters, SIMT_LINE);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters, SIMT_LINE);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters, SIMT_LINE);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count, cudaGraph_t child,
                                       SIMT_LINE);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph, SIMT_LINE);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count, SIMT_LINE);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count, cudaEvent_t event,
                                        SIMT_LINE);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event, SIMT_LINE);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event, SIMT_LINE);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count, cudaEvent_t event,
                                      SIMT_LINE);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event, SIMT_LINE);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event, SIMT_LINE);
// The address is there at once; the memory is from when the node has run.
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters, SIMT_LINE);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* parameters,
                                           SIMT_LINE);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count, void* pointer,
                                    SIMT_LINE);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer, SIMT_LINE);
cudaError_t cudaDeviceGraphMemTrim(int device, SIMT_LINE);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value,
                                           SIMT_LINE);
// Of any type; conditional nodes and semaphores are refused with a sentence.
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* parameters,
                             SIMT_LINE);
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    cudaGraphNodeParams* parameters, SIMT_LINE) {
    return cudaGraphAddNode(node, graph, dependencies, nullptr, count, parameters, where);
}
inline cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                       size_t count, cudaGraphNodeParams* parameters, SIMT_LINE) {
    return cudaGraphAddNode(node, graph, dependencies, edges, count, parameters, where);
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters, SIMT_LINE);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned value = 0, unsigned flags = 0, SIMT_LINE);

// ---- questions: with no place for the answers, their count ----
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type, SIMT_LINE);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, SIMT_LINE);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, SIMT_LINE);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count, SIMT_LINE);
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     size_t* count, SIMT_LINE) {
    return cudaGraphGetEdges(graph, from, to, nullptr, count, where);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* edges, size_t* count, SIMT_LINE);
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count,
                                                SIMT_LINE) {
    return cudaGraphNodeGetDependencies(node, nodes, nullptr, count, where);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* edges, size_t* count, SIMT_LINE);
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count,
                                                  SIMT_LINE) {
    return cudaGraphNodeGetDependentNodes(node, nodes, nullptr, count, where);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edges, size_t count,
                                     SIMT_LINE);
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, size_t count, SIMT_LINE) {
    return cudaGraphAddDependencies(graph, from, to, nullptr, count, where);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                        size_t count, SIMT_LINE);
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, size_t count, SIMT_LINE) {
    return cudaGraphRemoveDependencies(graph, from, to, nullptr, count, where);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node, SIMT_LINE);
// Writes the graph as text for Graphviz.
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags, SIMT_LINE);

// ---- executable graphs ----
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags = 0,
                                 SIMT_LINE);
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                        char* log, size_t log_bytes, SIMT_LINE) {  // of CUDA 11
    if (error_node != nullptr) *error_node = nullptr;
    if (log != nullptr && log_bytes != 0) *log = 0;
    return cudaGraphInstantiate(exec, graph, 0, where);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                 unsigned long long flags = 0, SIMT_LINE) {
    return cudaGraphInstantiate(exec, graph, flags, where);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters, SIMT_LINE);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags, SIMT_LINE);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream, SIMT_LINE);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream, SIMT_LINE);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec, SIMT_LINE);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info,
                                SIMT_LINE);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                cudaGraphExecUpdateResult* result, SIMT_LINE);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters, SIMT_LINE);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters, SIMT_LINE);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind,
                                               SIMT_LINE);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters, SIMT_LINE);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters, SIMT_LINE);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child, SIMT_LINE);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event, SIMT_LINE);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event,
                                               SIMT_LINE);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters, SIMT_LINE);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled, SIMT_LINE);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled, SIMT_LINE);

// ---- nodes that copy from and to symbols ----
namespace simt::cuda {
struct SymbolCopy {  // between a __device__ variable and memory
    const void* symbol;
    void* memory;
    size_t bytes, offset;
    cudaMemcpyKind kind;
    bool to_symbol;
};
cudaError_t add_symbol_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                            size_t count, const SymbolCopy& copy, Where where);
// exec nullptr: of the graph itself.
cudaError_t set_symbol_node(cudaGraphExec_t exec, cudaGraphNode_t node, const SymbolCopy& copy, Where where);
}  // namespace simt::cuda
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, size_t count,
                                                  const T& symbol, const void* from, size_t bytes,
                                                  size_t offset, cudaMemcpyKind kind, SIMT_LINE) {
    return ::simt::cuda::add_symbol_node(
        node, graph, dependencies, count,
        {::simt::cuda::address_of(symbol), const_cast<void*>(from), bytes, offset, kind, true}, where);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* dependencies, size_t count,
                                                    void* to, const T& symbol, size_t bytes, size_t offset,
                                                    cudaMemcpyKind kind, SIMT_LINE) {
    return ::simt::cuda::add_symbol_node(node, graph, dependencies, count,
                                         {::simt::cuda::address_of(symbol), to, bytes, offset, kind, false},
                                         where);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol,
                                                        const void* from, size_t bytes, size_t offset,
                                                        cudaMemcpyKind kind, SIMT_LINE) {
    return ::simt::cuda::set_symbol_node(
        nullptr, node, {::simt::cuda::address_of(symbol), const_cast<void*>(from), bytes, offset, kind, true},
        where);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const T& symbol,
                                                          size_t bytes, size_t offset, cudaMemcpyKind kind,
                                                          SIMT_LINE) {
    return ::simt::cuda::set_symbol_node(
        nullptr, node, {::simt::cuda::address_of(symbol), to, bytes, offset, kind, false}, where);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                            const T& symbol, const void* from, size_t bytes,
                                                            size_t offset, cudaMemcpyKind kind, SIMT_LINE) {
    return ::simt::cuda::set_symbol_node(
        exec, node, {::simt::cuda::address_of(symbol), const_cast<void*>(from), bytes, offset, kind, true},
        where);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                              void* to, const T& symbol, size_t bytes,
                                                              size_t offset, cudaMemcpyKind kind, SIMT_LINE) {
    return ::simt::cuda::set_symbol_node(
        exec, node, {::simt::cuda::address_of(symbol), to, bytes, offset, kind, false}, where);
}
