// What the files of stream capture share.
#pragma once

#include <map>
#include <set>
#include <thread>

#include "simt/runtime/capture.h"

namespace simt::capture {

using CapturePtr = std::shared_ptr<Capture>;

struct Capture {
    unsigned long long id = 0;
    std::shared_ptr<graph::Graph> graph;
    cudaStreamCaptureMode mode{};
    std::thread::id thread;
    uint32_t origin = 0;  // the stream in which it began
    Where where{};
    bool is_lost = false;
    bool into_given_graph = false;
    std::map<uint32_t, std::vector<graph::Node*>> ends;  // by stream: what its next node comes after
    std::vector<cudaGraphNode_t> shown;                  // what cudaStreamGetCaptureInfo points to
};

extern thread_local cudaStreamCaptureMode thread_mode;

std::map<uint32_t, CapturePtr>& by_stream();
CapturePtr of(const queue::Stream& stream);  // nullptr: it does not capture
void remove(const CapturePtr& capture);

std::string name_of(const Capture& capture);  // of the stream in which it began
std::string since(const Capture& capture);    // "stream captures a graph (since line 12)"
cudaError_t misuse(cudaError_t code, const std::string& message, const std::string& fix, Where where);
// The default stream waits for the blocking ones, and they for it: it can't while one of them captures.
std::optional<cudaError_t> refuse_implicit(const queue::Stream& stream, const std::string& call, bool loses,
                                           Where where);

}  // namespace simt::capture
