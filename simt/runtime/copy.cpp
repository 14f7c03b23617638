// cudaMemcpy, cudaMemset and their kin.
//
// CUDA's codes, as seen on an H200: the side that must be on the device (the destination of HostToDevice, the
// source of DeviceToHost, both of DeviceToDevice) must not be ordinary host memory; a device pointer where a
// host pointer is meant goes through. Here that is at least advice.
#include "simt/runtime/copy.h"

#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>

#include "simt/checker/pages.h"
#include "simt/machine/device_symbols.h"
#include "simt/machine/devices.h"
#include "simt/runtime/array.h"

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

// Ordinary, pinned or registered; managed memory counts as the device's.
bool is_host_memory(const void* pointer) {
    const Allocation* a = memory::find(pointer);
    return a == nullptr || a->space == BufferSpace::pinned;
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
    if (a.freed.line == 0 && a.is_of_graph)
        return fail(
            cudaErrorInvalidValue,
            {.kind = "use-after-free",
             .message = fmt::format("{} at line {} uses {}, which a graph allocates (line {}) when it is "
                                    "launched, and that has not been",
                                    at.call, at.where.line, a.name, a.allocated.line),
             .fix = "Launch the graph first, or make this a part of it.",
             .where = at.where,
             .buffer = a.name});
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
    auto gaps = memory::uninitialised(from, bytes);
    const size_t offset = static_cast<size_t>(from - a.base);
    // Gaps of a few bytes inside elements are their padding: what fills no word, or half of what is aligned to 8.
    const size_t unit = a.element_bytes >= 16 && a.element_bytes % 8 == 0 ? 8 : 4;
    if (a.element_bytes >= 4)
        std::erase_if(gaps, [&](const memory::ByteRange& gap) {
            const size_t first = offset + gap.first, next = offset + gap.last + 1;
            return (first + unit - 1) / unit * unit + unit > next;
        });
    if (gaps.empty()) return;
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
    if (a == nullptr || a->space == BufferSpace::array)
        return;  // its copies are rows: their count is no slip
    if (pointer != a->base || a->element_bytes <= 1 || bytes * a->element_bytes != a->bytes) return;
    report_finding({.kind = "api-misuse",
                    .advice = true,
                    .message = fmt::format("{} at line {} {} {} bytes, which are {} of the {} elements of {}",
                                           at.call, at.where.line, at.sets ? "sets" : "copies", bytes,
                                           bytes / a->element_bytes, bytes, a->name),
                    .fix = "The count is in bytes: if all elements are meant, multiply it by sizeof.",
                    .where = at.where,
                    .buffer = a->name});
}

