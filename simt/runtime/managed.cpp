// Managed memory: prefetches, advice, and questions about it.
#include <fmt/format.h>

#include <cstring>

#include "simt/checker/pages.h"
#include "simt/host/timeline.h"
#include "simt/runtime/work.h"

namespace simt::runtime {
namespace {

struct Range {
    const char* call;
    const void* pointer;
    size_t bytes;
    Where where;
};

cudaError_t check_managed(const Range& r) {
    const Allocation* a = memory::find(r.pointer);
    const auto refuse = [&](const std::string& what, const std::string& fix) {
        return fail(cudaErrorInvalidValue,
                    {.kind = "api-misuse",
                     .message = fmt::format("{} at line {} {}", r.call, r.where.line, what),
                     .fix = fix,
                     .where = r.where});
    };
    if (a == nullptr || !a->live || a->space != BufferSpace::managed)
        return refuse(a != nullptr && a->live ? fmt::format("got {}, which is no managed memory", a->name)
                                              : "got memory that is not managed",
                      "Pass a pointer that cudaMallocManaged set, or the address of a __managed__ variable.");
    const size_t left = a->bytes - static_cast<size_t>(static_cast<const char*>(r.pointer) - a->base);
    if (r.bytes == 0) return refuse("got a range of 0 bytes", "Say how many bytes: count * sizeof(element).");
    if (r.bytes > left)
        return refuse(fmt::format("got a range of {} bytes, but {} has {} there", r.bytes, a->name, left),
                      "The count is in bytes: count * sizeof(element).");
    return cudaSuccess;
}

// A location as pages.h counts it; `nowhere`: there is no such.
int place_of(cudaMemLocation location) {
    switch (location.type) {
        case cudaMemLocationTypeDevice:
            return location.id >= 0 && location.id < devices::count() ? location.id : pages::nowhere;
        case cudaMemLocationTypeHost:
        case cudaMemLocationTypeHostNumaCurrent:
            return pages::host;
        case cudaMemLocationTypeHostNuma:
            return location.id == 0 ? pages::host : pages::nowhere;
        default:
            return pages::nowhere;
    }
}

cudaMemLocation location_of(int device) {
    if (device == cudaCpuDeviceId) return {cudaMemLocationTypeHost, 0};
    return {cudaMemLocationTypeDevice, device};
}

cudaError_t no_such_place(const Range& r, cudaMemLocation location,
                          cudaError_t code = cudaErrorInvalidDevice) {
    return fail(code,
                {.kind = "api-misuse",
                 .message = fmt::format("{} at line {} names a place that there is not: type {}, number {}",
                                        r.call, r.where.line, static_cast<int>(location.type), location.id),
                 .fix = "A place is a device, {cudaMemLocationTypeDevice, 0}, or the host, "
                        "{cudaMemLocationTypeHost, 0}; before CUDA 13 a device's number or cudaCpuDeviceId.",
                 .where = r.where});
}

cudaError_t prefetch(const Range& r, cudaMemLocation location, cudaStream_t stream) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (const cudaError_t error = check_managed(r); error != cudaSuccess) return error;
    const int to = place_of(location);
    if (to == pages::nowhere) return no_such_place(r, location);
    const bool to_host = to == pages::host;
    pages::note_prefetch(r.pointer, r.bytes, to);
    const auto run = [r, to] {
        const size_t moved = pages::prefetch(r.pointer, r.bytes, to, r.where);
        if (const auto operation = queue::running()) timeline::moved(*operation, moved);
    };
    return in_stream(stream,
                     {.kind = to_host ? queue::Kind::prefetch_to_host : queue::Kind::prefetch,
                      .where = r.where,
                      .name = r.call,
                      .to_device = to_host ? -1 : to,
                      .run = run},
                     false);
}

cudaError_t advise(const Range& r, cudaMemoryAdvise advice, cudaMemLocation location) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (const cudaError_t error = check_managed(r); error != cudaSuccess) return error;
    const bool has_place = advice == cudaMemAdviseSetPreferredLocation ||
                           advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy;
    const int place = has_place ? place_of(location) : pages::host;
    if (place == pages::nowhere) return no_such_place(r, location, cudaErrorInvalidValue);
    using pages::Advice;
    switch (advice) {
        case cudaMemAdviseSetReadMostly:
        case cudaMemAdviseUnsetReadMostly:
            pages::advise(r.pointer, r.bytes, Advice::read_mostly, advice == cudaMemAdviseSetReadMostly,
                          place, r.where);
            return cudaSuccess;
        case cudaMemAdviseSetPreferredLocation:
        case cudaMemAdviseUnsetPreferredLocation:
            pages::advise(r.pointer, r.bytes, Advice::prefers, advice == cudaMemAdviseSetPreferredLocation,
                          place, r.where);
            return cudaSuccess;
        case cudaMemAdviseSetAccessedBy:
        case cudaMemAdviseUnsetAccessedBy:
            pages::advise(r.pointer, r.bytes, Advice::accessed_by, advice == cudaMemAdviseSetAccessedBy,
                          place, r.where);
            return cudaSuccess;
    }
    return fail(
        cudaErrorInvalidValue,
        {.kind = "api-misuse",
         .message = fmt::format("{} at line {} gives an advice that there is not: {}", r.call, r.where.line,
                                static_cast<int>(advice)),
         .fix =
             "It is one of cudaMemAdviseSetReadMostly, ...SetPreferredLocation, ...SetAccessedBy and their "
             "...Unset forms.",
         .where = r.where});
}

