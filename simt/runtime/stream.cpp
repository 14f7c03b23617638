// Streams and events.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "simt/host/timeline.h"
#include "simt/machine/arena.h"
#include "simt/machine/session_state.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/handles.h"
#include "simt/runtime/pool.h"
#include "simt/runtime/work.h"

#undef cudaStreamDestroy
#undef cudaEventDestroy

namespace simt::runtime {
namespace {

using queue::Kind;
using queue::OperationPtr;

constexpr int greatest_priority = -5;  // of an H200; 0 is the least

HandleTable<queue::Stream*>& streams() {
    static auto& table = *new HandleTable<queue::Stream*>;
    return table;
}
HandleTable<Event>& events() {
    static auto& table = *new HandleTable<Event>;
    return table;
}

bool default_is_per_thread = false;

cudaError_t unknown(const char* what, const std::string& call, Where where) {
    return fail(cudaErrorInvalidResourceHandle,
                {.kind = "api-misuse",
                 .message = fmt::format("{} at line {} got {} that does not exist", call, where.line, what),
                 .fix = "Create it first, and do not use it after it was destroyed.",
                 .where = where});
}

cudaError_t wrong_device(const std::string& message, const std::string& fix, Where where) {
    return fail(cudaErrorInvalidResourceHandle,
                {.kind = "wrong-device", .message = message, .fix = fix, .where = where});
}

cudaError_t make_stream(cudaStream_t* stream, unsigned flags, int priority, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (stream == nullptr || (flags & ~static_cast<unsigned>(cudaStreamNonBlocking)) != 0)
        return fail(cudaErrorInvalidValue);
    queue::Stream& made =
        queue::make_stream(current_device(), flags, std::clamp(priority, greatest_priority, 0), where);
    *stream = static_cast<cudaStream_t>(streams().add(&made));
    return cudaSuccess;
}

// The last operation that waiting for this stream waits for; all of them are done: nullptr. The default stream
// waits for the blocking ones.
OperationPtr unfinished(const queue::Stream& stream) {
    const auto open = [](const queue::Stream& s) {
        return s.last != nullptr && !s.last->done ? s.last : nullptr;
    };
    if (const OperationPtr own = open(stream)) return own;
    if (!stream.is_legacy) return nullptr;
    OperationPtr found;
    queue::for_each_stream([&](const queue::Stream& other) {
        if (found == nullptr && other.is_blocking && other.device == stream.device) found = open(other);
    });
    return found;
}

void learn(const queue::Stream& stream) {
    queue::for_each_stream([&](const queue::Stream& other) {
        const bool waited =
            &other == &stream || (stream.is_legacy && other.is_blocking && other.device == stream.device);
        if (waited && other.last != nullptr) queue::host_learns(*other.last);
    });
}

// A host function runs in another thread on hardware: errors of its calls are no business of this one.
template <class Function>
void in_a_thread_of_its_own(Function function) {
    const int before = take_last_error();
    function();
    set_last_error(before);
}

void finish(const queue::Stream& stream) {
    while (const OperationPtr operation = unfinished(stream)) queue::run_until(operation);
    learn(stream);
    trim_pools();
}

}  // namespace

queue::Stream* find_stream(cudaStream_t stream) {
    if (stream == nullptr && !default_is_per_thread) return &queue::legacy_stream(current_device());
    if (stream == cudaStreamLegacy) return &queue::legacy_stream(current_device());
    if (stream == nullptr || stream == cudaStreamPerThread) return &queue::thread_stream(current_device());
    queue::Stream** found = streams().find(stream);
    return found == nullptr ? nullptr : *found;
}

cudaError_t unknown_stream(const std::string& call, Where where) {
    return unknown("a stream", call, where);
}

namespace {
thread_local Recorder* recorder = nullptr;
}

Recorder::Recorder() : outer_(std::exchange(recorder, this)) {}
Recorder::~Recorder() {
    recorder = outer_;
}
Recorder* Recorder::current() {
    return recorder;
}
bool may_be_recorded() {
    return recorder != nullptr || capture::any;
}
bool is_recorded(cudaStream_t stream) {
    if (recorder != nullptr || !capture::any) return recorder != nullptr;
    const queue::Stream* found = find_stream(stream);
    return found != nullptr && capture::is_capturing(*found);
}

void note_refused_launch(cudaStream_t stream) {
    if (recorder != nullptr || !capture::any) return;
    if (const queue::Stream* found = find_stream(stream)) capture::lose(*found);
}

Event* find_event(cudaEvent_t event) {
    return events().find(event);
}
cudaError_t unknown_event(const std::string& call, Where where) {
    return unknown("an event", call, where);
}
OperationPtr recorded_by(cudaEvent_t event) {
    const Event* found = events().find(event);
    return found == nullptr ? nullptr : found->recorded;
}
void note_recorded(cudaEvent_t event, const OperationPtr& operation) {
    if (Event* found = events().find(event)) {
        found->recorded = operation;
        found->captured = nullptr;
    }
}

cudaError_t in_stream(cudaStream_t stream, queue::NewOperation operation, bool waits) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (recorder != nullptr) {
        recorder->recorded = std::move(operation);
        return cudaSuccess;
    }
    queue::Stream* found = find_stream(stream);
    const bool is_launch = operation.kind == Kind::kernel;
    if (found == nullptr)
        return unknown_stream(is_launch ? fmt::format("the launch of {}", operation.name) : operation.name,
                              operation.where);
    if (capture::any)
        if (const auto captured = capture::take(*found, operation)) return *captured;
    const OperationPtr queued = queue::enqueue(*found, std::move(operation));
    if (!waits) return cudaSuccess;
    queue::run_until(queued);
    queue::host_learns(*queued);
    return enter(Call::wait);
}