// The handle of a CUDA array where a pointer is meant: in C++ it converts without a word.
cudaError_t refuse_handle(const Place& at, const void* pointer, const char* side) {
    const Allocation* a = array_memory(pointer);
    if (a == nullptr) return cudaSuccess;
    return fail(cudaErrorInvalidValue,
                {.kind = "api-misuse",
                 .message = fmt::format("the {} of {} at line {} is the CUDA array {}, which is no pointer",
                                        side, at.call, at.where.line, a->name),
                 .fix = "Use cudaMemcpy2DToArray, cudaMemcpy2DFromArray or cudaMemcpy3D for arrays.",
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
    : call(call_), kind(kind_name(kind_)), direction(kind_), where(where_) {}

cudaError_t check_range(const Place& at, const void* pointer, size_t bytes, bool writes, bool symbols) {
    const char* side = writes ? "destination" : "source";
    if (pointer == nullptr) return null_pointer(at, side);
    const Allocation* a = memory::find(pointer);
    if (a == nullptr) return memory::is_device_address(pointer) ? outside_everything(at, side) : cudaSuccess;
    const bool is_there = a->live || a->is_promised || (a->is_of_graph && may_be_recorded());
    if (!is_there) return freed(at, *a);
    if (!symbols && !memory::is_device_address(pointer) && a->space != BufferSpace::managed &&
        a->space != BufferSpace::pinned && !has_pointer(*a))
        return bare_symbol(at, *a, writes);
    const size_t offset = static_cast<size_t>(static_cast<const char*>(pointer) - a->base);
    return bytes > a->bytes - offset ? too_long(at, *a, offset, bytes, writes) : cudaSuccess;
}

void allow_as_pointer(const Allocation& symbol) {
    const std::lock_guard lock(pointers_mutex);
    symbols_with_pointers().insert(symbol.base);
}

std::vector<queue::Span> spans_of(const void* pointer, size_t pitch, size_t width, size_t height, bool writes,
                                  size_t depth, size_t slice) {
    if (memory::find(pointer) == nullptr || width == 0 || height == 0 || depth == 0) return {};
    const auto begin = reinterpret_cast<uintptr_t>(pointer);
    const bool one_piece = pitch == width || height == 1;
    if (one_piece && (depth == 1 || slice == width * height))
        return {{begin, begin + width * height * depth, writes}};
    std::vector<queue::Span> rows;
    rows.reserve(height * depth);
    for (size_t k = 0; k < depth; ++k)
        for (size_t row = 0; row < height; ++row) {
            const uintptr_t at = begin + k * slice + row * pitch;
            rows.push_back({at, at + width, writes});
        }
    return rows;
}

namespace {

int device_of_copy() {
    const queue::OperationPtr operation = queue::running();
    return operation != nullptr ? queue::stream_at(operation->stream).device : devices::current();
}

bool is_managed(const void* address) {
    const Allocation* a = pages::any ? memory::find(address) : nullptr;
    return a != nullptr && a->space == BufferSpace::managed;
}

// Managed memory that a copy to device memory reads.
void fetch_managed(const Place& at, const void* from, const void* to, size_t bytes) {
    const bool by_device = at.direction == cudaMemcpyDefault || at.direction == cudaMemcpyDeviceToDevice;
    if (!by_device || !is_managed(from) || is_managed(to) || !memory::is_device_address(to)) return;
    pages::read_by_copy(from, bytes, device_of_copy(), at.where);
}

void move_slice(const Place& at, const Rows& r, const Allocation* source, bool is_consequence) {
    for (size_t row = 0; row < r.height; ++row) {
        char* to = static_cast<char*>(r.to) + row * r.to_pitch;
        const char* from = static_cast<const char*>(r.from) + row * r.from_pitch;
        fetch_managed(at, from, to, r.width);
        place_managed(at, to, r.width);
        if (source != nullptr && !is_consequence && memory::is_device_address(from) && is_host_memory(to))
            advise_unwritten(at, *source, from, r.width);
        std::memmove(memory::host_view(to), memory::host_view(from), r.width);
        if (memory::is_device_address(from)) {
            memory::copy_marks(to, from, r.width);
        } else {
            memory::mark_initialised(to, r.width);
        }
    }
}

// Slice `k` of several, as a slice by itself.
Rows slice_of(const Rows& r, size_t k) {
    Rows slice = r;
    slice.to = static_cast<char*>(r.to) + k * r.to_slice;
    slice.from = static_cast<const char*>(r.from) + k * r.from_slice;
    slice.depth = 1;
    return slice;
}

}  // namespace

static bool is_to_host(cudaMemcpyKind kind) {
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost;
}

void place_managed(const Place& at, const void* to, size_t bytes) {
    if (!is_managed(to)) return;
    const bool is_default = !at.sets && at.direction == cudaMemcpyDefault;
    const bool to_host = !at.sets && is_to_host(at.direction);
    pages::written_by_copy(to, bytes, to_host ? pages::host : device_of_copy(), is_default, at.where);
}

void move_rows(const Place& at, const Rows& r) {
    device_symbols::before_copy(r.from, false);
    device_symbols::before_copy(r.to, true);
    const Allocation* source = memory::find(r.from);
    const queue::OperationPtr operation = queue::running();
    const bool is_consequence = operation != nullptr && operation->raced;
    for (size_t k = 0; k < r.depth; ++k) move_slice(at, slice_of(r, k), source, is_consequence);
}

cudaError_t queue_copy(const Place& at, void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                       bool symbols, cudaStream_t stream, bool is_async) {
    return queue_rows(at, {to, bytes, from, bytes, bytes, 1}, kind, symbols, stream, is_async);
}

namespace {

// Where bytes stand that a copy from pageable memory took at its call.
struct Staged {
    explicit Staged(const Rows& r) : bytes(std::make_unique_for_overwrite<char[]>(r.bytes())), rows(r) {
        char* next = bytes.get();
        for (size_t k = 0; k < r.depth; ++k)
            for (size_t row = 0; row < r.height; ++row, next += r.width)
                std::memcpy(next, static_cast<const char*>(r.from) + k * r.from_slice + row * r.from_pitch,
                            r.width);
        rows.from = bytes.get();
        rows.from_pitch = r.width;
        rows.from_slice = r.width * r.height;
    }
    std::unique_ptr<char[]> bytes;
    Rows rows;
};

queue::Kind kind_of(bool to_host, bool from_host) {
    if (to_host) return from_host ? queue::Kind::copy_on_host : queue::Kind::copy_to_host;
    return from_host ? queue::Kind::copy_to_device : queue::Kind::copy_on_device;
}

// Between which devices a copy goes. Managed memory is where its pages are, host memory on none.
void set_devices(queue::NewOperation& operation, const Allocation* to, const Allocation* from) {
    const auto device_of = [](const Allocation* a) {
        const bool is_on_one =
            a != nullptr && a->space != BufferSpace::managed && a->space != BufferSpace::pinned;
        return is_on_one ? a->device : -1;
    };
    operation.to_device = device_of(to);
    operation.from_device = device_of(from);
    const bool between = operation.to_device >= 0 && operation.from_device >= 0 &&
                         operation.to_device != operation.from_device;
    if (!between) return;
    operation.kind = queue::Kind::copy_between_devices;
    operation.is_staged = !devices::has(devices::reached_by(operation.from_device), operation.to_device) &&
                          !devices::has(devices::reached_by(operation.to_device), operation.from_device);
}

size_t extent(size_t pitch, size_t width, size_t height, size_t depth, size_t slice) {
    return (depth - 1) * slice + (height - 1) * pitch + width;
}

cudaError_t check_copy(const Place& at, const Rows& r, cudaMemcpyKind kind, bool symbols) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return fail(cudaErrorInvalidMemcpyDirection,
                    {.kind = "api-misuse",
                     .message = fmt::format("{} at line {} has no valid direction: {}", at.call,
                                            at.where.line, static_cast<int>(kind)),
                     .fix = "The direction is one of cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, "
                            "cudaMemcpyDeviceToDevice.",
                     .where = at.where});
    if (r.width > r.to_pitch || r.width > r.from_pitch)
        return fail(
            cudaErrorInvalidPitchValue,
            {.kind = "api-misuse",
             .message =
                 fmt::format("{} at line {} copies rows of {} bytes, but a row of the {} is {} bytes apart",
                             at.call, at.where.line, r.width, r.width > r.to_pitch ? "destination" : "source",
                             r.width > r.to_pitch ? r.to_pitch : r.from_pitch),
             .fix = "Width and pitches are in bytes: multiply the columns by sizeof, and use the pitch that "
                    "cudaMallocPitch gave.",
             .where = at.where});
    if (r.bytes() == 0) return cudaSuccess;
    if (r.to == nullptr) return null_pointer(at, "destination");
    if (r.from == nullptr) return null_pointer(at, "source");
    if (const cudaError_t error = refuse_handle(at, r.to, "destination"); error != cudaSuccess) return error;
    if (const cudaError_t error = refuse_handle(at, r.from, "source"); error != cudaSuccess) return error;
    const Ends ends{memory::find(r.to), memory::find(r.from)};
    if (const cudaError_t error = check_kind(at, ends, r.to, r.from, kind); error != cudaSuccess)
        return error;
    // The whole span at once, so that one call gives one finding.
    const size_t to_bytes = extent(r.to_pitch, r.width, r.height, r.depth, r.to_slice);
    const size_t from_bytes = extent(r.from_pitch, r.width, r.height, r.depth, r.from_slice);
    if (const cudaError_t error = check_range(at, r.to, to_bytes, true, symbols); error != cudaSuccess)
        return error;
    if (const cudaError_t error = check_range(at, r.from, from_bytes, false, symbols); error != cudaSuccess)
        return error;
    // One of several streams copies a part of the buffer on purpose.
    const bool is_async = std::string_view(at.call).ends_with("Async");
    if (!symbols && r.height == 1 && r.depth == 1 && !is_async) {
        advise_short_count(at, ends.to, r.to, r.width);
        if (ends.to == nullptr) advise_short_count(at, ends.from, r.from, r.width);
    }
    return cudaSuccess;
}

}  // namespace

// As a graph's node shows them.
static std::any parameters_of(const Rows& r, cudaMemcpyKind kind) {
    cudaMemcpy3DParms p{};
    const auto rows_of_slice = [&](size_t slice, size_t pitch) {
        return slice == 0 ? r.height : slice / pitch;
    };
    p.srcPtr = {const_cast<void*>(r.from), r.from_pitch, r.width, rows_of_slice(r.from_slice, r.from_pitch)};
    p.dstPtr = {r.to, r.to_pitch, r.width, rows_of_slice(r.to_slice, r.to_pitch)};
    p.extent = {r.width, r.height, r.depth};
    p.kind = kind;
    return p;
}
static std::any parameters_of(const Fill& f) {
    return cudaMemsetParams{
        f.to, f.pitch, static_cast<unsigned>(f.value), f.element_bytes, f.width / f.element_bytes, f.height};
}

cudaError_t queue_rows(const Place& at, const Rows& rows, cudaMemcpyKind kind, bool symbols,
                       cudaStream_t stream, bool is_async) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (const cudaError_t error = check_copy(at, rows, kind, symbols); error != cudaSuccess) return error;
    if (rows.bytes() == 0) return cudaSuccess;
    auto spans = spans_of(rows.to, rows.to_pitch, rows.width, rows.height, true, rows.depth, rows.to_slice);
    const bool to_pageable = spans.empty();
    const auto read =
        spans_of(rows.from, rows.from_pitch, rows.width, rows.height, false, rows.depth, rows.from_slice);
    const bool from_pageable = read.empty();
    spans.insert(spans.end(), read.begin(), read.end());
    const bool to_host = is_host_memory(rows.to), from_host = is_host_memory(rows.from);
    const bool waits = is_async ? to_pageable : to_host || from_host;
    std::function<void()> run = [at, rows] { move_rows(at, rows); };
    // A graph's node reads when it runs.
    if (from_pageable && !waits && queue::is_lazy() && !is_recorded(stream)) {
        const auto staged = std::make_shared<Staged>(rows);
        run = [at, staged] { move_rows(at, staged->rows); };
    }
    queue::NewOperation operation{.kind = kind_of(to_host, from_host),
                                  .where = at.where,
                                  .name = at.call,
                                  .spans = std::move(spans),
                                  .bytes = rows.bytes(),
                                  .is_pageable = to_pageable || from_pageable,
                                  .run = std::move(run),
                                  .parameters = is_recorded(stream) ? parameters_of(rows, kind) : std::any()};
    set_devices(operation, memory::find(rows.to), memory::find(rows.from));
    if (operation.kind == queue::Kind::copy_between_devices && !is_async)
        return in_order_of_both(stream, std::move(operation));
    return in_stream(stream, std::move(operation), waits);
}

static void set_row(char* row, const Fill& f) {
    if (f.element_bytes == 1) {
        std::memset(row, f.value, f.width);
        return;
    }
    for (size_t i = 0; i < f.width; i += f.element_bytes) std::memcpy(row + i, &f.value, f.element_bytes);
}

cudaError_t queue_fill(Place at, const Fill& f, cudaStream_t stream, bool is_async) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    at.sets = true;
    if (f.width == 0 || f.height == 0 || f.depth == 0) return cudaSuccess;
    if (f.height > 1 && f.width > f.pitch) return fail(cudaErrorInvalidValue);
    if (f.to == nullptr) return null_pointer(at, "destination");
    if (const cudaError_t error = refuse_handle(at, f.to, "destination"); error != cudaSuccess) return error;
    if (memory::find(f.to) == nullptr && !memory::is_device_address(f.to))
        return fail(cudaErrorInvalidValue,
                    {.kind = "host-pointer",
                     .message = fmt::format("{} at line {} got host memory; it sets device memory", at.call,
                                            at.where.line),
                     .fix = "Use memset for host memory.",
                     .where = at.where});
    const size_t bytes = extent(f.pitch, f.width, f.height, f.depth, f.slice);
    if (const cudaError_t error = check_range(at, f.to, bytes, true, false); error != cudaSuccess)
        return error;
    if (f.height == 1 && f.depth == 1) advise_short_count(at, memory::find(f.to), f.to, f.width);
    const auto run = [f, at] {
        device_symbols::before_copy(f.to, true);
        for (size_t k = 0; k < f.depth; ++k)
            for (size_t row = 0; row < f.height; ++row) {
                char* start = static_cast<char*>(f.to) + k * f.slice + row * f.pitch;
                place_managed(at, start, f.width);
                set_row(memory::host_view(start), f);
                memory::mark_initialised(start, f.width);
            }
    };
    return in_stream(stream,
                     {.kind = queue::Kind::set,
                      .where = at.where,
                      .name = at.call,
                      .spans = spans_of(f.to, f.pitch, f.width, f.height, true, f.depth, f.slice),
                      .bytes = f.width * f.height * f.depth,
                      .run = run,
                      .parameters = is_recorded(stream) ? parameters_of(f) : std::any()},
                     !is_async && is_host_memory(f.to));
}

}  // namespace simt::runtime

