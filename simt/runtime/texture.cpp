// cudaCreateTextureObject and its kin.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "simt/host/lock.h"
#include "simt/machine/arena.h"
#include "simt/runtime/array.h"
#include "simt/runtime/work.h"

#undef cudaDestroyTextureObject
#undef cudaDestroySurfaceObject

namespace simt::runtime {
namespace {

struct Descriptions {
    cudaResourceDesc resource{};
    cudaTextureDesc texture{};
};
std::map<uint64_t, Descriptions>& descriptions() {
    static auto& all = *new std::map<uint64_t, Descriptions>;
    return all;
}

constexpr size_t base_alignment = 512, pitch_alignment = 32;  // cudaDeviceProp of an H200
constexpr size_t most_linear_elements = size_t{1} << 28;      // cudaDevAttrMaxTexture1DLinearWidth
constexpr size_t most_columns = 131072, most_rows = 65000,
                 most_pitch = 2097120;  // cudaDeviceProp::maxTexture2DLinear

struct Request {
    const char* call;
    const char* noun;  // "texture" or "surface"
    Where where;
};

cudaError_t refuse(const Request& r, cudaError_t code, const std::string& what, const std::string& fix) {
    return fail(code, {.kind = "api-misuse",
                       .message = fmt::format("{} at line {} {}", r.call, r.where.line, what),
                       .fix = fix,
                       .where = r.where});
}

cudaError_t use_array(const Request& r, cudaArray_t handle, TextureObject& object) {
    const ArrayRecord* a = usable_array(handle, r.call, "array", r.where);
    if (a == nullptr) return cudaErrorInvalidResourceHandle;
    object.memory = a->memory;
    object.shape = a->shape();
    object.base = a->base;
    object.extent = {a->width(), a->height(), a->depth()};
    object.row_bytes = a->row_bytes();
    object.slice_bytes = a->slice_bytes();
    object.format = element_format(a->format);
    object.can_gather = (a->flags & cudaArrayTextureGather) != 0;
    return cudaSuccess;
}

// Memory that a pointer of the program's leads to: is it the device's, alive, and long enough?
cudaError_t use_memory(const Request& r, void* pointer, size_t bytes, TextureObject& object) {
    const Allocation* a = memory::find(pointer);
    const bool registered = a != nullptr && a == memory::registered_at(pointer);
    if (a == nullptr || registered)
        return fail(
            cudaErrorInvalidValue,
            {.kind = pointer == nullptr ? "api-misuse" : "host-pointer",
             .message = fmt::format("{} at line {} got {} as the memory of the texture", r.call, r.where.line,
                                    pointer == nullptr ? "a null pointer" : "host memory"),
             .fix = "Pass the pointer that cudaMalloc or cudaMallocPitch set.",
             .where = r.where});
    if (!a->live)
        return fail(cudaErrorInvalidValue,
                    {.kind = "use-after-free",
                     .message = fmt::format("{} at line {} uses {}, which line {} freed", r.call,
                                            r.where.line, a->name, a->freed.line),
                     .fix = "Free a buffer only after its last use.",
                     .where = r.where,
                     .buffer = a->name,
                     .has_other = true,
                     .other_action = "freed",
                     .other = a->freed});
    const size_t offset = static_cast<size_t>(static_cast<char*>(pointer) - a->base);
    if (bytes > a->bytes - offset)
        return fail(cudaErrorInvalidValue,
                    {.kind = "oob-global",
                     .message = fmt::format("{} at line {} makes a texture of {} bytes, but {} has {} there",
                                            r.call, r.where.line, bytes, a->name, a->bytes - offset),
                     .fix = "The size of linear memory and the pitch are in bytes, width and height of a "
                            "pitched texture in elements.",
                     .where = r.where,
                     .buffer = a->name,
                     .has_other = a->allocated.line != 0,
                     .other_action = "allocated",
                     .other = a->allocated});
    if (reinterpret_cast<uintptr_t>(pointer) % base_alignment != 0 && memory::is_device_address(pointer))
        return refuse(
            r, cudaErrorInvalidValue,
            fmt::format("got memory that begins {} bytes into {}: a texture's memory is aligned to {} "
                        "bytes",
                        offset, a->name, base_alignment),
            "Pass the pointer as the allocation set it, and add the offset to the index.");
    object.memory = a;
    object.base = static_cast<char*>(pointer);
    return cudaSuccess;
}

cudaError_t bad_format(const Request& r) {
    return refuse(r, cudaErrorInvalidChannelDescriptor, "has a format that textures can't have",
                  "Set the format of the elements: res.linear.desc = cudaCreateChannelDesc<float>().");
}

cudaError_t use_linear(const Request& r, const cudaResourceDesc& d, TextureObject& object) {
    const auto& linear = d.res.linear;
    object.format = element_format(linear.desc);
    if (object.format.channels == 0) return bad_format(r);
    const size_t count = linear.sizeInBytes / object.format.bytes();
    if (count > most_linear_elements)
        return refuse(r, cudaErrorInvalidValue,
                      fmt::format("makes a texture of {} elements of linear memory; {} are the most", count,
                                  most_linear_elements),
                      "sizeInBytes is the number of elements times their size.");
    if (count == 0)  // an H200 takes it
        report_finding({.kind = "api-misuse",
                        .advice = true,
                        .message = fmt::format("{} at line {} makes a texture of no elements: every fetch is "
                                               "outside and reads 0",
                                               r.call, r.where.line),
                        .fix = "Set res.linear.sizeInBytes to the number of elements times their size.",
                        .where = r.where});
    object.shape = TextureShape::linear;
    object.extent = {count, 1, 1};
    object.row_bytes = object.slice_bytes = count * object.format.bytes();
    return use_memory(r, linear.devPtr, linear.sizeInBytes, object);
}

cudaError_t use_pitched(const Request& r, const cudaResourceDesc& d, TextureObject& object) {
    const auto& p = d.res.pitch2D;
    object.format = element_format(p.desc);
    if (object.format.channels == 0) return bad_format(r);
    const size_t row = p.width * object.format.bytes();
    if (p.width == 0 || p.height == 0 || p.pitchInBytes % pitch_alignment != 0 || p.pitchInBytes < row)
        return refuse(r, cudaErrorInvalidValue,
                      fmt::format("makes a texture of {} rows of {} bytes, {} bytes apart", p.height, row,
                                  p.pitchInBytes),
                      fmt::format("Width and height are in elements and not 0; the pitch is in bytes, a "
                                  "multiple of {} and at least a row: use that of cudaMallocPitch.",
                                  pitch_alignment));
    if (p.width > most_columns || p.height > most_rows || p.pitchInBytes > most_pitch)
        return refuse(
            r, cudaErrorInvalidValue,
            fmt::format("makes a texture of {} x {} elements with a pitch of {} bytes; the most are {} x {} "
                        "and {}",
                        p.width, p.height, p.pitchInBytes, most_columns, most_rows, most_pitch),
            "Use an array for a larger picture, or several textures.");
    object.shape = TextureShape::two;
    object.extent = {p.width, p.height, 1};
    object.row_bytes = p.pitchInBytes;
    object.slice_bytes = p.pitchInBytes * p.height;
    return use_memory(r, p.devPtr, (p.height - 1) * p.pitchInBytes + row, object);
}

cudaError_t use_resource(const Request& r, const cudaResourceDesc& d, TextureObject& object) {
    switch (d.resType) {
        case cudaResourceTypeArray:
            return use_array(r, d.res.array.array, object);
        case cudaResourceTypeLinear:
            return use_linear(r, d, object);
        case cudaResourceTypePitch2D:
            return use_pitched(r, d, object);
        case cudaResourceTypeMipmappedArray:
            return refuse(r, cudaErrorNotSupported,
                          "wants a mipmapped array, which the CPU machine does not have",
                          "Use an array for each level.");
    }
    return refuse(r, cudaErrorInvalidValue,
                  fmt::format("has no valid resType: {}", static_cast<int>(d.resType)),
                  "Begin with  cudaResourceDesc res = {};  and set res.resType = cudaResourceTypeArray.");
}

// Wrapping and mirroring need normalised coordinates: without them the hardware clamps.
Addressing addressing(const cudaTextureDesc& d, unsigned dimension) {
    const cudaTextureAddressMode mode = d.addressMode[dimension];
    if (mode == cudaAddressModeBorder) return Addressing::border;
    if (d.normalizedCoords == 0 || mode == cudaAddressModeClamp) return Addressing::clamp;
    return mode == cudaAddressModeWrap ? Addressing::wrap : Addressing::mirror;
}

cudaError_t use_sampling(const Request& r, const cudaTextureDesc& d, TextureObject& object) {
    for (const cudaTextureAddressMode mode : d.addressMode)
        if (mode < cudaAddressModeWrap || mode > cudaAddressModeBorder)
            return refuse(r, cudaErrorInvalidValue,
                          fmt::format("has an addressMode that there is not: {}", static_cast<int>(mode)),
                          "Begin with  cudaTextureDesc tex = {};  so that all of it is set.");
    if (d.sRGB != 0)
        return refuse(r, cudaErrorNotSupported, "asks for sRGB, which the CPU machine does not convert",
                      "Convert in the kernel.");
    object.normalizes = d.readMode == cudaReadModeNormalizedFloat;
    if (object.normalizes && object.format.base != ChannelBase::real && object.format.bits == 32)
        return refuse(r, cudaErrorInvalidNormSetting,
                      fmt::format("reads {} elements as normalised floats", object.format.name()),
                      "Only integers of 8 and 16 bits can be: set readMode to cudaReadModeElementType.");
    if (object.shape == TextureShape::linear)
        return cudaSuccess;  // tex1Dfetch knows no coordinates but indices
    for (unsigned i = 0; i < 3; ++i) object.addressing[i] = addressing(d, i);
    object.filters = d.filterMode == cudaFilterModeLinear;
    object.normalized_coordinates = d.normalizedCoords != 0;
    std::copy(std::begin(d.borderColor), std::end(d.borderColor), object.border.begin());
    if (object.filters && !object.returns_floats())
        return refuse(
            r, cudaErrorInvalidFilterSetting,
            fmt::format("asks for linear filtering of {} elements, which are read as integers",
                        object.format.name()),
            object.format.bits <= 16
                ? "Set readMode to cudaReadModeNormalizedFloat, or filterMode to cudaFilterModePoint."
                : "Filter floats, or set filterMode to cudaFilterModePoint.");
    return cudaSuccess;
}

cudaError_t keep(const Request& r, TextureObject& object, const Descriptions& given,
                 unsigned long long* handle) {
    object.created = r.where;
    object.device = current_device();
    const char* note = allocation_note(r.where.file, r.where.line);
    object.name = note != nullptr ? note : fmt::format("the {} object of line {}", r.noun, r.where.line);
    const uint64_t made = add_texture_object(object);
    if (made == 0) return fail(cudaErrorMemoryAllocation);
    descriptions().emplace(made, given);
    *handle = made;
    return cudaSuccess;
}

// Of what is queued, all may still use the object.
cudaError_t destroy(uint64_t handle, bool is_surface, const char* call, Where where) {
    const ApiLock lock;
    if (queue::host_function == nullptr) finish_everything();
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    TextureObject* object = find_texture_object(handle);
    const Request r{call, is_surface ? "surface" : "texture", where};
    if (object == nullptr || object->is_surface != is_surface)
        return handle == 0
                   ? cudaSuccess
                   : refuse(r, cudaErrorInvalidValue, fmt::format("got something that is no {}", r.noun),
                            fmt::format("Pass the {} object itself.", r.noun));
    if (!object->live)
        return fail(cudaErrorInvalidValue,
                    {.kind = "double-free",
                     .message = fmt::format("{} at line {} destroys {} a second time; line {} did already",
                                            call, where.line, object->name, object->destroyed.line),
                     .fix = "Destroy each object once.",
                     .where = where,
                     .buffer = object->name,
                     .has_other = true,
                     .other_action = "freed",
                     .other = object->destroyed});
    object->live = false;
    object->destroyed = where;
    return cudaSuccess;
}

const Descriptions* description_of(uint64_t handle, bool is_surface) {
    const TextureObject* object = find_texture_object(handle);
    if (object == nullptr || !object->live || object->is_surface != is_surface) return nullptr;
    return &descriptions().at(handle);
}

}  // namespace
}  // namespace simt::runtime

