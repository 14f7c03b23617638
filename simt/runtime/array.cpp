// cudaMallocArray and its kin.
#include "simt/runtime/array.h"

#include <fmt/format.h>

#include <map>

#include "simt/host/lock.h"
#include "simt/machine/devices.h"
#include "simt/runtime/work.h"

#undef cudaFreeArray

namespace simt::runtime {
namespace {

// By handle, which is the record's own address.
std::map<const void*, ArrayRecord*>& arrays() {
    static auto& all = *new std::map<const void*, ArrayRecord*>;
    return all;
}

constexpr unsigned known_flags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather;

cudaError_t refuse(cudaError_t code, const char* call, Where where, const std::string& what,
                   const std::string& fix) {
    return fail(code, {.kind = "api-misuse",
                       .message = fmt::format("{} at line {} {}", call, where.line, what),
                       .fix = fix,
                       .where = where});
}

// "1024 x 768"
std::string product(cudaExtent e) {
    std::string text = fmt::format("{}", e.width);
    for (const size_t count : {e.height, e.depth})
        if (count != 0) text += fmt::format(" x {}", count);
    return text;
}

// The most elements of each dimension, as an H200 has them (CUDA programming guide, "Technical Specifications per
// Compute Capability": 9.0).
cudaError_t check_extent(const char* call, cudaExtent e, unsigned flags, Where where) {
    const bool layered = (flags & cudaArrayLayered) != 0;
    cudaExtent most{131072, 0, 0};
    if (e.height != 0 && e.depth == 0) most = {131072, 65536, 0};
    if (e.height != 0 && e.depth != 0) most = {16384, 16384, 16384};
    if (layered) most = {32768, 32768, 2048};
    if (e.width == 0)
        return refuse(cudaErrorInvalidValue, call, where, "asks for an array of width 0",
                      "The width is the first of the extents, in elements.");
    if (layered && e.depth == 0)
        return refuse(cudaErrorInvalidValue, call, where, "asks for a layered array of no layers",
                      "The number of layers is the depth: make_cudaExtent(width, height, layers).");
    if (!layered && e.height == 0 && e.depth != 0)
        return refuse(cudaErrorInvalidValue, call, where, "asks for an array with a depth and no height",
                      "Give it a height, or the flag cudaArrayLayered, which makes the depth a number of "
                      "layers.");
    if (e.width <= most.width && e.height <= most.height && e.depth <= most.depth) return cudaSuccess;
    return refuse(
        cudaErrorInvalidValue, call, where,
        fmt::format("asks for {} elements; the most for such an array is {}", product(e), product(most)),
        "Widths of arrays are in elements, not in bytes; split what is larger.");
}

cudaError_t check_request(const char* call, const cudaArray_t* array, const cudaChannelFormatDesc* format,
                          cudaExtent extent, unsigned flags, Where where) {
    if (array == nullptr || format == nullptr)
        return refuse(cudaErrorInvalidValue, call, where,
                      fmt::format("got a null pointer as its {}", array == nullptr ? "array" : "format"),
                      "Pass the address of a cudaArray_t, and that of a cudaCreateChannelDesc<float>().");
    if ((flags & cudaArrayCubemap) != 0)
        return refuse(cudaErrorNotSupported, call, where,
                      "asks for a cubemap, which the CPU machine does not have",
                      "Use a layered array of six layers.");
    if ((flags & ~known_flags) != 0)
        return refuse(
            cudaErrorNotSupported, call, where,
            fmt::format("has flags that the CPU machine does not know: {:#x}", flags & ~known_flags),
            "Sparse arrays and those of graphics libraries run only on a GPU.");
    if (element_format(*format).channels == 0)
        return refuse(cudaErrorInvalidChannelDescriptor, call, where,
                      fmt::format("has a format of {}, {}, {} and {} bits that arrays can't have", format->x,
                                  format->y, format->z, format->w),
                      "Elements have 1, 2 or 4 channels, all of 8, 16 or 32 bits: "
                      "cudaCreateChannelDesc<float>(), <uchar4>(), ...");
    return check_extent(call, extent, flags, where);
}

// Names of elements: [y][x], [layer][x], [z][y][x].
void name_elements(const ArrayRecord& a) {
    const bool has_rows = a.extent.height != 0, has_depth = a.extent.depth != 0;
    if (has_rows && has_depth) {
        memory::set_extents(a.base, {a.depth(), a.height(), a.width()});
    } else if (has_rows || has_depth) {
        memory::set_extents(a.base, {has_rows ? a.height() : a.depth(), a.width()});
    }
}

cudaError_t allocate_array(const char* call, cudaArray_t* array, const cudaChannelFormatDesc* format,
                           cudaExtent extent, unsigned flags, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (const cudaError_t error = check_request(call, array, format, extent, flags, where);
        error != cudaSuccess)
        return error;
    ArrayRecord record{.format = *format, .extent = extent, .flags = flags};
    record.element_bytes = element_format(*format).bytes();
    const size_t bytes = record.slice_bytes() * record.depth();
    record.base =
        static_cast<char*>(memory::allocate(bytes, record.element_bytes, BufferSpace::array, "", where));
    if (record.base == nullptr)
        return fail(
            cudaErrorMemoryAllocation,
            {.kind = "api-misuse",
             .advice = true,
             .message = fmt::format("{} at line {} asks for {} bytes; {} are free", call, where.line, bytes,
                                    memory::bytes_total() - memory::bytes_in_use()),
             .fix = "Widths of arrays are in elements, not in bytes; or free what is no longer needed.",
             .where = where});
    record.memory = memory::find(record.base);
    name_elements(record);
    auto* kept = new ArrayRecord(record);
    arrays().emplace(kept, kept);
    *array = reinterpret_cast<cudaArray_t>(kept);
    return cudaSuccess;
}

}  // namespace

TextureShape ArrayRecord::shape() const {
    if ((flags & cudaArrayLayered) != 0)
        return extent.height == 0 ? TextureShape::one_layered : TextureShape::two_layered;
    if (extent.depth != 0) return TextureShape::three;
    return extent.height == 0 ? TextureShape::one : TextureShape::two;
}

const ArrayRecord* find_array(const void* handle) {
    const auto found = arrays().find(handle);
    return found == arrays().end() ? nullptr : found->second;
}

const Allocation* array_memory(const void* handle) {
    const ArrayRecord* a = find_array(handle);
    return a == nullptr ? nullptr : a->memory;
}

ElementFormat element_format(const cudaChannelFormatDesc& f) {
    const unsigned channels = f.y == 0 ? 1 : f.z == 0 ? 2 : f.w == 0 ? 3 : 4;
    const int sizes[] = {f.x, f.y, f.z, f.w};
    for (unsigned c = 0; c < 4; ++c)
        if (sizes[c] != (c < channels ? f.x : 0)) return {};
    if (channels == 3 || (f.x != 8 && f.x != 16 && f.x != 32)) return {};
    if (f.f > cudaChannelFormatKindFloat || (f.f == cudaChannelFormatKindFloat && f.x == 8)) return {};
    return {channels, static_cast<unsigned>(f.x),
            f.f == cudaChannelFormatKindFloat    ? ChannelBase::real
            : f.f == cudaChannelFormatKindSigned ? ChannelBase::signed_integer
                                                 : ChannelBase::unsigned_integer};
}

const ArrayRecord* usable_array(cudaArray_const_t handle, const char* call, const char* role, Where where) {
    const ArrayRecord* a = find_array(handle);
    if (a == nullptr) {
        refuse(cudaErrorInvalidResourceHandle, call, where,
               fmt::format("got {} as its {}",
                           handle == nullptr ? "a null array" : "something that is no array", role),
               "Pass the handle that cudaMallocArray or cudaMalloc3DArray set, and check what they return.");
        return nullptr;
    }
    if (a->memory->live) return a;
    fail(cudaErrorInvalidResourceHandle,
         {.kind = "use-after-free",
          .message = fmt::format("{} at line {} uses {}, which line {} freed", call, where.line,
                                 a->memory->name, a->memory->freed.line),
          .fix = "Free an array only after its last use.",
          .where = where,
          .buffer = a->memory->name,
          .has_other = true,
          .other_action = "freed",
          .other = a->memory->freed});
    return nullptr;
}

}  // namespace simt::runtime

