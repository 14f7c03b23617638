// Begin and end of captures, and questions about them.
#include <fmt/format.h>

#include <algorithm>

#include "simt/runtime/capture_state.h"

namespace simt::capture {

using graph::Graph;
using graph::Node;
using queue::Stream;
using runtime::fail;

namespace {

bool comes_before(const Node* node, const std::vector<Node*>& ends) {
    std::vector<const Node*> open(ends.begin(), ends.end());
    std::set<const Node*> seen;
    while (!open.empty()) {
        const Node* next = open.back();
        open.pop_back();
        if (next == node) return true;
        if (!seen.insert(next).second) continue;
        open.insert(open.end(), next->dependencies.begin(), next->dependencies.end());
    }
    return false;
}

// A node of a stream that the origin does not wait for; nullptr: there is none. `stream`: which one.
const Node* unjoined(const Capture& capture, uint32_t& stream) {
    const auto origin = capture.ends.find(capture.origin);
    static const std::vector<Node*> nothing;
    const auto& joined = origin == capture.ends.end() ? nothing : origin->second;
    for (const auto& [index, ends] : capture.ends)
        for (const Node* node : ends)
            if (index != capture.origin && !comes_before(node, joined)) {
                stream = index;
                return node;
            }
    return nullptr;
}

cudaError_t refuse_unjoined(const Capture& capture, const Node& node, uint32_t stream, Where where) {
    const Stream& other = queue::stream_at(stream);
    return misuse(
        cudaErrorStreamCaptureUnjoined,
        fmt::format("the capture of line {} ends at line {}, but {} does not wait for what {} does "
                    "at line {}: there is no graph",
                    capture.where.line, where.line, name_of(capture), other.name, node.work.where.line),
        fmt::format("Before cudaStreamEndCapture record an event in {} and make {} wait for it "
                    "(cudaStreamWaitEvent).",
                    other.argument, queue::stream_at(capture.origin).argument),
        where);
}

cudaError_t not_capturing(const Stream& stream, const char* call, Where where) {
    return misuse(cudaErrorIllegalState,
                  fmt::format("{} at line {} is for a stream that captures, but {} does not", call,
                              where.line, stream.name),
                  "Begin with cudaStreamBeginCapture in that stream, and check what it returned.", where);
}

bool is_mode(cudaStreamCaptureMode mode) {
    return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

struct Begin {
    const char* call;
    std::shared_ptr<Graph> into{};  // nullptr: a new one
    std::vector<Node*> after{};
};

cudaError_t begin(cudaStream_t handle, cudaStreamCaptureMode mode, Begin how, Where where) {
    Stream* stream = runtime::find_stream(handle);
    if (stream == nullptr) return runtime::unknown_stream(how.call, where);
    if (stream->is_legacy)
        return misuse(cudaErrorStreamCaptureUnsupported,
                      fmt::format("{} at line {} asks the default stream to capture, which it can't",
                                  how.call, where.line),
                      "Capture in a stream from cudaStreamCreate.", where);
    if (!is_mode(mode)) return fail(cudaErrorInvalidValue);
    if (const CapturePtr running = of(*stream))
        return misuse(cudaErrorIllegalState,
                      fmt::format("{} at line {} begins a capture in {}, but {} already", how.call,
                                  where.line, stream->name, since(*running)),
                      "End the first capture with cudaStreamEndCapture.", where);
    static unsigned long long captures = 0;
    const auto capture = std::make_shared<Capture>();
    capture->id = ++captures;
    capture->into_given_graph = how.into != nullptr;
    capture->graph = how.into != nullptr ? how.into : std::make_shared<Graph>();
    if (how.into == nullptr) {
        capture->graph->where = where;
        graph::keep_graph(capture->graph);
    }
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->origin = stream->index;
    capture->where = where;
    if (!how.after.empty()) capture->ends[stream->index] = std::move(how.after);
    by_stream()[stream->index] = capture;
    any = true;
    return cudaSuccess;
}

// The capture is over; what it made is forgotten unless it is `kept`.
cudaError_t end(const CapturePtr& capture, const Stream& stream, cudaGraph_t* graph, Where where) {
    if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
        remove(capture);
        return misuse(
            cudaErrorStreamCaptureWrongThread,
            fmt::format("cudaStreamEndCapture at line {} is called by another host thread than the one "
                        "that began the capture at line {}; the capture is lost",
                        where.line, capture->where.line),
            "End it in the thread that began it, or capture with cudaStreamCaptureModeRelaxed.", where);
    }
    if (stream.index != capture->origin) {
        capture->is_lost = true;
        return misuse(
            cudaErrorStreamCaptureUnmatched,
            fmt::format("cudaStreamEndCapture at line {} ends the capture in {}, but line {} began it in "
                        "{}; the capture is lost",
                        where.line, stream.name, capture->where.line, name_of(*capture)),
            fmt::format("Write cudaStreamEndCapture({}, ...).", queue::stream_at(capture->origin).argument),
            where);
    }
    remove(capture);
    if (capture->is_lost) return fail(cudaErrorStreamCaptureInvalidated);
    uint32_t other = 0;
    if (const Node* node = unjoined(*capture, other)) return refuse_unjoined(*capture, *node, other, where);
    if (!capture->into_given_graph) graph::note_capture(*capture->graph);
    *graph = capture->graph->handle;
    return cudaSuccess;
}

// The nodes behind these handles, all of this graph; nothing: some are not.
std::optional<std::vector<Node*>> nodes_of(const Graph& graph, const cudaGraphNode_t* handles, size_t count) {
    std::vector<Node*> all;
    if (count != 0 && handles == nullptr) return std::nullopt;
    for (size_t i = 0; i < count; ++i) {
        Node* node = graph::find_node(handles[i]);
        if (node == nullptr || node->graph != &graph) return std::nullopt;
        all.push_back(node);
    }
    return all;
}

}  // namespace
}  // namespace simt::capture

