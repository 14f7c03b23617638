// Streams and events. Work happens at once (work.h), so that an event is complete when it is recorded.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "simt/runtime/work.h"

#undef cudaStreamDestroy
#undef cudaEventDestroy

namespace simt::runtime {
namespace {

using Clock = std::chrono::steady_clock;

struct Stream {
    unsigned flags = cudaStreamDefault;
    int priority = 0;
    unsigned long long id = 0;
};

struct Event {
    bool timed = true;
    bool recorded = false;
    Clock::time_point when{};
};

constexpr int greatest_priority = -5;  // of an H200; 0 is the least

// Handles are numbers, so that a stale one is noticed and never dereferenced.
template <class T>
class Table {
  public:
    void* add(T item) {
        const std::lock_guard lock(mutex_);
        const uintptr_t handle = next_ += 16;
        items_.emplace(handle, std::move(item));
        return reinterpret_cast<void*>(handle);
    }
    // nullptr: no such handle. Valid until it is removed.
    T* find(const void* handle) {
        const std::lock_guard lock(mutex_);
        const auto it = items_.find(reinterpret_cast<uintptr_t>(handle));
        return it == items_.end() ? nullptr : &it->second;
    }
    bool remove(const void* handle) {
        const std::lock_guard lock(mutex_);
        return items_.erase(reinterpret_cast<uintptr_t>(handle)) != 0;
    }

  private:
    std::mutex mutex_;
    std::unordered_map<uintptr_t, T> items_;
    uintptr_t next_ = 0x1000;
};

Table<Stream>& streams() {
    static auto& table = *new Table<Stream>;
    return table;
}
Table<Event>& events() {
    static auto& table = *new Table<Event>;
    return table;
}

cudaError_t unknown(const char* what, const char* call, Where where) {
    return fail(cudaErrorInvalidResourceHandle,
                {.kind = "api-misuse",
                 .message = fmt::format("{} at line {} got {} that does not exist", call, where.line, what),
                 .fix = "Create it first, and do not use it after it was destroyed.",
                 .where = where});
}

cudaError_t make_stream(cudaStream_t* stream, unsigned flags, int priority) {
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (stream == nullptr || (flags & ~static_cast<unsigned>(cudaStreamNonBlocking)) != 0)
        return fail(cudaErrorInvalidValue);
    static unsigned long long created = 0;
    *stream = static_cast<cudaStream_t>(
        streams().add({flags, std::clamp(priority, greatest_priority, 0), ++created}));
    return cudaSuccess;
}

cudaError_t known(cudaStream_t stream, const char* call, Where where) {
    return is_stream(stream) ? cudaSuccess : unknown("a stream", call, where);
}

}  // namespace

bool is_stream(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           streams().find(stream) != nullptr;
}

}  // namespace simt::runtime

using simt::Where;
using namespace simt::runtime;