using simt::Where;
using namespace simt::runtime;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view,
                                    Where where) {
    const simt::ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    const Request r{"cudaCreateTextureObject", "texture", where};
    if (texture == nullptr || resource == nullptr || description == nullptr)
        return refuse(
            r, description == nullptr ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue,
            "got a null pointer",
            "It takes the addresses of a cudaTextureObject_t, a cudaResourceDesc and a cudaTextureDesc; "
            "only the last argument may be nullptr.");
    if (view != nullptr)
        return refuse(r, cudaErrorNotSupported, "has a resource view, which the CPU machine does not have",
                      "Pass nullptr as the last argument: the texture then has the format of its memory.");
    simt::TextureObject object;
    if (const cudaError_t error = use_resource(r, *resource, object); error != cudaSuccess) return error;
    if (const cudaError_t error = use_sampling(r, *description, object); error != cudaSuccess) return error;
    return keep(r, object, {*resource, *description}, texture);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource,
                                    Where where) {
    const simt::ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    const Request r{"cudaCreateSurfaceObject", "surface", where};
    if (surface == nullptr || resource == nullptr)
        return refuse(r, cudaErrorInvalidValue, "got a null pointer",
                      "It takes the addresses of a cudaSurfaceObject_t and a cudaResourceDesc.");
    if (resource->resType != cudaResourceTypeArray)
        return refuse(r, cudaErrorInvalidValue, "wants a surface of something that is no array",
                      "Surfaces are of arrays: set resType to cudaResourceTypeArray.");
    simt::TextureObject object;
    object.is_surface = true;
    if (const cudaError_t error = use_array(r, resource->res.array.array, object); error != cudaSuccess)
        return error;
    // An H200 makes the object all the same; CUDA does not say what it then does.
    if ((find_array(resource->res.array.array)->flags & cudaArraySurfaceLoadStore) == 0)
        simt::report_finding(
            {.kind = "api-misuse",
             .message = fmt::format("{} at line {} wants a surface of {}, which was not made for one", r.call,
                                    where.line, object.memory->name),
             .fix = "Give cudaMallocArray or cudaMalloc3DArray the flag cudaArraySurfaceLoadStore.",
             .where = where});
    return keep(r, object, {*resource, {}}, surface);
}