using simt::Where;
using namespace simt::runtime;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, Where where) {
    return queue_copy({"cudaMemcpy", kind, where}, to, from, bytes, kind, false, nullptr, false);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream, Where where) {
    return queue_copy({"cudaMemcpyAsync", kind, where}, to, from, bytes, kind, false, stream, true);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind, Where where) {
    return queue_rows({"cudaMemcpy2D", kind, where}, {to, to_pitch, from, from_pitch, width, height}, kind,
                      false, nullptr, false);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream, Where where) {
    return queue_rows({"cudaMemcpy2DAsync", kind, where}, {to, to_pitch, from, from_pitch, width, height},
                      kind, false, stream, true);
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes, Where where) {
    return queue_fill({"cudaMemset", cudaMemcpyDefault, where}, {pointer, bytes, value, bytes, 1}, nullptr,
                      false);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream, Where where) {
    return queue_fill({"cudaMemsetAsync", cudaMemcpyDefault, where}, {pointer, bytes, value, bytes, 1},
                      stream, true);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height, Where where) {
    return queue_fill({"cudaMemset2D", cudaMemcpyDefault, where}, {pointer, pitch, value, width, height},
                      nullptr, false);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream, Where where) {
    return queue_fill({"cudaMemset2DAsync", cudaMemcpyDefault, where}, {pointer, pitch, value, width, height},
                      stream, true);
}
