// cudaMemcpy, cudaMemset and their kin.
//
// CUDA's codes, as seen on an H200: the side that must be on the device (the destination of HostToDevice, the
// source of DeviceToHost, both of DeviceToDevice) must not be ordinary host memory; a device pointer where a
// host pointer is meant goes through. Here that is at least advice.
#include "simt/runtime/copy.h"

#include <fmt/format.h>

#include <cstring>
#include <mutex>
#include <set>

namespace simt::runtime {
namespace {

std::mutex pointers_mutex;
std::set<const void*>& symbols_with_pointers() {
    static auto& bases = *new std::set<const void*>;
    return bases;
}

bool has_pointer(const Allocation& symbol) {
    const std::lock_guard lock(pointers_mutex);
    return symbols_with_pointers().count(symbol.base) != 0;
}

bool host_can_touch(const Allocation* a) {
    return a == nullptr || a->space == BufferSpace::managed || a->space == BufferSpace::pinned;
}

const char* kind_name(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            return "cudaMemcpyHostToHost";
        case cudaMemcpyHostToDevice:
            return "cudaMemcpyHostToDevice";
        case cudaMemcpyDeviceToHost:
            return "cudaMemcpyDeviceToHost";
        case cudaMemcpyDeviceToDevice:
            return "cudaMemcpyDeviceToDevice";
        default:
            return "cudaMemcpyDefault";
    }
}

std::string count_of(size_t bytes, size_t element_bytes) {
    if (element_bytes <= 1 || bytes % element_bytes != 0) return fmt::format("{} bytes", bytes);
    const size_t n = bytes / element_bytes;
    return fmt::format("{} element{}", n, n == 1 ? "" : "s");
}

std::string use_kind(bool to_device, bool from_device) {
    return fmt::format("The call copies from the {} to the {}: write {}.", from_device ? "device" : "host",
                       to_device ? "device" : "host",
                       kind_name(to_device ? (from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                                           : (from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost)));
}

// `side`: "destination" or "source".
cudaError_t null_pointer(const Place& at, const char* side) {
    return fail(
        cudaErrorInvalidValue,
        {.kind = "api-misuse",
         .message = fmt::format("{} at line {} got a null pointer as its {}", at.call, at.where.line, side),
         .fix = "Allocate the memory first, and check that the allocation succeeded.",
         .where = at.where});
}

cudaError_t freed(const Place& at, const Allocation& a) {
    return fail(cudaErrorInvalidValue, {.kind = "use-after-free",
                                        .message = fmt::format("{} at line {} uses {}, which line {} freed",
                                                               at.call, at.where.line, a.name, a.freed.line),
                                        .fix = "Free a buffer only after its last use.",
                                        .where = at.where,
                                        .buffer = a.name,
                                        .has_other = true,
                                        .other_action = "freed",
                                        .other = a.freed});
}

cudaError_t outside_everything(const Place& at, const char* side) {
    return fail(cudaErrorInvalidValue,
                {.kind = "oob-global",
                 .message = fmt::format("the {} of {} at line {} is a device address in no buffer", side,
                                        at.call, at.where.line),
                 .fix = "Check the pointer arithmetic: a pointer counts elements, not bytes.",
                 .where = at.where});
}

cudaError_t too_long(const Place& at, const Allocation& a, size_t offset, size_t bytes, bool writes) {
    const size_t room = a.bytes - offset;
    std::string holds = offset == 0 ? fmt::format("holds {}", count_of(a.bytes, a.element_bytes))
                                    : fmt::format("has {} left there", count_of(room, a.element_bytes));
    const int64_t first = static_cast<int64_t>(a.bytes / a.element_bytes);
    const int64_t last = static_cast<int64_t>((offset + bytes - 1) / a.element_bytes);
    std::string fix = "Copy no more than the smaller side holds.";
    if (!writes) fix = "Ask for no more than the buffer holds.";
    if (at.sets) fix = "Set no more bytes than the buffer holds; the count is in bytes.";
    // The classic slip at the allocation: cudaMalloc(&d, n) for n floats.
    if (a.element_bytes > 1 && offset == 0 && bytes == a.bytes * a.element_bytes)
        fix = fmt::format(
            "Line {} allocates {} bytes where {} elements of {} bytes are meant: multiply the count by "
            "sizeof.",
            a.allocated.line, a.bytes, a.bytes, a.element_bytes);
    return fail(cudaErrorInvalidValue,
                {.kind = "oob-global",
                 .message = fmt::format("{} at line {} {} {} {} {}, which {}", at.call, at.where.line,
                                        at.sets ? "sets" : "copies", count_of(bytes, a.element_bytes),
                                        at.sets  ? "of"
                                        : writes ? "to"
                                                 : "from",
                                        a.name, holds),
                 .fix = fix,
                 .where = at.where,
                 .buffer = a.name,
                 .element = first,
                 .last_element = last,
                 .has_other = a.allocated.line != 0,
                 .other_action = "allocated",
                 .other = a.allocated});
}

// A __device__ variable itself instead of its address on the device.
cudaError_t bare_symbol(const Place& at, const Allocation& a, bool writes) {
    return fail(
        cudaErrorInvalidValue,
        {.kind = "api-misuse",
         .message = fmt::format(
             "{} at line {} is given the {} variable {} as if it were a pointer to device memory", at.call,
             at.where.line, a.space == BufferSpace::constant ? "__constant__" : "__device__", a.name),
         .fix = fmt::format("Use {}.", writes ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol"),
         .where = at.where,
         .buffer = a.name});
}

cudaError_t host_instead_of_device(const Place& at, const char* side, bool swapped, const std::string& fix) {
    return fail(cudaErrorInvalidValue,
                {.kind = swapped ? "api-misuse" : "host-pointer",
                 .message = fmt::format("the {} of {} at line {} is host memory, but {} says device", side,
                                        at.call, at.where.line, at.kind),
                 .fix = fix,
                 .where = at.where});
}

// Reports half-written results once, as advice: padding is often left alone on purpose.
void advise_unwritten(const Place& at, const Allocation& a, const char* from, size_t bytes) {
    const auto gaps = memory::uninitialised(from, bytes);
    if (gaps.empty()) return;
    const size_t offset = static_cast<size_t>(from - a.base);
    const auto first = static_cast<int64_t>((offset + gaps.front().first) / a.element_bytes);
    const auto last = static_cast<int64_t>((offset + gaps.back().last) / a.element_bytes);
    report_finding({.kind = "never-written",
                    .advice = true,
                    .message = fmt::format(
                        "{} at line {} copies {}[{}..{}] to the host, of which {} never written", at.call,
                        at.where.line, a.name, first, last, gaps.size() == 1 ? "all were" : "some were"),
                    .fix = "Write the elements in a kernel or set them with cudaMemset before the copy.",
                    .where = at.where,
                    .buffer = a.name,
                    .element = first,
                    .last_element = last});
}

// The other classic slip: a count of elements where bytes are meant.
void advise_short_count(const Place& at, const Allocation* a, const void* pointer, size_t bytes) {
    if (a == nullptr || pointer != a->base || a->element_bytes <= 1 || bytes * a->element_bytes != a->bytes)
        return;
    report_finding({.kind = "api-misuse",
                    .advice = true,
                    .message = fmt::format("{} at line {} {} {} bytes, which are {} of the {} elements of {}",
                                           at.call, at.where.line, at.sets ? "sets" : "copies", bytes,
                                           bytes / a->element_bytes, bytes, a->name),
                    .fix = "The count is in bytes: if all elements are meant, multiply it by sizeof.",
                    .where = at.where,
                    .buffer = a->name});
}

struct Ends {
    const Allocation* to;
    const Allocation* from;
};

cudaError_t check_kind(const Place& at, Ends ends, const void* to, const void* from, cudaMemcpyKind kind) {
    // Symbols are reached through their device address only; here it is the same as the host's.
    const bool to_device = ends.to != nullptr, from_device = ends.from != nullptr;
    const bool needs_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool needs_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const bool to_wrong = needs_to && !to_device && !memory::is_device_address(to);
    const bool from_wrong = needs_from && !from_device && !memory::is_device_address(from);
    if (to_wrong || from_wrong) {
        const bool swapped = to_wrong && kind == cudaMemcpyHostToDevice && from_device;
        const bool swapped_back = from_wrong && kind == cudaMemcpyDeviceToHost && to_device;
        std::string fix = use_kind(to_device, from_device);
        if (swapped || swapped_back)
            fix =
                "The destination comes first, then the source: swap the two pointers, or say the other "
                "direction.";
        if (!to_device && !from_device)
            fix = fmt::format("Pass the pointer that cudaMalloc set as the {}.",
                              to_wrong ? "destination" : "source");
        return host_instead_of_device(at, to_wrong ? "destination" : "source", swapped || swapped_back, fix);
    }
    const bool odd =
        (kind == cudaMemcpyHostToHost && (!host_can_touch(ends.to) || !host_can_touch(ends.from))) ||
        (kind == cudaMemcpyHostToDevice && !host_can_touch(ends.from)) ||
        (kind == cudaMemcpyDeviceToHost && !host_can_touch(ends.to));
    if (odd)
        report_finding({.kind = "api-misuse",
                        .advice = true,
                        .message = fmt::format("{} at line {} says {}, which is not what it copies", at.call,
                                               at.where.line, at.kind),
                        .fix = use_kind(to_device, from_device),
                        .where = at.where});
    return cudaSuccess;
}

}  // namespace

Place::Place(const char* call_, cudaMemcpyKind kind_, Where where_)
    : call(call_), kind(kind_name(kind_)), where(where_) {}

cudaError_t check_range(const Place& at, const void* pointer, size_t bytes, bool writes, bool symbols) {
    const char* side = writes ? "destination" : "source";
    if (pointer == nullptr) return null_pointer(at, side);
    const Allocation* a = memory::find(pointer);
    if (a == nullptr) return memory::is_device_address(pointer) ? outside_everything(at, side) : cudaSuccess;
    if (!a->live) return freed(at, *a);
    if (!symbols && !memory::is_device_address(pointer) && a->space != BufferSpace::managed &&
        !has_pointer(*a))
        return bare_symbol(at, *a, writes);
    const size_t offset = static_cast<size_t>(static_cast<const char*>(pointer) - a->base);
    return bytes > a->bytes - offset ? too_long(at, *a, offset, bytes, writes) : cudaSuccess;
}

void allow_as_pointer(const Allocation& symbol) {
    const std::lock_guard lock(pointers_mutex);
    symbols_with_pointers().insert(symbol.base);
}

void move_bytes(const Place& at, void* to, const void* from, size_t bytes) {
    const Allocation* source = memory::find(from);
    if (source != nullptr && memory::find(to) == nullptr && memory::is_device_address(from))
        advise_unwritten(at, *source, static_cast<const char*>(from), bytes);
    std::memmove(memory::host_view(to), memory::host_view(from), bytes);
    if (memory::is_device_address(from)) {
        memory::copy_marks(to, from, bytes);
    } else {
        memory::mark_initialised(to, bytes);
    }
}

cudaError_t copy(const Place& at, void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                 bool symbols) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return fail(cudaErrorInvalidMemcpyDirection,
                    {.kind = "api-misuse",
                     .message = fmt::format("{} at line {} has no valid direction: {}", at.call,
                                            at.where.line, static_cast<int>(kind)),
                     .fix = "The fourth argument is one of cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, "
                            "cudaMemcpyDeviceToDevice.",
                     .where = at.where});
    if (bytes == 0) return cudaSuccess;
    if (to == nullptr) return null_pointer(at, "destination");
    if (from == nullptr) return null_pointer(at, "source");
    const Ends ends{memory::find(to), memory::find(from)};
    if (const cudaError_t error = check_kind(at, ends, to, from, kind); error != cudaSuccess) return error;
    if (const cudaError_t error = check_range(at, to, bytes, true, symbols); error != cudaSuccess)
        return error;
    if (const cudaError_t error = check_range(at, from, bytes, false, symbols); error != cudaSuccess)
        return error;
    if (!symbols) {
        advise_short_count(at, ends.to, to, bytes);
        if (ends.to == nullptr) advise_short_count(at, ends.from, from, bytes);
    }
    move_bytes(at, to, from, bytes);
    return cudaSuccess;
}

namespace {

cudaError_t copy_rows(const Place& at, void* to, size_t to_pitch, const void* from, size_t from_pitch,
                      size_t width, size_t height, cudaMemcpyKind kind) {
    if (width > to_pitch || width > from_pitch)
        return fail(
            cudaErrorInvalidPitchValue,
            {.kind = "api-misuse",
             .message =
                 fmt::format("{} at line {} copies rows of {} bytes, but a row of the {} is {} bytes apart",
                             at.call, at.where.line, width, width > to_pitch ? "destination" : "source",
                             width > to_pitch ? to_pitch : from_pitch),
             .fix = "Width and pitches are in bytes: multiply the columns by sizeof, and use the pitch that "
                    "cudaMallocPitch gave.",
             .where = at.where});
    if (width == 0 || height == 0) return cudaSuccess;
    // The whole span first, so that one call gives one finding.
    const Ends ends{memory::find(to), memory::find(from)};
    if (to == nullptr) return null_pointer(at, "destination");
    if (from == nullptr) return null_pointer(at, "source");
    if (const cudaError_t error = check_kind(at, ends, to, from, kind); error != cudaSuccess) return error;
    if (const cudaError_t error = check_range(at, to, (height - 1) * to_pitch + width, true, false);
        error != cudaSuccess)
        return error;
    if (const cudaError_t error = check_range(at, from, (height - 1) * from_pitch + width, false, false);
        error != cudaSuccess)
        return error;
    for (size_t row = 0; row < height; ++row)
        move_bytes(at, static_cast<char*>(to) + row * to_pitch,
                   static_cast<const char*>(from) + row * from_pitch, width);
    return cudaSuccess;
}

cudaError_t set_rows(Place at, void* pointer, size_t pitch, int value, size_t width, size_t height) {
    at.sets = true;
    if (width == 0 || height == 0) return cudaSuccess;
    if (height > 1 && width > pitch) return fail(cudaErrorInvalidValue);
    if (pointer == nullptr) return null_pointer(at, "destination");
    if (memory::find(pointer) == nullptr && !memory::is_device_address(pointer))
        return fail(cudaErrorInvalidValue,
                    {.kind = "host-pointer",
                     .message = fmt::format("{} at line {} got host memory; it sets device memory", at.call,
                                            at.where.line),
                     .fix = "Use memset for host memory.",
                     .where = at.where});
    if (const cudaError_t error = check_range(at, pointer, (height - 1) * pitch + width, true, false);
        error != cudaSuccess)
        return error;
    if (height == 1) advise_short_count(at, memory::find(pointer), pointer, width);
    for (size_t row = 0; row < height; ++row) {
        char* start = static_cast<char*>(pointer) + row * pitch;
        std::memset(memory::host_view(start), value, width);
        memory::mark_initialised(start, width);
    }
    return cudaSuccess;
}

}  // namespace
}  // namespace simt::runtime