cudaError_t cudaStreamCreate(cudaStream_t* stream, Where) {
    return make_stream(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags, Where) {
    return make_stream(stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority, Where) {
    return make_stream(stream, flags, priority);
}

namespace simt::cuda {
cudaError_t destroy_stream(cudaStream_t stream, Where where) {
    wait_for_stream(stream, where);
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    return streams().remove(stream) ? cudaSuccess : unknown("a stream", "cudaStreamDestroy", where);
}
cudaError_t destroy_event(cudaEvent_t event, Where where) {
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    return events().remove(event) ? cudaSuccess : unknown("an event", "cudaEventDestroy", where);
}
}  // namespace simt::cuda

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return simt::cuda::destroy_stream(stream, {});
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return simt::cuda::destroy_event(event, {});
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream, Where where) {
    if (const cudaError_t error = wait_for_stream(stream, where); error != cudaSuccess) return error;
    return known(stream, "cudaStreamSynchronize", where);
}
cudaError_t cudaStreamQuery(cudaStream_t stream, Where where) {
    if (const cudaError_t error = wait_for_stream(stream, where); error != cudaSuccess) return error;
    return known(stream, "cudaStreamQuery", where);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned, Where where) {
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (events().find(event) == nullptr) return unknown("an event", "cudaStreamWaitEvent", where);
    return known(stream, "cudaStreamWaitEvent", where);
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags, Where where) {
    if (flags == nullptr) return fail(cudaErrorInvalidValue);
    if (const cudaError_t error = known(stream, "cudaStreamGetFlags", where); error != cudaSuccess)
        return error;
    const Stream* s = streams().find(stream);
    *flags = s != nullptr ? s->flags : cudaStreamDefault;
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority, Where where) {
    if (priority == nullptr) return fail(cudaErrorInvalidValue);
    if (const cudaError_t error = known(stream, "cudaStreamGetPriority", where); error != cudaSuccess)
        return error;
    const Stream* s = streams().find(stream);
    *priority = s != nullptr ? s->priority : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id, Where where) {
    if (id == nullptr) return fail(cudaErrorInvalidValue);
    if (const cudaError_t error = known(stream, "cudaStreamGetId", where); error != cudaSuccess) return error;
    const Stream* s = streams().find(stream);
    *id = s != nullptr ? s->id : 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest, Where) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority;
    return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned,
                                  Where where) {
    if (callback == nullptr) return fail(cudaErrorInvalidValue);
    if (const cudaError_t error = known(stream, "cudaStreamAddCallback", where); error != cudaSuccess)
        return error;
    return in_stream(stream, where, [&] {
        callback(stream, cudaSuccess, data);
        return cudaSuccess;
    });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data, Where where) {
    if (function == nullptr) return fail(cudaErrorInvalidValue);
    if (const cudaError_t error = known(stream, "cudaLaunchHostFunc", where); error != cudaSuccess)
        return error;
    return in_stream(stream, where, [&] {
        function(data);
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags, Where) {
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (event == nullptr || (flags & ~7u) != 0) return fail(cudaErrorInvalidValue);
    *event = static_cast<cudaEvent_t>(events().add({.timed = (flags & cudaEventDisableTiming) == 0}));
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event, Where where) {
    return cudaEventCreateWithFlags(event, cudaEventDefault, where);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned, Where where) {
    return cudaEventRecord(event, stream, where);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream, Where where) {
    Event* e = events().find(event);
    if (e == nullptr) return unknown("an event", "cudaEventRecord", where);
    if (const cudaError_t error = known(stream, "cudaEventRecord", where); error != cudaSuccess) return error;
    return in_stream(stream, where, [&] {
        e->recorded = true;
        e->when = Clock::now();
        return cudaSuccess;
    });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event, Where where) {
    if (const cudaError_t error = wait_for_stream(nullptr, where); error != cudaSuccess) return error;
    return events().find(event) != nullptr ? cudaSuccess : unknown("an event", "cudaEventSynchronize", where);
}
cudaError_t cudaEventQuery(cudaEvent_t event, Where where) {
    if (const cudaError_t error = wait_for_stream(nullptr, where); error != cudaSuccess) return error;
    return events().find(event) != nullptr ? cudaSuccess : unknown("an event", "cudaEventQuery", where);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop, Where where) {
    if (const cudaError_t error = enter(Call::wait); error != cudaSuccess) return error;
    if (milliseconds == nullptr) return fail(cudaErrorInvalidValue);
    const Event *a = events().find(start), *b = events().find(stop);
    if (a == nullptr || b == nullptr) return unknown("an event", "cudaEventElapsedTime", where);
    if (!a->timed || !b->timed || !a->recorded || !b->recorded)
        return fail(
            cudaErrorInvalidResourceHandle,
            {.kind = "api-misuse",
             .message = fmt::format("cudaEventElapsedTime at line {} got an event that was {}", where.line,
                                    !a->timed || !b->timed ? "created without timing" : "never recorded"),
             .fix = "Record both events with cudaEventRecord, the first before the work and the second after "
                    "it.",
             .where = where});
    *milliseconds = std::chrono::duration<float, std::milli>(b->when - a->when).count();
    return cudaSuccess;
}
