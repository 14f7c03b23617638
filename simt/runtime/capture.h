// Stream capture: between cudaStreamBeginCapture and cudaStreamEndCapture nothing is queued, but becomes a graph's
// nodes. A stream that waits for an event of a capturing stream joins its capture.
//
// The codes, and which calls lose a capture, are those of an H200 (tests/unit/headers/capture.txt). The caller has the
// ApiLock for all of this page.
#pragma once

#include <optional>

#include "simt/runtime/events.h"
#include "simt/runtime/graph.h"

namespace simt::capture {

extern bool any;  // some stream captures

struct Capture;

// What an event stands for that a capturing stream recorded.
struct Point {
    std::weak_ptr<Capture> capture;
    std::vector<graph::Node*> nodes;
};

bool is_capturing(const queue::Stream& stream);
// Makes a node of it where the stream captures. Nothing: it does not; else what the call returns.
std::optional<cudaError_t> take(queue::Stream& stream, queue::NewOperation& operation);
// The same of a graph that is launched in it.
std::optional<cudaError_t> take_graph(queue::Stream& stream, const graph::Graph& graph, Where where);
// cudaEventRecord and cudaStreamWaitEvent; nothing: they are no business of a capture.
std::optional<cudaError_t> record(queue::Stream& stream, runtime::Event& event, cudaEvent_t handle,
                                  bool external, Where where);
std::optional<cudaError_t> wait(queue::Stream& stream, runtime::Event& event, cudaEvent_t handle,
                                bool external, Where where);
// Questions to an event, and waits for one (`loses`: what captures it is then lost).
std::optional<cudaError_t> refuse_event(const runtime::Event& event, const char* call, bool loses,
                                        Where where);
// A wait for a stream, or a question to it.
std::optional<cudaError_t> refuse_stream(const queue::Stream& stream, const char* call, Where where);
// What may not stand between begin and end of a capture, by its mode: allocations, waits.
std::optional<cudaError_t> refuse_unsafe(const char* call, Where where);
std::optional<cudaError_t> refuse_device_wait(Where where);
// A launch in it was refused; it is gone.
void lose(const queue::Stream& stream);
void note_destroyed(const queue::Stream& stream);

// At the end of the program.
void report_unfinished();

}  // namespace simt::capture
