// What a program has queued: streams, the operations in them, and what is ordered before what.
//
// An operation (a kernel, a copy, an event's record) runs when somebody waits for it, and not before: a wait that
// the program lacks shows in every run. Operations of one stream run in order. Others are ordered by
//   - the default stream, which waits for all blocking streams of its device, and they for it;
//   - cudaStreamWaitEvent;
//   - the host, where it waited for one before it queued the other.
// Each operation carries a vector clock that says which operations of each stream are ordered before it. It is
// complete as soon as the operation is queued, so whether two of them race does not depend on when they run.
#pragma once

#include <any>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simt/include/simt/abi.h"

namespace simt::queue {

// By stream: how many of its operations are ordered before. Streams beyond its end: none.
class Clock {
  public:
    uint64_t at(uint32_t stream) const { return stream < ticks_.size() ? ticks_[stream] : 0; }
    void set(uint32_t stream, uint64_t tick) {
        if (stream >= ticks_.size()) ticks_.resize(stream + 1);
        ticks_[stream] = tick;
    }
    void join(const Clock& other) {
        if (other.ticks_.size() > ticks_.size()) ticks_.resize(other.ticks_.size());
        for (size_t i = 0; i < other.ticks_.size(); ++i)
            if (other.ticks_[i] > ticks_[i]) ticks_[i] = other.ticks_[i];
    }

  private:
    std::vector<uint64_t> ticks_;
};

enum class Kind : uint8_t {
    kernel,
    copy_to_device,
    copy_to_host,
    copy_on_device,
    copy_on_host,
    copy_between_devices,
    set,  // cudaMemset
    host_function,
    record,  // of an event
    wait,    // for an event
    allocate,
    release,
    prefetch,  // of managed memory to the device
    prefetch_to_host,
    library,  // a call of cuBLAS or its kin, which runs kernels of NVIDIA's
};

// Memory that an operation reads or writes, as far as its call says so. A kernel has none: what it touches is
// seen when it runs.
struct Span {
    uintptr_t begin, end;
    bool writes;
};

struct Operation;
using OperationPtr = std::shared_ptr<Operation>;

// Which launch of a graph an operation is a node of.
struct GraphLaunch {
    uint64_t number = 0;  // counts from 1; 0: none
    Where where{};        // of cudaGraphLaunch
};

struct Operation {
    uint64_t id = 0;  // counts all operations in the order of their calls, from 1
    Kind kind{};
    Where where;
    std::string name;                 // "cudaMemcpyAsync", or the kernel's
    uint32_t stream = 0;              // index of its stream
    uint64_t tick = 0;                // its number in that stream, from 1
    Clock before;                     // what is ordered before it, itself included
    uint32_t host_tick = 0;           // what the host did in earlier ticks is ordered before it
    std::vector<OperationPtr> after;  // of other streams: must have run first
    std::vector<Span> spans;
    size_t bytes = 0;          // that it moves or sets
    bool is_pageable = false;  // a copy from or to pageable memory, which is staged
    uint32_t launch = 0;       // a kernel's number
    GraphLaunch graph{};
    std::optional<double> call_ns{};       // of the host, where the kind does not say it
    int from_device = -1, to_device = -1;  // of a copy; -1: the host's side, or managed memory
    bool is_staged = false;  // a copy between devices that do not reach each other: it goes through the host
    std::function<void()> run;
    bool done = false;
    std::chrono::steady_clock::time_point finished{};  // of this machine's clock, where it is done
    bool raced = false;  // a race with it has been reported: what it then reads is a consequence

    bool is_before(const Operation& other) const { return other.before.at(stream) >= tick; }
    bool is_ordered_with(const Operation& other) const { return is_before(other) || other.is_before(*this); }
};

struct Stream {
    uint32_t index = 0;
    int device = 0;
    unsigned flags = 0;
    int priority = 0;
    bool is_legacy = false;
    bool is_blocking = true;  // waits for its device's default stream, and that for it
    bool is_running = false;  // one of its operations, with the machine left to others
    std::string name;         // "stream", "stream 2 (streams[i])", "the default stream"
    std::string argument;     // how a call names it: "stream", "streams[i]", "0"
    Where created;
    Clock clock;  // of its last operation
    uint64_t ticks = 0;
    OperationPtr last;
    std::deque<OperationPtr> pending;
};

struct NewOperation {
    Kind kind{};
    Where where{};
    std::string name{};
    std::vector<Span> spans{};
    size_t bytes = 0;
    bool is_pageable = false;
    int from_device = -1, to_device = -1;
    bool is_staged = false;
    std::function<void()> run{};        // of a graph's node: again at each launch
    std::vector<OperationPtr> after{};  // of other streams
    std::any parameters{};              // what the call was given, where a graph's node is made of it
    GraphLaunch graph{};
    std::optional<double> call_ns{};
};

// ---- streams. The caller has the ApiLock for all of this page. ----
Stream& legacy_stream(int device);
Stream& thread_stream(int device);  // the calling thread's own default stream
Stream& make_stream(int device, unsigned flags, int priority, Where where);
// For a branch of a graph: no handle stands for it, and it waits for nothing by itself.
Stream& make_branch(int device, const std::string& name);
void retire_stream(Stream& stream);  // its handle is gone; what is queued still runs
Stream& stream_at(uint32_t index);
void for_each_stream(const std::function<void(const Stream&)>& visit);

// ---- queueing ----
// Is work queued at all, or run at once? Programs without hooks (fast mode) run it at once.
bool is_lazy();
OperationPtr enqueue(Stream& stream, NewOperation operation);

// ---- running ----
// By value: the queue that it stands in lets go of it.
void run_until(OperationPtr operation);
void run_all(int device = -1);  // -1: of every device
// Runs the next operation on the way to this one, so that who polls gets there.
void run_one_step(OperationPtr operation);
// Host code goes through a basic block, or looks at a flag in memory again, without an API call. After very many
// of them the oldest operation runs, so that a host that waits by polling memory gets there.
void note_host_block();
void note_host_poll();
// One step of the oldest operation whose stream is not at another one. False: nothing could run.
bool run_oldest();
bool host_function_is_pending();
uint64_t operations();  // that were queued so far
// Operations that are queued, in the order of their calls.
std::vector<OperationPtr> pending();
extern bool anything_is_pending;  // read without the lock by the hooks, as a hint
OperationPtr running();           // nullptr: none
// The host function (cudaLaunchHostFunc) that this thread runs, or nullptr. CUDA forbids it the API.
extern thread_local const Operation* host_function;

// ---- the host ----
// The host has seen that an operation is done.
void host_learns(const Operation& operation);
void host_learns_all(int device = -1);
bool host_knows(const Operation& operation);
// Counts the operations that the host has queued. What the host does now bears this number.
uint32_t host_tick();
uint32_t pass_host_tick();  // returns the number, and what the host does from now on bears the next
// Some operation may be unknown to the host: its accesses must be watched. A hint for the hooks.
extern bool host_must_be_watched;

}  // namespace simt::queue