cudaError_t wait_for_device(Where where, const char* call) {
    const ApiLock lock;
    if (capture::any)
        if (const auto refused = capture::refuse_device_wait(where)) return *refused;
    // A host function must not wait for itself: enter says so.
    if (queue::host_function == nullptr) {
        const simt::timeline::Waiting waiting(call, where);
        queue::run_all(current_device());
        queue::host_learns_all(current_device());
        trim_pools();
    }
    return enter(Call::wait);
}

void finish_everything() {
    const ApiLock lock;
    queue::run_all();
    queue::host_learns_all();
}

void forget_device(int device, Where where) {
    streams().remove_if([&](queue::Stream* stream) {
        if (stream->device == device) queue::retire_stream(*stream);
        return stream->device == device;
    });
    events().remove_if([&](const Event& event) { return event.device == device; });
    for (const Allocation& a : allocation_table()) {
        const bool is_variable = a.space == BufferSpace::symbol || a.space == BufferSpace::constant;
        if (a.live && a.device == device && !is_variable) memory::release(a.base, where);
    }
}

}  // namespace simt::runtime

using simt::ApiLock;
using simt::Where;
using simt::timeline::HostCost;
using namespace simt::runtime;
namespace queue = simt::queue;
namespace capture = simt::capture;

cudaError_t cudaStreamCreate(cudaStream_t* stream, Where where) {
    return make_stream(stream, cudaStreamDefault, 0, where);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags, Where where) {
    return make_stream(stream, flags, 0, where);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority, Where where) {
    return make_stream(stream, flags, priority, where);
}

