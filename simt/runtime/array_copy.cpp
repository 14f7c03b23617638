// Copies to and from CUDA arrays, and in three dimensions. Each becomes rows for copy.h once it is known that they lie
// in the array.
#include <fmt/format.h>

#include "simt/runtime/array.h"
#include "simt/runtime/copy.h"

namespace simt::runtime {
namespace {

// One side of a copy: where it begins, and bytes from row to row and from slice to slice.
struct Side {
    char* begin = nullptr;
    size_t pitch = 0, slice = 0;
};

struct Box {  // in bytes, rows and slices
    size_t x = 0, y = 0, z = 0;
    size_t width = 0, height = 1, depth = 1;
};

std::string elements(const ArrayRecord& a, size_t bytes) {
    return bytes % a.element_bytes == 0
               ? fmt::format("{} bytes ({} elements)", bytes, bytes / a.element_bytes)
               : fmt::format("{} bytes", bytes);
}

std::string count_of(size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// Is offset + count beyond most?
bool is_beyond(size_t offset, size_t count, size_t most) {
    return offset > most || count > most - offset;
}

// "copies 5 rows to d_image from row 2 on, but it has 6 rows"
struct Excess {
    std::string what, from, has, fix;
};

cudaError_t too_large(const Place& at, const ArrayRecord& a, bool writes, const Excess& e) {
    return fail(cudaErrorInvalidValue,
                {.kind = "oob-global",
                 .message = fmt::format("{} at line {} copies {} {} {}{}, but {}", at.call, at.where.line,
                                        e.what, writes ? "to" : "from", a.memory->name, e.from, e.has),
                 .fix = e.fix,
                 .where = at.where,
                 .buffer = a.memory->name,
                 .has_other = a.memory->allocated.line != 0,
                 .other_action = "allocated",
                 .other = a.memory->allocated});
}

std::string starting(const char* what, size_t first) {
    return first == 0 ? "" : fmt::format(" from {} {} on", what, first);
}

cudaError_t check_box(const Place& at, const ArrayRecord& a, const Box& box, bool writes) {
    if (is_beyond(box.x, box.width, a.row_bytes()))
        return too_large(
            at, a, writes,
            {"rows of " + elements(a, box.width), starting("byte", box.x),
             "its rows have " + elements(a, a.row_bytes()),
             std::string_view(at.call).starts_with("cudaMemcpy3D")
                 ? "Where an array takes part, the width of the extent is in elements, not in bytes."
                 : "The offset and the width of a row are in bytes: columns * sizeof(element)."});
    if (is_beyond(box.y, box.height, a.height()))
        return too_large(
            at, a, writes,
            {count_of(box.height, "row"), starting("row", box.y), "it has " + count_of(a.height(), "row"),
             "Copy no more rows than the array was made with."});
    if (is_beyond(box.z, box.depth, a.depth())) {
        const char* what = (a.flags & cudaArrayLayered) != 0 ? "layer" : "slice";
        return too_large(
            at, a, writes,
            {count_of(box.depth, what), starting(what, box.z), "it has " + count_of(a.depth(), what),
             "Copy no more than the array was made with."});
    }
    return cudaSuccess;
}

// For the deprecated functions, whose bytes run on from row to row.
cudaError_t check_run(const Place& at, const ArrayRecord& a, size_t x, size_t y, size_t bytes, bool writes) {
    const bool begins_inside = x <= a.row_bytes() && y < a.height();
    if (begins_inside && !is_beyond(y * a.row_bytes() + x, bytes, a.slice_bytes())) return cudaSuccess;
    return too_large(
        at, a, writes,
        {elements(a, bytes), fmt::format(" from byte {} of row {} on", x, y),
         fmt::format("it has {} in all", elements(a, a.slice_bytes())), "Count and offset are in bytes."});
}

// The side of a copy that is an array.
Side side_of(const ArrayRecord& a, const Box& box) {
    return {a.base + box.z * a.slice_bytes() + box.y * a.row_bytes() + box.x, a.row_bytes(), a.slice_bytes()};
}

Rows rows_of(const Side& to, const Side& from, const Box& box) {
    return {.to = to.begin,
            .to_pitch = to.pitch,
            .from = from.begin,
            .from_pitch = from.pitch,
            .width = box.width,
            .height = box.height,
            .depth = box.depth,
            .to_slice = to.slice,
            .from_slice = from.slice};
}

cudaError_t begin() {
    return enter(Call::work);
}

// A 2D copy between an array and memory of the program's.
struct Plane {
    void* pointer;
    size_t pitch;
};

cudaError_t check_direction(const Place& at, bool to_array, cudaMemcpyKind kind) {
    const cudaMemcpyKind other_way = to_array ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    if (kind != other_way && kind != cudaMemcpyHostToHost) return cudaSuccess;
    return fail(
        cudaErrorInvalidMemcpyDirection,
        {.kind = "api-misuse",
         .message = fmt::format("{} at line {} says {}, but the array, which is in device memory, is the {}",
                                at.call, at.where.line, at.kind, to_array ? "destination" : "source"),
         .fix = fmt::format("Say {} for host memory on the other side.",
                            to_array ? "cudaMemcpyHostToDevice" : "cudaMemcpyDeviceToHost"),
         .where = at.where});
}

cudaError_t copy_plane(const Place& at, cudaArray_const_t array, const Box& box, const Plane& plane,
                       bool to_array, cudaMemcpyKind kind, cudaStream_t stream, bool is_async) {
    const ApiLock lock;
    if (const cudaError_t error = begin(); error != cudaSuccess) return error;
    if (const cudaError_t error = check_direction(at, to_array, kind); error != cudaSuccess) return error;
    const ArrayRecord* a = usable_array(array, at.call, to_array ? "destination" : "source", at.where);
    if (a == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = check_box(at, *a, box, to_array); error != cudaSuccess) return error;
    const Side inside = side_of(*a, box), outside{static_cast<char*>(plane.pointer), plane.pitch, 0};
    return queue_rows(at, to_array ? rows_of(inside, outside, box) : rows_of(outside, inside, box), kind,
                      false, stream, is_async);
}

// `bytes` from a place on, from row to row: the deprecated functions.
cudaError_t copy_run(const Place& at, cudaArray_const_t array, size_t x, size_t y, void* pointer,
                     size_t bytes, bool to_array, cudaMemcpyKind kind, cudaStream_t stream, bool is_async) {
    const ApiLock lock;
    if (const cudaError_t error = begin(); error != cudaSuccess) return error;
    const ArrayRecord* a = usable_array(array, at.call, to_array ? "destination" : "source", at.where);
    if (a == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = check_run(at, *a, x, y, bytes, to_array); error != cudaSuccess)
        return error;
    char* inside = a->base + y * a->row_bytes() + x;
    return to_array ? queue_copy(at, inside, pointer, bytes, kind, false, stream, is_async)
                    : queue_copy(at, pointer, inside, bytes, kind, false, stream, is_async);
}

// ---- three dimensions ----

cudaError_t misuse(const Place& at, cudaError_t code, const std::string& what, const std::string& fix) {
    return fail(code, {.kind = "api-misuse",
                       .message = fmt::format("{} at line {} {}", at.call, at.where.line, what),
                       .fix = fix,
                       .where = at.where});
}

struct Source3D {  // one side as the parameters give it
    cudaArray_t array;
    cudaPos position;
    cudaPitchedPtr pointer;
    const char* role;
    const char* field;  // "dst"
};

// `unit`: bytes of what the extent's width counts.
cudaError_t resolve(const Place& at, const Source3D& s, Box box, size_t unit, bool writes, Side& side) {
    if ((s.array != nullptr) == (s.pointer.ptr != nullptr))
        return misuse(at, cudaErrorInvalidValue,
                      fmt::format("has {} as its {}",
                                  s.array == nullptr ? "nothing" : "an array and a pointer", s.role),
                      fmt::format("Set either {}Array or {}Ptr, and leave the other zero: "
                                  "cudaMemcpy3DParms p = {{}};",
                                  s.field, s.field));
    box.y = s.position.y;
    box.z = s.position.z;
    if (s.array != nullptr) {
        const ArrayRecord* a = usable_array(s.array, at.call, s.role, at.where);
        if (a == nullptr) return cudaErrorInvalidResourceHandle;
        if (a->element_bytes != unit)
            return misuse(at, cudaErrorInvalidValue, "copies between arrays whose elements differ in size",
                          "Make both with formats of the same size.");
        box.x = s.position.x * unit;
        side = side_of(*a, box);
        return check_box(at, *a, box, writes);
    }
    const cudaPitchedPtr& p = s.pointer;
    box.x = s.position.x * unit;  // also beside an array in elements, as on an H200
    if (is_beyond(box.x, box.width, p.pitch) ||
        ((box.depth > 1 || box.z > 0) && is_beyond(box.y, box.height, p.ysize)))
        return misuse(
            at, cudaErrorInvalidValue,
            fmt::format("copies {} rows of {} bytes from byte {} of row {} on, but {}Ptr has rows of {} "
                        "bytes, {} a slice",
                        box.height, box.width, box.x, box.y, s.field, p.pitch, p.ysize),
            "make_cudaPitchedPtr(pointer, pitch, width, height): the pitch is in bytes, and the height "
            "says how many rows a slice has.");
    side.pitch = p.pitch;
    side.slice = p.pitch * p.ysize;
    side.begin = static_cast<char*>(p.ptr) + box.z * side.slice + box.y * side.pitch + box.x;
    return cudaSuccess;
}

// A negative number that became a size.
cudaError_t check_extent(const Place& at, cudaExtent e) {
    constexpr size_t most = size_t{1} << 40;
    if (e.width < most && e.height < most && e.depth < most) return cudaSuccess;
    return misuse(at, cudaErrorInvalidValue,
                  fmt::format("has an extent of {} x {} x {}", e.width, e.height, e.depth),
                  "A negative count becomes a huge one: check the arithmetic.");
}

}  // namespace

cudaError_t queue_copy_3d(const char* call, const cudaMemcpy3DParms* p, cudaStream_t stream, bool is_async,
                          Where where) {
    const ApiLock lock;
    if (const cudaError_t error = begin(); error != cudaSuccess) return error;
    if (p == nullptr) return fail(cudaErrorInvalidValue);
    const Place at{call, p->kind, where};
    if (const cudaError_t error = check_extent(at, p->extent); error != cudaSuccess) return error;
    const ArrayRecord* a = find_array(p->dstArray != nullptr ? p->dstArray : p->srcArray);
    const size_t unit = a == nullptr ? 1 : a->element_bytes;
    if (p->extent.width == 0 || p->extent.height == 0 || p->extent.depth == 0) {
        report_finding(
            {.kind = "api-misuse",
             .advice = true,
             .message = fmt::format("{} at line {} copies nothing: its extent is {} x {} x {}", call,
                                    where.line, p->extent.width, p->extent.height, p->extent.depth),
             .fix = "A single row has a height of 1, and a single slice a depth of 1.",
             .where = where});
        return cudaSuccess;
    }
    const Box box{.width = p->extent.width * unit, .height = p->extent.height, .depth = p->extent.depth};
    Side to, from;
    cudaError_t error =
        resolve(at, {p->dstArray, p->dstPos, p->dstPtr, "destination", "dst"}, box, unit, true, to);
    if (error != cudaSuccess) return error;
    error = resolve(at, {p->srcArray, p->srcPos, p->srcPtr, "source", "src"}, box, unit, false, from);
    if (error != cudaSuccess) return error;
    return queue_rows(at, rows_of(to, from, box), p->kind, false, stream, is_async);
}

namespace {
// The devices that it names are those of the pointers, or a word is said.
cudaError_t copy_3d_peer(const char* call, const cudaMemcpy3DPeerParms* p, cudaStream_t stream, bool is_async,
                         Where where) {
    const ApiLock lock;
    if (p == nullptr) return fail(cudaErrorInvalidValue);
    const auto memory_of = [](cudaArray_t array, const cudaPitchedPtr& pointer) -> const void* {
        const ArrayRecord* a = array == nullptr ? nullptr : find_array(array);
        return a != nullptr ? a->base : pointer.ptr;
    };
    cudaError_t error =
        check_named_device(call, memory_of(p->dstArray, p->dstPtr), p->dstDevice, "destination", where);
    if (error != cudaSuccess) return error;
    error = check_named_device(call, memory_of(p->srcArray, p->srcPtr), p->srcDevice, "source", where);
    if (error != cudaSuccess) return error;
    const cudaMemcpy3DParms plain{.srcArray = p->srcArray,
                                  .srcPos = p->srcPos,
                                  .srcPtr = p->srcPtr,
                                  .dstArray = p->dstArray,
                                  .dstPos = p->dstPos,
                                  .dstPtr = p->dstPtr,
                                  .extent = p->extent,
                                  .kind = cudaMemcpyDefault};
    return queue_copy_3d(call, &plain, stream, is_async, where);
}

cudaError_t set_3d(const char* call, cudaPitchedPtr p, int value, cudaExtent e, cudaStream_t stream,
                   bool is_async, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = begin(); error != cudaSuccess) return error;
    const Place at{call, cudaMemcpyDefault, where};
    if (const cudaError_t error = check_extent(at, e); error != cudaSuccess) return error;
    if (e.width > p.pitch || (e.depth > 1 && e.height > p.ysize))
        return misuse(
            at, cudaErrorInvalidValue,
            fmt::format("sets {} rows of {} bytes, but the pointer has rows of {} bytes, {} a slice",
                        e.height, e.width, p.pitch, p.ysize),
            "The width of the extent is in bytes; take the pointer as cudaMalloc3D gave it.");
    return queue_fill(at, {p.ptr, p.pitch, value, e.width, e.height, e.depth, p.pitch * p.ysize}, stream,
                      is_async);
}

}  // namespace
}  // namespace simt::runtime

