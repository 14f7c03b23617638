// Texture and surface functions of kernels, and the table of the objects they read through.
#include "simt/machine/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "simt/checker/texture_check.h"
#include "simt/machine/errors.h"
#include "simt/machine/fast.h"
#include "simt/machine/launch_run.h"

namespace simt {
namespace {

// As many as CUDA's texture objects may be at once. Kernels of fast mode look here from every core.
constexpr uint64_t most_objects = uint64_t{1} << 20;
std::atomic<TextureObject*> objects[most_objects];
std::mutex objects_mutex;
uint64_t object_count = 0;

// Fast mode has no findings: what the checked mode calls a fault ends the launch.
const TextureObject& usable(uint64_t handle, TextureShape shape, bool is_surface) {
    const TextureObject* object = find_texture_object(handle);
    if (object == nullptr || !object->live || object->is_surface != is_surface || object->shape != shape ||
        !object->memory->live) {
        fast::fail(error_illegal_address);
    }
    return *object;
}

// In CUDA no host code can call these functions.
void refuse_outside_kernel(const char* noun, Where where) {
    report_finding(
        {.kind = "api-misuse",
         .message = fmt::format("line {} calls a function of a {} outside a kernel", where.line, noun),
         .fix = "Call it in a kernel, or in a __device__ function that a kernel calls.",
         .where = where});
}

Texel read_bytes(const char* device, unsigned bytes) {
    Texel texel{};
    std::memcpy(&texel, memory::host_view(device), bytes);
    return texel;
}

struct SurfacePlace {
    char* address = nullptr;  // nullptr: outside, where zero mode reads 0 and writes nothing
    bool inside = false;      // as the coordinates were given
    int64_t byte = 0;         // in the row
};

constexpr uint8_t clamp_mode = 1;  // cudaBoundaryModeClamp
constexpr uint8_t trap_mode = 2;

SurfacePlace place_of(const TextureObject& surface, SurfaceCall call, int x, int y, int z) {
    const std::array<int64_t, 3> most{static_cast<int64_t>(surface.row_bytes) - call.bytes,
                                      static_cast<int64_t>(surface.extent[1]) - 1,
                                      static_cast<int64_t>(surface.extent[2]) - 1};
    std::array<int64_t, 3> at{x, y, z};
    SurfacePlace place;
    place.inside = true;
    for (unsigned d = 0; d < 3; ++d) place.inside = place.inside && at[d] >= 0 && at[d] <= most[d];
    if (!place.inside && (call.boundary != clamp_mode || most[0] < 0)) return place;
    for (unsigned d = 0; d < 3; ++d) at[d] = std::clamp<int64_t>(at[d], 0, most[d]);
    place.byte = at[0];
    place.address = surface.address(0, static_cast<size_t>(at[1]), static_cast<size_t>(at[2])) + at[0];
    return place;
}

// Where a surface function of the running thread goes; does not return where it must not.
char* surface_address(uint64_t handle, SurfaceCall call, int x, int y, int z, bool writes, Where where,
                      const void* pc) {
    if (current_lane == nullptr) {
        if (!fast::running()) {
            refuse_outside_kernel("surface", where);
            return nullptr;
        }
        const SurfacePlace place = place_of(usable(handle, call.shape, true), call, x, y, z);
        if (!place.inside && call.boundary == trap_mode) fast::fail(error_illegal_address);
        return place.address;
    }
    Lane& lane = *current_lane;
    begin_texture_access(lane, pc);
    const TextureObject& surface = check_surface(lane, handle, call, writes, pc);
    const SurfacePlace place = place_of(surface, call, x, y, z);
    if (!place.inside && call.boundary == trap_mode) {
        report_surface_bounds(lane, surface, call, {x, y, z}, writes, pc);
        abandon(lane);
    }
    if (place.address == nullptr) return nullptr;
    if (place.byte % call.bytes != 0) {
        report_surface_alignment(lane, surface, call, x, writes, pc);
        abandon(lane);
    }
    // Rows lie without gaps here: what is wider than an element need not be aligned as a whole.
    const unsigned piece = std::min<unsigned>(call.bytes, surface.format.bytes());
    for (unsigned i = 0; i < call.bytes; i += piece)
        check_texel(lane, *surface.memory, place.address + i, piece, writes, pc);
    log_texture(lane, place.address, call.bytes, writes, pc);
    return place.address;
}

}  // namespace

uint64_t add_texture_object(const TextureObject& object) {
    const std::lock_guard lock(objects_mutex);
    if (object_count == most_objects) return 0;
    objects[object_count].store(new TextureObject(object), std::memory_order_release);
    return ++object_count;
}

TextureObject* find_texture_object(uint64_t handle) {
    if (handle == 0 || handle > most_objects) return nullptr;
    return objects[handle - 1].load(std::memory_order_acquire);
}

Texel texture_fetch(uint64_t handle, TextureCall call, float x, float y, float z, int integer, Where where) {
    const void* pc = __builtin_return_address(0);
    const auto footprint = [&](const TextureObject& texture) {
        if (call.gather < 0) return footprint_of(texture, call.shape, x, y, z, integer);
        return Footprint{
            {gathered_of(texture, 0, x), gathered_of(texture, 1, y), Taps{{0, Taps::none}, {256, 0}}}};
    };
    const auto fetch = [&](const TextureObject& texture, const Footprint& f) {
        return call.gather < 0 ? sample(texture, f) : gather(texture, f, static_cast<unsigned>(call.gather));
    };
    if (fast::running()) {
        const TextureObject& texture = usable(handle, call.shape, false);
        return fetch(texture, footprint(texture));
    }
    if (current_lane == nullptr) {
        refuse_outside_kernel("texture", where);
        return {};
    }
    Lane& lane = *current_lane;
    begin_texture_access(lane, pc);
    const TextureObject* texture = check_texture(lane, handle, call, pc);
    if (texture == nullptr) return {};  // a finding, but no fault
    const Footprint f = footprint(*texture);
    check_fetch(lane, handle, *texture, call, {x, y}, f, integer, pc);
    return fetch(*texture, f);
}

Texel surface_read(uint64_t surface, SurfaceCall call, int x, int y, int z, Where where) {
    const char* from = surface_address(surface, call, x, y, z, false, where, __builtin_return_address(0));
    return from == nullptr ? Texel{} : read_bytes(from, call.bytes);
}

void surface_write(uint64_t surface, SurfaceCall call, int x, int y, int z, Texel bytes, Where where) {
    char* to = surface_address(surface, call, x, y, z, true, where, __builtin_return_address(0));
    if (to != nullptr) std::memcpy(memory::host_view(to), &bytes, call.bytes);
}

}  // namespace simt