cudaError_t simt::cuda::destroy_texture(cudaTextureObject_t texture, Where where) {
    return destroy(texture, false, "cudaDestroyTextureObject", where);
}
cudaError_t simt::cuda::destroy_surface(cudaSurfaceObject_t surface, Where where) {
    return destroy(surface, true, "cudaDestroySurfaceObject", where);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    return simt::cuda::destroy_texture(texture, {});
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return simt::cuda::destroy_surface(surface, {});
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture, Where) {
    const simt::ApiLock lock;
    const Descriptions* d = description_of(texture, false);
    if (resource == nullptr || d == nullptr) return fail(cudaErrorInvalidValue);
    *resource = d->resource;
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture,
                                            Where) {
    const simt::ApiLock lock;
    const Descriptions* d = description_of(texture, false);
    if (description == nullptr || d == nullptr) return fail(cudaErrorInvalidValue);
    *description = d->texture;
    return cudaSuccess;
}

// No texture has one here: then an H200 gives an empty one.
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t texture,
                                                 Where) {
    const simt::ApiLock lock;
    if (view == nullptr || description_of(texture, false) == nullptr) return fail(cudaErrorInvalidValue);
    *view = {};
    return cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface, Where) {
    const simt::ApiLock lock;
    const Descriptions* d = description_of(surface, true);
    if (resource == nullptr || d == nullptr) return fail(cudaErrorInvalidValue);
    *resource = d->resource;
    return cudaSuccess;
}