namespace simt::cuda {
bool use_per_thread_default_stream() {
    default_is_per_thread = true;
    return true;
}
bool note_late_default_stream(Where where) {
    if (default_is_per_thread) return true;
    report_finding({.kind = "api-misuse",
                    .advice = true,
                    .message = fmt::format(
                        "line {} defines CUDA_API_PER_THREAD_DEFAULT_STREAM, which has no effect there: nvcc "
                        "includes cuda_runtime.h before the first line of a .cu file",
                        where.line),
                    .fix = "Compile with --default-stream per-thread (nvcc and `cudalab run` both have it), "
                           "or leave the macro out.",
                    .where = where});
    return true;
}
// What is queued still runs.
cudaError_t destroy_stream(cudaStream_t stream, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    queue::Stream** found = streams().find(stream);
    if (found == nullptr) return unknown("a stream", "cudaStreamDestroy", where);
    if (capture::any) capture::note_destroyed(**found);
    queue::retire_stream(**found);
    streams().remove(stream);
    return cudaSuccess;
}
cudaError_t destroy_event(cudaEvent_t event, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    if (events().find(event) == nullptr) return unknown("an event", "cudaEventDestroy", where);
    events().remove(event);
    return cudaSuccess;
}
}  // namespace simt::cuda

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return simt::cuda::destroy_stream(stream, {});
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return simt::cuda::destroy_event(event, {});
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream, Where where) {
    const ApiLock lock;
    const queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaStreamSynchronize", where);
    if (capture::any)
        if (const auto refused = capture::refuse_stream(*found, "cudaStreamSynchronize", where))
            return *refused;
    const simt::timeline::Waiting waiting("cudaStreamSynchronize", where);
    if (queue::host_function == nullptr) finish(*found);
    return enter(Call::wait);
}
// Who asks again and again gets there: each answer "not ready" lets one operation run.
cudaError_t cudaStreamQuery(cudaStream_t stream, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::wait); error != cudaSuccess) return error;
    const queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaStreamQuery", where);
    if (capture::any)
        if (const auto refused = capture::refuse_stream(*found, "cudaStreamQuery", where)) return *refused;
    if (const auto operation = unfinished(*found)) {
        queue::run_one_step(operation);
        return cudaErrorNotReady;
    }
    const simt::timeline::Waiting waiting("cudaStreamQuery", where);
    learn(*found);
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    Event* e = events().find(event);
    if (e == nullptr) return unknown("an event", "cudaStreamWaitEvent", where);
    if (flags > cudaEventWaitExternal) return fail(cudaErrorInvalidValue);
    queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaStreamWaitEvent", where);
    if (capture::any || e->captured != nullptr)
        if (const auto captured = capture::wait(*found, *e, event, flags == cudaEventWaitExternal, where))
            return *captured;
    // An event that was never recorded counts as done (as on an H200): a wait for nothing. The default stream does not
    // get even that, for there it would wait for the others.
    if (e->recorded == nullptr && found->is_legacy) return cudaSuccess;
    std::vector<OperationPtr> after;
    if (e->recorded != nullptr) after.push_back(e->recorded);
    queue::enqueue(*found, {.kind = queue::Kind::wait,
                            .where = where,
                            .name = "cudaStreamWaitEvent",
                            .after = std::move(after)});
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags, Where where) {
    const ApiLock lock;
    if (flags == nullptr) return fail(cudaErrorInvalidValue);
    const queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaStreamGetFlags", where);
    *flags = found->flags;
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority, Where where) {
    const ApiLock lock;
    if (priority == nullptr) return fail(cudaErrorInvalidValue);
    const queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaStreamGetPriority", where);
    *priority = found->priority;
    return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id, Where where) {
    const ApiLock lock;
    if (id == nullptr) return fail(cudaErrorInvalidValue);
    const queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaStreamGetId", where);
    *id = found->index;
    return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device, Where where) {
    const ApiLock lock;
    if (device == nullptr) return fail(cudaErrorInvalidValue);
    const queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaStreamGetDevice", where);
    *device = found->device;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest, Where) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority;
    return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags, Where where) {
    if (callback == nullptr || flags != 0) return fail(cudaErrorInvalidValue);
    return in_stream(stream,
                     {.kind = queue::Kind::host_function,
                      .where = where,
                      .name = "cudaStreamAddCallback",
                      .run = [=] { in_a_thread_of_its_own([=] { callback(stream, cudaSuccess, data); }); }},
                     false);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data, Where where) {
    if (function == nullptr) return fail(cudaErrorInvalidValue);
    return in_stream(stream,
                     {.kind = queue::Kind::host_function,
                      .where = where,
                      .name = "cudaLaunchHostFunc",
                      .run = [=] { in_a_thread_of_its_own([=] { function(data); }); },
                      .parameters = cudaHostNodeParams{function, data}},
                     false);
}

