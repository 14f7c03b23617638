#include "simt/runtime/capture_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <thread>

namespace simt::capture {

using graph::Graph;
using graph::Node;
using queue::Kind;
using queue::Stream;
using runtime::Event;
using runtime::fail;

bool any = false;

std::map<uint32_t, CapturePtr>& by_stream() {
    static auto& all = *new std::map<uint32_t, CapturePtr>;
    return all;
}

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

CapturePtr of(const Stream& stream) {
    const auto found = by_stream().find(stream.index);
    return found == by_stream().end() ? nullptr : found->second;
}

void remove(const CapturePtr& capture) {
    std::erase_if(by_stream(), [&](const auto& entry) { return entry.second == capture; });
    any = !by_stream().empty();
}

std::string name_of(const Capture& capture) {
    return queue::stream_at(capture.origin).name;
}

std::string since(const Capture& capture) {
    return fmt::format("{} captures a graph (since line {})", name_of(capture), capture.where.line);
}

cudaError_t misuse(cudaError_t code, const std::string& message, const std::string& fix, Where where) {
    return fail(code, {.kind = "api-misuse", .message = message, .fix = fix, .where = where});
}

std::optional<cudaError_t> refuse_implicit(const Stream& stream, const std::string& call, bool loses,
                                           Where where) {
    if (!stream.is_legacy) return std::nullopt;
    CapturePtr in_the_way;
    for (const auto& [index, capture] : by_stream()) {
        const Stream& other = queue::stream_at(index);
        if (!other.is_blocking || other.device != stream.device) continue;
        in_the_way = capture;
        capture->is_lost = capture->is_lost || loses;
    }
    if (in_the_way == nullptr) return std::nullopt;
    return misuse(cudaErrorStreamCaptureImplicit,
                  fmt::format("{} at line {} uses the default stream while {}: the default stream would wait "
                              "for it{}",
                              call, where.line, since(*in_the_way), loses ? ", and the capture is lost" : ""),
                  "Use the capturing stream, or make that with cudaStreamCreateWithFlags and "
                  "cudaStreamNonBlocking.",
                  where);
}

namespace {

cudaGraphNodeType type_of(Kind kind) {
    switch (kind) {
        case Kind::kernel:
        case Kind::library:
            return cudaGraphNodeTypeKernel;
        case Kind::set:
            return cudaGraphNodeTypeMemset;
        case Kind::host_function:
            return cudaGraphNodeTypeHost;
        case Kind::allocate:
            return cudaGraphNodeTypeMemAlloc;
        case Kind::release:
            return cudaGraphNodeTypeMemFree;
        default:
            return cudaGraphNodeTypeMemcpy;
    }
}

Node& add_node(Capture& capture, const Stream& stream, cudaGraphNodeType type) {
    std::vector<Node*>& end = capture.ends[stream.index];
    Node& node = capture.graph->add(type, end);
    end = {&node};
    return node;
}

std::string call_of(const queue::NewOperation& operation) {
    return operation.kind == Kind::kernel ? fmt::format("the launch of {}", operation.name) : operation.name;
}

cudaError_t join_two(const CapturePtr& a, const CapturePtr& b, Where where) {
    a->is_lost = b->is_lost = true;
    return misuse(
        cudaErrorStreamCaptureMerge,
        fmt::format("cudaStreamWaitEvent at line {} would join two captures (of line {} and of line "
                    "{}) to one; both are lost",
                    where.line, a->where.line, b->where.line),
        "Begin one capture, and let other streams join it by waiting for its events.", where);
}

cudaError_t from_outside(const CapturePtr& capture, const Stream& stream, const Event& event, Where where) {
    capture->is_lost = true;
    return misuse(
        cudaErrorStreamCaptureIsolation,
        fmt::format("cudaStreamWaitEvent at line {} makes {}, which captures, wait for an event that line {} "
                    "recorded outside of the capture; the capture is lost",
                    where.line, stream.name, event.recorded->where.line),
        "Record the event in a stream of the capture. What must be done before the whole graph is waited for "
        "by the stream that launches it.",
        where);
}

// The point's capture has ended.
cudaError_t over(const char* call, Where where) {
    return misuse(cudaErrorInvalidValue,
                  fmt::format("{} at line {} got an event that was last recorded in a capture, which has "
                              "ended: it stands for nothing that runs",
                              call, where.line),
                  "Record it in a stream that does not capture, or record it in the graph with "
                  "cudaEventRecordWithFlags and cudaEventRecordExternal.",
                  where);
}

}  // namespace

static std::set<CapturePtr> all_captures() {
    std::set<CapturePtr> all;
    for (const auto& [stream, capture] : by_stream()) all.insert(capture);
    return all;
}

bool is_capturing(const Stream& stream) {
    return any && of(stream) != nullptr;
}

std::optional<cudaError_t> take(Stream& stream, queue::NewOperation& operation) {
    const CapturePtr capture = of(stream);
    if (capture == nullptr) return refuse_implicit(stream, call_of(operation), true, operation.where);
    if (capture->is_lost) return fail(cudaErrorStreamCaptureInvalidated);
    const bool is_prefetch = operation.kind == Kind::prefetch || operation.kind == Kind::prefetch_to_host;
    if (is_prefetch || operation.name == "cudaStreamAddCallback") {
        capture->is_lost = true;
        return misuse(cudaErrorStreamCaptureUnsupported,
                      fmt::format("{} at line {} can't become a node, but {}; the capture is lost",
                                  operation.name, operation.where.line, since(*capture)),
                      is_prefetch ? "Prefetch before the launch of the graph." : "Use cudaLaunchHostFunc.",
                      operation.where);
    }
    const auto* memory = std::any_cast<graph::Memory>(&operation.parameters);
    if (memory != nullptr && operation.kind == Kind::release && capture->graph->frees(memory->pointer))
        return misuse(cudaErrorInvalidValue,
                      fmt::format("{} at line {} frees memory that the graph frees already", operation.name,
                                  operation.where.line),
                      "Free it once.", operation.where);
    Node& node = add_node(*capture, stream, type_of(operation.kind));
    if (memory != nullptr) node.memory = memory->pointer;
    node.work = std::move(operation);
    return cudaSuccess;
}

std::optional<cudaError_t> take_graph(Stream& stream, const Graph& graph, Where where) {
    const CapturePtr capture = of(stream);
    if (capture == nullptr) return refuse_implicit(stream, "cudaGraphLaunch", true, where);
    if (capture->is_lost) return fail(cudaErrorStreamCaptureInvalidated);
    Node& node = add_node(*capture, stream, cudaGraphNodeTypeGraph);
    graph::NodeMap copies;
    node.child = graph::copy_of(graph, true, copies);
    node.child->is_child = true;
    node.work.where = where;
    if (graph.fate != nullptr) graph.fate->was_launched = true;  // by what it is now a part of
    return cudaSuccess;
}

std::optional<cudaError_t> record(Stream& stream, Event& event, cudaEvent_t handle, bool external,
                                  Where where) {
    const CapturePtr capture = of(stream);
    if (capture == nullptr) {
        if (const auto refused = refuse_implicit(stream, "cudaEventRecord", true, where)) return refused;
        event.captured = nullptr;
        return std::nullopt;
    }
    if (capture->is_lost) return fail(cudaErrorStreamCaptureInvalidated);
    if (external) {
        Node& node = add_node(*capture, stream, cudaGraphNodeTypeEventRecord);
        node.event = handle;
        node.work.where = where;
        return cudaSuccess;
    }
    event.recorded = nullptr;
    event.captured = std::make_shared<Point>(Point{capture, capture->ends[stream.index]});
    return cudaSuccess;
}

std::optional<cudaError_t> wait(Stream& stream, Event& event, cudaEvent_t handle, bool external,
                                Where where) {
    const CapturePtr capture = of(stream);
    if (capture != nullptr && capture->is_lost) return fail(cudaErrorStreamCaptureInvalidated);
    if (external && capture != nullptr) {
        Node& node = add_node(*capture, stream, cudaGraphNodeTypeWaitEvent);
        node.event = handle;
        node.work.where = where;
        return cudaSuccess;
    }
    if (event.captured == nullptr) {
        if (capture == nullptr) return refuse_implicit(stream, "cudaStreamWaitEvent", true, where);
        return event.recorded == nullptr ? cudaSuccess : from_outside(capture, stream, event, where);
    }
    const CapturePtr other = event.captured->capture.lock();
    if (other == nullptr) return over("cudaStreamWaitEvent", where);
    if (capture != nullptr && capture != other) return join_two(capture, other, where);
    if (stream.is_legacy) {
        other->is_lost = true;
        return misuse(cudaErrorStreamCaptureImplicit,
                      fmt::format("cudaStreamWaitEvent at line {} makes the default stream join the capture "
                                  "of line {}, which it can't; the capture is lost",
                                  where.line, other->where.line),
                      "Use a stream from cudaStreamCreate.", where);
    }
    by_stream()[stream.index] = other;
    std::vector<Node*>& end = other->ends[stream.index];
    for (Node* node : event.captured->nodes)
        if (std::find(end.begin(), end.end(), node) == end.end()) end.push_back(node);
    return cudaSuccess;
}

std::optional<cudaError_t> refuse_event(const Event& event, const char* call, bool loses, Where where) {
    if (event.captured == nullptr) return std::nullopt;
    const CapturePtr capture = event.captured->capture.lock();
    if (capture == nullptr) return over(call, where);
    capture->is_lost = capture->is_lost || loses;
    return misuse(
        cudaErrorCapturedEvent,
        fmt::format("{} at line {} got an event that {} recorded while it captured (since line {}): it "
                    "stands for a place in the graph, and not for something that runs",
                    call, where.line, name_of(*capture), capture->where.line),
        "Only streams may wait for it. For times and waits of the host record an event in the "
        "launch's stream after cudaGraphLaunch.",
        where);
}

std::optional<cudaError_t> refuse_stream(const Stream& stream, const char* call, Where where) {
    const CapturePtr capture = of(stream);
    if (capture == nullptr) {
        if (const auto refused = refuse_implicit(stream, call, true, where)) return refused;
        return refuse_unsafe(call, where);
    }
    capture->is_lost = true;
    return misuse(
        cudaErrorStreamCaptureUnsupported,
        fmt::format("{} at line {} is about work in {}, but {}: nothing runs while it captures, and "
                    "the capture is lost",
                    call, where.line, stream.name, since(*capture)),
        "Wait after the graph's launch: cudaStreamEndCapture, cudaGraphInstantiate, "
        "cudaGraphLaunch, and then this.",
        where);
}

std::optional<cudaError_t> refuse_unsafe(const char* call, Where where) {
    if (thread_mode == cudaStreamCaptureModeRelaxed) return std::nullopt;
    CapturePtr in_the_way;
    for (const CapturePtr& capture : all_captures()) {
        const bool is_mine = capture->thread == std::this_thread::get_id();
        const bool forbids = is_mine ? capture->mode != cudaStreamCaptureModeRelaxed
                                     : capture->mode == cudaStreamCaptureModeGlobal &&
                                           thread_mode == cudaStreamCaptureModeGlobal;
        if (!forbids) continue;
        capture->is_lost = true;
        in_the_way = capture;
    }
    if (in_the_way == nullptr) return std::nullopt;
    const bool is_memory = std::string_view(call).find("Malloc") != std::string_view::npos ||
                           std::string_view(call).find("Free") != std::string_view::npos;
    return misuse(
        cudaErrorStreamCaptureUnsupported,
        fmt::format("{} at line {} stands in a capture: {}. It can't become a part of the graph, and the "
                    "capture is lost",
                    call, where.line, since(*in_the_way)),
        is_memory ? "Move it out of the capture, or use cudaMallocAsync and cudaFreeAsync in the "
                    "capturing stream: they become nodes."
                  : "Move it in front of cudaStreamBeginCapture or behind cudaGraphLaunch.",
        where);
}

std::optional<cudaError_t> refuse_device_wait(Where where) {
    CapturePtr in_the_way;
    for (const CapturePtr& capture : all_captures()) {
        capture->is_lost = true;
        in_the_way = capture;
    }
    if (in_the_way == nullptr) return std::nullopt;
    return misuse(
        cudaErrorStreamCaptureUnsupported,
        fmt::format("cudaDeviceSynchronize at line {} would wait for all streams, but {}: nothing runs "
                    "while it captures, and the capture is lost",
                    where.line, since(*in_the_way)),
        "Move it in front of cudaStreamBeginCapture or behind cudaGraphLaunch.", where);
}

void lose(const Stream& stream) {
    if (const CapturePtr capture = of(stream)) capture->is_lost = true;
}

void note_destroyed(const Stream& stream) {
    const CapturePtr capture = of(stream);
    if (capture == nullptr) return;
    capture->is_lost = true;
    if (stream.index == capture->origin) {
        remove(capture);
    } else {
        by_stream().erase(stream.index);
    }
}

void report_unfinished() {
    for (const CapturePtr& capture : all_captures())
        report_finding({.kind = "api-misuse",
                        .advice = true,
                        .message = fmt::format("the capture that line {} began in {} never ended: nothing of "
                                               "what it captured ran",
                                               capture->where.line, name_of(*capture)),
                        .fix = "End it with cudaStreamEndCapture, instantiate the graph and launch it.",
                        .where = capture->where});
}

}  // namespace simt::capture
