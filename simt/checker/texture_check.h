// What is wrong with a texture or surface function that a kernel's thread calls, in checked mode.
#pragma once

#include <array>

#include "simt/machine/lane.h"
#include "simt/machine/texture.h"

namespace simt {

// The object, or nullptr where the function does not fit it (a finding, no fault). Does not return where there is
// no such object any more, or no memory behind it.
const TextureObject* check_texture(Lane& lane, uint64_t handle, TextureCall call, const void* pc);
// Whatever the fetch reads: was it written, and before this launch?
// `at`: the coordinates x and y, as the program gave them.
void check_fetch(Lane& lane, uint64_t handle, const TextureObject& texture, TextureCall call,
                 std::array<float, 2> at, Footprint footprint, int integer, const void* pc);
const TextureObject& check_surface(Lane& lane, uint64_t handle, SurfaceCall call, bool writes,
                                   const void* pc);

// `at`: x in bytes, y, z or layer.
void report_surface_bounds(const Lane& lane, const TextureObject& surface, SurfaceCall call,
                           std::array<int, 3> at, bool writes, const void* pc);
void report_surface_alignment(const Lane& lane, const TextureObject& surface, SurfaceCall call, int x,
                              bool writes, const void* pc);
// findings_devices.cpp
void report_object_of_other_device(const Lane& lane, const TextureObject& object, const std::string& function,
                                   const void* pc);
// A texture or surface reads a word that this very launch has written.
void report_incoherent(const Lane& lane, const void* address, uint64_t write_epoch, uint32_t write_site,
                       const void* pc);

// ---- access.cpp ----

// The thread takes its turn, as before any access.
void begin_texture_access(Lane& lane, const void* pc);
// One element (1 to 16 bytes, aligned) of live memory.
void check_texel(Lane& lane, const Allocation& memory, const void* address, unsigned bytes, bool writes,
                 const void* pc);
void log_texture(Lane& lane, const void* address, unsigned bytes, bool writes, const void* pc);
// A fetch from a 2D texture, which the trace tells more of.
void log_fetch(Lane& lane, uint64_t handle, trace::TexturePlace at, unsigned bytes, const void* pc);

}  // namespace simt
