// Memory that graphs allocate and free.
#include <fmt/format.h>

#include "simt/runtime/copy.h"
#include "simt/runtime/graph.h"

namespace simt::graph {

cudaError_t queue_allocation(void** pointer, size_t bytes, size_t element_bytes, cudaStream_t stream,
                             const Caller& caller) {
    if (pointer == nullptr || bytes == 0) return runtime::fail(cudaErrorInvalidValue);
    void* memory = memory::reserve_for_graph(bytes, element_bytes, caller.where);
    if (memory == nullptr) return runtime::fail(cudaErrorMemoryAllocation);
    const cudaError_t error = runtime::in_stream(stream,
                                                 {.kind = queue::Kind::allocate,
                                                  .where = caller.where,
                                                  .name = caller.call,
                                                  .spans = runtime::spans_of(memory, bytes, bytes, 1, true),
                                                  .run = [memory] { memory::take_for_graph(memory); },
                                                  .parameters = Memory{memory, bytes}},
                                                 false);
    if (error == cudaSuccess) *pointer = memory;
    return error;
}

cudaError_t queue_release(void* pointer, cudaStream_t stream, const Caller& caller) {
    const Allocation* a = memory::find(pointer);
    const char* call = caller.call;
    const Where where = caller.where;
    if (a == nullptr || !a->is_of_graph || pointer != a->base)
        return runtime::fail(
            cudaErrorInvalidValue,
            {.kind = "api-misuse",
             .message =
                 fmt::format("{} at line {} would make a node that frees memory that no graph allocates",
                             call, where.line),
             .fix =
                 "A graph frees what a graph allocated (cudaMallocAsync in the capture). Free other memory "
                 "outside of the capture.",
             .where = where});
    return runtime::in_stream(stream,
                              {.kind = queue::Kind::release,
                               .where = where,
                               .name = call,
                               .spans = runtime::spans_of(pointer, a->bytes, a->bytes, 1, true),
                               .run = [pointer, where] { memory::release(pointer, where); },
                               .parameters = Memory{pointer, a->bytes}},
                              false);
}

// The graph's memory of the last launch must be free by now.
cudaError_t take_memory(const Exec& exec, queue::Stream& stream, Where where) {
    for (const Step& step : exec.steps) {
        const Node& node = *step.node;
        if (node.type != cudaGraphNodeTypeMemAlloc) continue;
        const Allocation* a = memory::find(node.memory);
        if (!a->is_promised) continue;
        if ((exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0) {
            queue::enqueue(stream, {.kind = queue::Kind::release,
                                    .where = where,
                                    .name = "cudaGraphLaunch",
                                    .run = [p = node.memory, where] { memory::release(p, where); }});
            continue;
        }
        return runtime::fail(
            cudaErrorInvalidValue,
            {.kind = "api-misuse",
             .message = fmt::format("cudaGraphLaunch at line {} launches a graph that allocates {} (line {}) "
                                    "again, but nothing freed what its last launch allocated",
                                    where.line, a->name, node.work.where.line),
             .fix = "Free it in the graph (cudaFreeAsync while capturing, or a free node), or with "
                    "cudaFreeAsync between the launches, or instantiate with "
                    "cudaGraphInstantiateFlagAutoFreeOnLaunch.",
             .where = where,
             .buffer = a->name});
    }
    for (const Step& step : exec.steps) {
        if (step.node->type == cudaGraphNodeTypeMemAlloc) memory::promise(step.node->memory, true);
        if (step.node->type == cudaGraphNodeTypeMemFree) memory::promise(step.node->memory, false);
    }
    return cudaSuccess;
}

}  // namespace simt::graph