// A wait for an event, or a question to it, that a capture forbids.
static std::optional<cudaError_t> refuse_captured(const Event& event, const char* call, Where where) {
    if (const auto refused = simt::capture::refuse_event(event, call, true, where)) return refused;
    return simt::capture::any ? simt::capture::refuse_unsafe(call, where) : std::nullopt;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags, Where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (event == nullptr || (flags & ~7u) != 0) return fail(cudaErrorInvalidValue);
    *event = static_cast<cudaEvent_t>(
        events().add({.timed = (flags & cudaEventDisableTiming) == 0, .device = current_device()}));
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event, Where where) {
    return cudaEventCreateWithFlags(event, cudaEventDefault, where);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream, Where where) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault, where);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags, Where where) {
    if (flags > cudaEventRecordExternal) return fail(cudaErrorInvalidValue);
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    Event* e = events().find(event);
    if (e == nullptr) return unknown("an event", "cudaEventRecord", where);
    queue::Stream* found = find_stream(stream);
    if (found == nullptr) return unknown_stream("cudaEventRecord", where);
    if (e->device != found->device)
        return wrong_device(
            fmt::format(
                "cudaEventRecord at line {} records an event of device {} in {}, which belongs to device {}",
                where.line, e->device, found->name, found->device),
            "Create the event after cudaSetDevice of the stream's device. Another device's stream may then "
            "wait for it with "
            "cudaStreamWaitEvent.",
            where);
    if (capture::any || e->captured != nullptr)
        if (const auto captured = capture::record(*found, *e, event, flags == cudaEventRecordExternal, where))
            return *captured;
    e->recorded =
        queue::enqueue(*found, {.kind = queue::Kind::record, .where = where, .name = "cudaEventRecord"});
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event, Where where) {
    const ApiLock lock;
    const Event* e = events().find(event);
    if (e == nullptr) return unknown("an event", "cudaEventSynchronize", where);
    if (const auto refused = refuse_captured(*e, "cudaEventSynchronize", where)) return *refused;
    if (e->recorded == nullptr) simt::timeline::host_worked("cudaEventSynchronize", HostCost::look, where);
    if (const auto recorded = e->recorded; recorded != nullptr && queue::host_function == nullptr) {
        const simt::timeline::Waiting waiting("cudaEventSynchronize", where);
        queue::run_until(recorded);
        queue::host_learns(*recorded);
    }
    return enter(Call::wait);
}
cudaError_t cudaEventQuery(cudaEvent_t event, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::wait); error != cudaSuccess) return error;
    const Event* e = events().find(event);
    if (e == nullptr) return unknown("an event", "cudaEventQuery", where);
    if (const auto refused = refuse_captured(*e, "cudaEventQuery", where)) return *refused;
    const auto recorded = e->recorded;
    if (recorded == nullptr) return cudaSuccess;
    if (!recorded->done) {
        simt::timeline::host_worked("cudaEventQuery", HostCost::look, where);
        queue::run_one_step(recorded);
        return cudaErrorNotReady;
    }
    const simt::timeline::Waiting waiting("cudaEventQuery", where);
    queue::host_learns(*recorded);
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::wait); error != cudaSuccess) return error;
    if (milliseconds == nullptr) return fail(cudaErrorInvalidValue);
    const Event *a = events().find(start), *b = events().find(stop);
    if (a == nullptr || b == nullptr) return unknown("an event", "cudaEventElapsedTime", where);
    for (const Event* e : {a, b})
        if (const auto refused = capture::refuse_event(*e, "cudaEventElapsedTime", false, where))
            return *refused;
    if (a->device != b->device)
        return wrong_device(
            fmt::format("cudaEventElapsedTime at line {} compares events of device {} and device {}, "
                        "whose clocks differ",
                        where.line, a->device, b->device),
            "Measure each device between two events of its own, or use the host's clock.", where);
    if (!a->timed || !b->timed || a->recorded == nullptr || b->recorded == nullptr)
        return fail(
            cudaErrorInvalidResourceHandle,
            {.kind = "api-misuse",
             .message = fmt::format("cudaEventElapsedTime at line {} got an event that was {}", where.line,
                                    !a->timed || !b->timed ? "created without timing" : "never recorded"),
             .fix = "Record both events with cudaEventRecord, the first before the work and the second after "
                    "it.",
             .where = where});
    if (!a->recorded->done || !b->recorded->done) {
        simt::report_finding(
            {.kind = "api-misuse",
             .advice = true,
             .message = fmt::format("cudaEventElapsedTime at line {} was called before the work up to the "
                                    "event recorded at line {} was done: it returns cudaErrorNotReady",
                                    where.line, (b->recorded->done ? a : b)->recorded->where.line),
             .fix = "Wait first: cudaEventSynchronize on the second event.",
             .where = where});
        return cudaErrorNotReady;
    }
    // From the end of what came before the one to that of what came before the other: on the simulated device's
    // timeline, or where nothing is checked in the CPU machine's own time.
    if (queue::is_lazy()) {
        *milliseconds = static_cast<float>(simt::timeline::ns_between(*a->recorded, *b->recorded) * 1e-6);
        return cudaSuccess;
    }
    *milliseconds =
        std::chrono::duration<float, std::milli>(b->recorded->finished - a->recorded->finished).count();
    return cudaSuccess;
}