using simt::Where;
using namespace simt::runtime;

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t to_x, size_t to_y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind, Where where) {
    return copy_plane({"cudaMemcpy2DToArray", kind, where}, to, {to_x, to_y, 0, width, height},
                      {const_cast<void*>(from), pitch}, true, kind, nullptr, false);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t to_x, size_t to_y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                                     Where where) {
    return copy_plane({"cudaMemcpy2DToArrayAsync", kind, where}, to, {to_x, to_y, 0, width, height},
                      {const_cast<void*>(from), pitch}, true, kind, stream, true);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t from_x,
                                  size_t from_y, size_t width, size_t height, cudaMemcpyKind kind,
                                  Where where) {
    return copy_plane({"cudaMemcpy2DFromArray", kind, where}, from, {from_x, from_y, 0, width, height},
                      {to, pitch}, false, kind, nullptr, false);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t from_x,
                                       size_t from_y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream, Where where) {
    return copy_plane({"cudaMemcpy2DFromArrayAsync", kind, where}, from, {from_x, from_y, 0, width, height},
                      {to, pitch}, false, kind, stream, true);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind, Where where) {
    const simt::ApiLock lock;
    const Place at{"cudaMemcpy2DArrayToArray", kind, where};
    if (const cudaError_t error = begin(); error != cudaSuccess) return error;
    const ArrayRecord* destination = usable_array(to, at.call, "destination", where);
    const ArrayRecord* source =
        destination == nullptr ? nullptr : usable_array(from, at.call, "source", where);
    if (source == nullptr) return cudaErrorInvalidResourceHandle;
    const Box to_box{to_x, to_y, 0, width, height}, from_box{from_x, from_y, 0, width, height};
    if (const cudaError_t error = check_box(at, *destination, to_box, true); error != cudaSuccess)
        return error;
    if (const cudaError_t error = check_box(at, *source, from_box, false); error != cudaSuccess) return error;
    return queue_rows(at, rows_of(side_of(*destination, to_box), side_of(*source, from_box), to_box), kind,
                      false, nullptr, false);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t to_x, size_t to_y, const void* from, size_t bytes,
                              cudaMemcpyKind kind, Where where) {
    return copy_run({"cudaMemcpyToArray", kind, where}, to, to_x, to_y, const_cast<void*>(from), bytes, true,
                    kind, nullptr, false);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t to_x, size_t to_y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream, Where where) {
    return copy_run({"cudaMemcpyToArrayAsync", kind, where}, to, to_x, to_y, const_cast<void*>(from), bytes,
                    true, kind, stream, true);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t from_x, size_t from_y, size_t bytes,
                                cudaMemcpyKind kind, Where where) {
    return copy_run({"cudaMemcpyFromArray", kind, where}, from, from_x, from_y, to, bytes, false, kind,
                    nullptr, false);
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream, Where where) {
    return copy_run({"cudaMemcpyFromArrayAsync", kind, where}, from, from_x, from_y, to, bytes, false, kind,
                    stream, true);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes, cudaMemcpyKind kind,
                                   Where where) {
    const simt::ApiLock lock;
    const Place at{"cudaMemcpyArrayToArray", kind, where};
    const ArrayRecord* a = usable_array(from, at.call, "source", where);
    if (a == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = check_run(at, *a, from_x, from_y, bytes, false); error != cudaSuccess)
        return error;
    char* source = a->base + from_y * a->row_bytes() + from_x;
    return copy_run(at, to, to_x, to_y, source, bytes, true, kind, nullptr, false);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters, Where where) {
    return queue_copy_3d("cudaMemcpy3D", parameters, nullptr, false, where);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream, Where where) {
    return queue_copy_3d("cudaMemcpy3DAsync", parameters, stream, true, where);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters, Where where) {
    return copy_3d_peer("cudaMemcpy3DPeer", parameters, nullptr, false, where);
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream, Where where) {
    return copy_3d_peer("cudaMemcpy3DPeerAsync", parameters, stream, true, where);
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent, Where where) {
    return set_3d("cudaMemset3D", pointer, value, extent, nullptr, false, where);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream,
                              Where where) {
    return set_3d("cudaMemset3DAsync", pointer, value, extent, stream, true, where);
}