// cudaMemLocation's two numbers of a place; `nowhere`: the type "invalid".
int type_of(int place) {
    return place == pages::nowhere ? cudaMemLocationTypeInvalid
           : place == pages::host  ? cudaMemLocationTypeHost
                                   : cudaMemLocationTypeDevice;
}

cudaError_t answer(const pages::RangeState& state, cudaMemRangeAttribute attribute, int* to, size_t count) {
    if (to == nullptr || count == 0) return fail(cudaErrorInvalidValue);
    switch (attribute) {
        case cudaMemRangeAttributeReadMostly:
            *to = state.read_mostly;
            return cudaSuccess;
        case cudaMemRangeAttributePreferredLocation:
            *to = state.prefers;  // counted as cudaCpuDeviceId and cudaInvalidDeviceId
            return cudaSuccess;
        case cudaMemRangeAttributeAccessedBy: {
            std::fill_n(to, count, cudaInvalidDeviceId);
            size_t next = 0;
            for (int d = 0; d < devices::count() && next < count; ++d)
                if (devices::has(state.accessed_by_devices, d)) to[next++] = d;
            if (state.accessed_by_host && next < count) to[next] = cudaCpuDeviceId;
            return cudaSuccess;
        }
        case cudaMemRangeAttributeLastPrefetchLocation:
            *to = state.last_prefetch;
            return cudaSuccess;
        case cudaMemRangeAttributePreferredLocationType:
            *to = type_of(state.prefers);
            return cudaSuccess;
        case cudaMemRangeAttributePreferredLocationId:
            *to = state.prefers;
            return cudaSuccess;
        case cudaMemRangeAttributeLastPrefetchLocationType:
            *to = type_of(state.last_prefetch);
            return cudaSuccess;
        case cudaMemRangeAttributeLastPrefetchLocationId:
            *to = state.last_prefetch;
            return cudaSuccess;
    }
    return fail(cudaErrorInvalidValue);
}

}  // namespace
}  // namespace simt::runtime

using simt::ApiLock;
using simt::Where;
using namespace simt::runtime;

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream, Where where) {
    if (flags != 0) return fail(cudaErrorInvalidValue);
    return prefetch({"cudaMemPrefetchAsync", pointer, bytes, where}, location, stream);
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream,
                                 Where where) {
    return prefetch({"cudaMemPrefetchAsync", pointer, bytes, where}, location_of(device), stream);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location, Where where) {
    return advise({"cudaMemAdvise", pointer, bytes, where}, advice, location);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device,
                          Where where) {
    return advise({"cudaMemAdvise", pointer, bytes, where}, advice, location_of(device));
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (const cudaError_t error = check_managed({"cudaMemRangeGetAttribute", pointer, bytes, where});
        error != cudaSuccess)
        return error;
    if (data_bytes % sizeof(int) != 0) return fail(cudaErrorInvalidValue);
    return answer(simt::pages::state_of(pointer, bytes), attribute, static_cast<int*>(data),
                  data_bytes / sizeof(int));
}
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes, cudaMemRangeAttribute* attributes,
                                      size_t count, const void* pointer, size_t bytes, Where where) {
    if (data == nullptr || data_bytes == nullptr || attributes == nullptr || count == 0)
        return fail(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; ++i)
        if (const cudaError_t error =
                cudaMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], pointer, bytes, where);
            error != cudaSuccess)
            return error;
    return cudaSuccess;
}

// All pages may be touched by the host while kernels run (concurrentManagedAccess), so attaching changes nothing but the
// order of what is queued.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes, unsigned flags,
                                     Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    const simt::Allocation* a = simt::memory::find(pointer);
    if (bytes == 0 && a != nullptr) bytes = a->bytes;
    if (const cudaError_t error = check_managed({"cudaStreamAttachMemAsync", pointer, bytes, where});
        error != cudaSuccess)
        return error;
    const bool is_whole = a != nullptr && pointer == a->base && bytes == a->bytes;
    const bool is_default = stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
    if (!is_whole || (flags == cudaMemAttachSingle && is_default) ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle))
        return fail(
            cudaErrorInvalidValue,
            {.kind = "api-misuse",
             .message = fmt::format("cudaStreamAttachMemAsync at line {} {}", where.line,
                                    !is_whole    ? "attaches a part of an allocation"
                                    : is_default ? "attaches memory to the default stream alone"
                                                 : "has flags that there are not"),
             .fix = "Attach whole allocations (length 0): cudaMemAttachSingle to a stream that you created, "
                    "cudaMemAttachGlobal or cudaMemAttachHost to any.",
             .where = where});
    return in_stream(stream,
                     {.kind = simt::queue::Kind::record, .where = where, .name = "cudaStreamAttachMemAsync"},
                     false);
}