using namespace simt::runtime;
using simt::Where;

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags, Where where) {
    return allocate_array("cudaMallocArray", array, format, {width, height, 0}, flags, where);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags, Where where) {
    return allocate_array("cudaMalloc3DArray", array, format, extent, flags, where);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t*, const cudaChannelFormatDesc*, cudaExtent,
                                     unsigned, unsigned, Where where) {
    return refuse(cudaErrorNotSupported, "cudaMallocMipmappedArray", where,
                  "asks for a mipmapped array, which the CPU machine does not have",
                  "Use an array for each level.");
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t, Where) {
    return fail(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array, Where where) {
    const simt::ApiLock lock;
    if (format == nullptr) return fail(cudaErrorInvalidValue);
    const ArrayRecord* a = usable_array(array, "cudaGetChannelDesc", "array", where);
    if (a == nullptr) return cudaErrorInvalidResourceHandle;
    *format = a->format;
    return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array, Where where) {
    const simt::ApiLock lock;
    const ArrayRecord* a = usable_array(array, "cudaArrayGetInfo", "array", where);
    if (a == nullptr) return cudaErrorInvalidResourceHandle;
    if (format != nullptr) *format = a->format;
    if (extent != nullptr) *extent = a->extent;
    if (flags != nullptr) *flags = a->flags;
    return cudaSuccess;
}

// Waits for the device first, as cudaFree does.
cudaError_t simt::cuda::release_array(cudaArray_t array, Where where) {
    const ApiLock lock;
    const ArrayRecord* a = find_array(array);
    if (queue::host_function == nullptr)
        finish_devices(a != nullptr ? devices::that_reach(a->memory->device)
                                    : devices::only(current_device()));
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    if (array == nullptr) return cudaSuccess;
    if (a == nullptr)
        return fail(
            cudaErrorInvalidValue,
            {.kind = "invalid-free",
             .message = fmt::format("cudaFreeArray at line {} got something that is no array", where.line),
             .fix = "Pass the handle that cudaMallocArray or cudaMalloc3DArray set; pointers are freed "
                    "with cudaFree.",
             .where = where});
    return memory::release(a->base, where) == memory::Released::ok ? cudaSuccess
                                                                   : fail(cudaErrorInvalidValue);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    return simt::cuda::release_array(array, {});
}