using simt::ApiLock;
using simt::Where;
using namespace simt::runtime;
namespace capture = simt::capture;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    return capture::begin(stream, mode, {"cudaStreamBeginCapture"}, where);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                          size_t count, cudaStreamCaptureMode mode, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    const auto into = simt::graph::shared_graph(graph);
    if (into == nullptr) return fail(cudaErrorInvalidValue);
    auto after = capture::nodes_of(*into, dependencies, count);
    if (!after) return fail(cudaErrorInvalidValue);
    return capture::begin(stream, mode, {"cudaStreamBeginCaptureToGraph", into, std::move(*after)}, where);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    const simt::queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaStreamEndCapture", where);
    const auto running = capture::of(*found);
    if (running == nullptr) return capture::not_capturing(*found, "cudaStreamEndCapture", where);
    if (graph == nullptr) return fail(cudaErrorInvalidValue);
    *graph = nullptr;
    const cudaError_t error = capture::end(running, *found, graph, where);
    const bool is_over = capture::of(*found) == nullptr;
    if (error != cudaSuccess && is_over && !running->into_given_graph)
        simt::graph::forget_handles(*running->graph);
    return error;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status, Where where) {
    return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr, nullptr, where);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                     size_t* count, Where where) {
    const ApiLock lock;
    if (status == nullptr) return fail(cudaErrorInvalidValue);
    const simt::queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaStreamIsCapturing", where);
    const auto running = capture::of(*found);
    if (running == nullptr) {
        if (const auto refused = capture::refuse_implicit(*found, "cudaStreamIsCapturing", false, where))
            return *refused;
        *status = cudaStreamCaptureStatusNone;
        return cudaSuccess;
    }
    *status = running->is_lost ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
    if (running->is_lost) return cudaSuccess;
    if (id != nullptr) *id = running->id;
    if (graph != nullptr) *graph = running->graph->handle;
    running->shown.clear();
    for (const auto* node : running->ends[found->index]) running->shown.push_back(node->handle);
    if (dependencies != nullptr) *dependencies = running->shown.data();
    if (edges != nullptr) *edges = nullptr;
    if (count != nullptr) *count = running->shown.size();
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, size_t count, unsigned flags,
                                                Where where) {
    const ApiLock lock;
    const simt::queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaStreamUpdateCaptureDependencies", where);
    const auto running = capture::of(*found);
    if (running == nullptr)
        return capture::not_capturing(*found, "cudaStreamUpdateCaptureDependencies", where);
    if (running->is_lost) return fail(cudaErrorStreamCaptureInvalidated);
    const auto nodes = capture::nodes_of(*running->graph, dependencies, count);
    if (!nodes || flags > cudaStreamSetCaptureDependencies) return fail(cudaErrorInvalidValue);
    auto& ends = running->ends[found->index];
    if (flags == cudaStreamSetCaptureDependencies) ends.clear();
    for (auto* node : *nodes)
        if (std::find(ends.begin(), ends.end(), node) == ends.end()) ends.push_back(node);
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode, Where) {
    if (mode == nullptr || !capture::is_mode(*mode)) return fail(cudaErrorInvalidValue);
    std::swap(*mode, capture::thread_mode);
    return cudaSuccess;
}