using simt::Where;
using namespace simt::runtime;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, Where where) {
    return in_stream(nullptr, where, [&] {
        return copy({"cudaMemcpy", kind, where}, to, from, bytes, kind, false);
    });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream, Where where) {
    return in_stream(stream, where, [&] {
        return copy({"cudaMemcpyAsync", kind, where}, to, from, bytes, kind, false);
    });
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes, Where where) {
    constexpr auto kind = cudaMemcpyDeviceToDevice;
    return in_stream(nullptr, where, [&] {
        return copy({"cudaMemcpyPeer", kind, where}, to, from, bytes, kind, false);
    });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream,
                                Where where) {
    constexpr auto kind = cudaMemcpyDeviceToDevice;
    return in_stream(stream, where, [&] {
        return copy({"cudaMemcpyPeerAsync", kind, where}, to, from, bytes, kind, false);
    });
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind, Where where) {
    return in_stream(nullptr, where, [&] {
        return copy_rows({"cudaMemcpy2D", kind, where}, to, to_pitch, from, from_pitch, width, height, kind);
    });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream, Where where) {
    return in_stream(stream, where, [&] {
        return copy_rows({"cudaMemcpy2DAsync", kind, where}, to, to_pitch, from, from_pitch, width, height,
                         kind);
    });
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes, Where where) {
    return in_stream(nullptr, where, [&] {
        return set_rows({"cudaMemset", cudaMemcpyDefault, where}, pointer, bytes, value, bytes, 1);
    });
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream, Where where) {
    return in_stream(stream, where, [&] {
        return set_rows({"cudaMemsetAsync", cudaMemcpyDefault, where}, pointer, bytes, value, bytes, 1);
    });
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height, Where where) {
    return in_stream(nullptr, where, [&] {
        return set_rows({"cudaMemset2D", cudaMemcpyDefault, where}, pointer, pitch, value, width, height);
    });
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream, Where where) {
    return in_stream(stream, where, [&] {
        return set_rows({"cudaMemset2DAsync", cudaMemcpyDefault, where}, pointer, pitch, value, width,
                        height);
    });
}
