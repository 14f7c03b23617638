#include "simt/checker/texture_check.h"

#include <fmt/format.h>

#include "simt/checker/access.h"
#include "simt/checker/draft.h"
#include "simt/checker/findings.h"
#include "simt/checker/race.h"
#include "simt/machine/devices.h"
#include "simt/machine/errors.h"

namespace simt {

using namespace finding;

namespace {

const char* texture_function(TextureShape shape) {
    static constexpr const char* names[] = {"tex1Dfetch", "tex1D",        "tex2D",
                                            "tex3D",      "tex1DLayered", "tex2DLayered"};
    return names[static_cast<int>(shape)];
}

std::string function_name(TextureCall call) {
    return call.gather >= 0 ? "tex2Dgather" : texture_function(call.shape);
}

std::string surface_function(TextureShape shape, bool writes) {
    static constexpr const char* names[] = {"",       "surf1D",        "surf2D",
                                            "surf3D", "surf1DLayered", "surf2DLayered"};
    return std::string(names[static_cast<int>(shape)]) + (writes ? "write" : "read");
}

const char* memory_name(TextureShape shape) {
    static constexpr const char* names[] = {"linear memory", "a 1D array",         "a 2D array",
                                            "a 3D array",    "a layered 1D array", "a layered 2D array"};
    return names[static_cast<int>(shape)];
}

ElementFormat asked_format(TextureCall call) {
    return {call.components, call.bits, call.base};
}

// `noun`: "texture" or "surface".
void report_no_object(const Lane& lane, uint64_t handle, const std::string& function, const char* noun,
                      const void* pc) {
    const Site at = program.site(pc);
    fault(lane, error_illegal_address);
    const TextureObject* o = find_texture_object(handle);
    Draft d{.kind = "api-misuse", .message = "", .at = at, .lane = &lane};
    if (o == nullptr) {
        d.message = fmt::format("{} called {}{} with a {} object that was never made ({})", name_lane(lane),
                                function, at_line(at), noun, handle);
        d.fix = fmt::format("Make it with {}, check what that returns, and pass the object to the kernel.",
                            *noun == 't' ? "cudaCreateTextureObject" : "cudaCreateSurfaceObject");
    } else if (!o->live) {
        d.kind = "use-after-free";
        d.message = fmt::format("{} called {}{} with {}, which line {} had destroyed", name_lane(lane),
                                function, at_line(at), o->name, o->destroyed.line);
        d.fix = fmt::format("Destroy the {} object after the last kernel that uses it has finished.", noun);
        d.has_other = true;
        d.other_action = "freed";
        d.other = site_of(o->destroyed);
    } else {
        d.message = fmt::format("{} called {}{} with {}, which is a {} object", name_lane(lane), function,
                                at_line(at), o->name, o->is_surface ? "surface" : "texture");
        d.fix = fmt::format("Make a {} object of the same array for it.", noun);
    }
    finding::write(d);
}

// An object is of one device; its memory may be of another one that this one reaches.
void check_device(Lane& lane, const TextureObject& o, const std::string& function, const void* pc) {
    const LaunchRun& launch = *lane.block->launch;
    if (o.device == launch.device && is_reachable(launch, *o.memory)) return;
    if (o.device != launch.device)
        report_object_of_other_device(lane, o, function, pc);
    else
        report_other_device(lane, *o.memory, o.base, false, pc);
    abandon(lane);
}

void report_freed_memory(const Lane& lane, const TextureObject& o, const std::string& function,
                         const void* pc) {
    const Site at = program.site(pc);
    fault(lane, error_illegal_address);
    finding::write({.kind = "use-after-free",
                    .message = fmt::format("{} called {}{} with {}, but line {} had freed {}, its memory",
                                           name_lane(lane), function, at_line(at), o.name,
                                           o.memory->freed.line, o.memory->name),
                    .fix = "Free the memory after the last kernel that uses it has finished, and destroy the "
                           "object with it.",
                    .at = at,
                    .lane = &lane,
                    .element = {o.memory->name},
                    .has_other = true,
                    .other_action = "freed",
                    .other = site_of(o.memory->freed)});
}

void report_shape(const Lane& lane, const TextureObject& o, const std::string& function,
                  const std::string& right, const void* pc) {
    const Site at = program.site(pc);
    finding::write({.kind = "api-misuse",
                    .message = fmt::format("{} called {}{} with {}, whose memory is {}", name_lane(lane),
                                           function, at_line(at), o.name, memory_name(o.shape)),
                    .fix = fmt::format("Use {} for it.", right),
                    .at = at,
                    .lane = &lane,
                    .element = {o.name}});
}

void report_no_gather(const Lane& lane, const TextureObject& o, const void* pc) {
    const Site at = program.site(pc);
    finding::write({.kind = "api-misuse",
                    .message = fmt::format("{} called tex2Dgather{} with {}, whose memory is no array that "
                                           "was made for it",
                                           name_lane(lane), at_line(at), o.name),
                    .fix = "Give cudaMallocArray the flag cudaArrayTextureGather.",
                    .at = at,
                    .lane = &lane,
                    .element = {o.name}});
}

void report_type(const Lane& lane, const TextureObject& o, TextureCall call, bool advice, const void* pc) {
    const Site at = program.site(pc);
    const ElementFormat asked = asked_format(call);
    const std::string function = function_name(call);
    const bool wants_float = call.base == ChannelBase::real;
    std::string gives = fmt::format("holds {} elements", o.format.name());
    std::string fix = fmt::format("Write {}<{}>.", function, o.format.name());
    if (wants_float && !o.returns_floats()) {
        gives += " and does not convert them";
        if (o.format.bits <= 16)
            fix = fmt::format(
                "Write {}<{}>, or set readMode to cudaReadModeNormalizedFloat when the texture "
                "is made.",
                function, o.format.name());
    } else if (!wants_float && o.returns_floats() && o.format.base != ChannelBase::real) {
        gives += " and gives them as floats (cudaReadModeNormalizedFloat)";
        fix =
            fmt::format("Write {}<{}>, or set readMode to cudaReadModeElementType when the texture is made.",
                        function, ElementFormat{o.format.channels, 32, ChannelBase::real}.name());
    }
    finding::write({.kind = "api-misuse",
                    .message = fmt::format("{} asked {} for {}{}, but {} {}", name_lane(lane), function,
                                           asked.name(), at_line(at), o.name, gives),
                    .fix = fix,
                    .advice = advice,
                    .at = at,
                    .lane = &lane,
                    .element = {o.name},
                    .has_other = o.created.line != 0,
                    .other_action = "declared",
                    .other = site_of(o.created)});
}

// A float asked for where integers come (or the other way round) is noise, and so is a part of an integer. A wider
// integer, or one of the other sign, is what the hardware extends the element to: worth a word.
void check_type(const Lane& lane, const TextureObject& o, TextureCall call, const void* pc) {
    const bool wants_float = call.base == ChannelBase::real;
    const bool lacks_channels = call.gather < 0 && call.components > o.format.channels;
    if (wants_float != o.returns_floats()) return report_type(lane, o, call, false, pc);
    if (!wants_float && call.bits < o.format.bits) return report_type(lane, o, call, false, pc);
    const bool differs = !wants_float && (call.bits != o.format.bits || call.base != o.format.base);
    if (differs || lacks_channels) report_type(lane, o, call, true, pc);
}

// The hardware gives 0 there.
void advise_index(const Lane& lane, const TextureObject& o, int index, const void* pc) {
    const Site at = program.site(pc);
    finding::write({.kind = "oob-global",
                    .message = fmt::format("{} fetched element {} of {}{}, which has {} elements: it read 0",
                                           name_lane(lane), index, o.name, at_line(at), o.extent[0]),
                    .fix = "Check the index; the size of a texture of linear memory is given in bytes.",
                    .advice = true,
                    .at = at,
                    .lane = &lane,
                    .element = {o.name, index, o.extent[0]}});
}

std::string place_text(const TextureObject& surface, std::array<int, 3> at) {
    const bool layered =
        surface.shape == TextureShape::one_layered || surface.shape == TextureShape::two_layered;
    std::string text = fmt::format("byte {}", at[0]);
    if (surface.shape == TextureShape::two || surface.shape == TextureShape::three ||
        surface.shape == TextureShape::two_layered)
        text += fmt::format(" of row {}", at[1]);
    if (layered) text += fmt::format(" of layer {}", at[2]);
    if (surface.shape == TextureShape::three) text += fmt::format(" of slice {}", at[2]);
    return text;
}

std::string extent_text(const TextureObject& surface) {
    std::string text = fmt::format("rows of {} bytes ({} elements)", surface.row_bytes, surface.extent[0]);
    switch (surface.shape) {
        case TextureShape::two:
            return fmt::format("{} {}", surface.extent[1], text);
        case TextureShape::three:
            return fmt::format("{} slices of {} {}", surface.extent[2], surface.extent[1], text);
        case TextureShape::one_layered:
            return fmt::format("{} layers, {}", surface.extent[2], text);
        case TextureShape::two_layered:
            return fmt::format("{} layers of {} {}", surface.extent[2], surface.extent[1], text);
        default:
            return fmt::format("{} bytes ({} elements)", surface.row_bytes, surface.extent[0]);
    }
}

}  // namespace

const TextureObject* check_texture(Lane& lane, uint64_t handle, TextureCall call, const void* pc) {
    const TextureObject* o = find_texture_object(handle);
    const std::string function = function_name(call);
    if (o == nullptr || !o->live || o->is_surface) {
        report_no_object(lane, handle, function, "texture", pc);
        abandon(lane);
    }
    if (!o->memory->live) {
        report_freed_memory(lane, *o, function, pc);
        abandon(lane);
    }
    if (devices::several) check_device(lane, *o, function, pc);
    if (o->shape != call.shape) {
        report_shape(lane, *o, function, texture_function(o->shape), pc);
        return nullptr;
    }
    if (call.gather >= 0 && !o->can_gather) report_no_gather(lane, *o, pc);
    check_type(lane, *o, call, pc);
    return o;
}

void check_fetch(Lane& lane, uint64_t handle, const TextureObject& texture, TextureCall call,
                 std::array<float, 2> at, Footprint f, int integer, const void* pc) {
    if (call.gather >= 0) f.taps[0].weight = f.taps[1].weight = {128, 128};  // all four are read
    if (call.shape == TextureShape::linear && f.taps[0].index[0] == Taps::none)
        advise_index(lane, texture, integer, pc);
    const unsigned bytes = texture.format.bytes();
    const char* first = nullptr;
    each_texel(texture, f, [&](const char* address, unsigned) {
        if (address == nullptr) return;
        if (first == nullptr) first = address;
        check_texel(lane, *texture.memory, address, bytes, false, pc);
    });
    if (call.shape == TextureShape::two && call.gather < 0)
        return log_fetch(lane, handle, {position_of(texture, 0, at[0]), position_of(texture, 1, at[1])},
                         bytes, pc);
    if (first != nullptr) log_texture(lane, first, bytes, false, pc);
}

const TextureObject& check_surface(Lane& lane, uint64_t handle, SurfaceCall call, bool writes,
                                   const void* pc) {
    const TextureObject* o = find_texture_object(handle);
    const std::string function = surface_function(call.shape, writes);
    if (o == nullptr || !o->live || !o->is_surface) {
        report_no_object(lane, handle, function, "surface", pc);
        abandon(lane);
    }
    if (!o->memory->live) {
        report_freed_memory(lane, *o, function, pc);
        abandon(lane);
    }
    if (devices::several) check_device(lane, *o, function, pc);
    if (o->shape != call.shape) {
        fault(lane, error_illegal_address);
        report_shape(lane, *o, function, surface_function(o->shape, writes), pc);
        abandon(lane);
    }
    return *o;
}

void report_surface_bounds(const Lane& lane, const TextureObject& surface, SurfaceCall call,
                           std::array<int, 3> at, bool writes, const void* pc) {
    const Site site = program.site(pc);
    fault(lane, error_illegal_address);
    finding::write({.kind = "oob-global",
                    .message = fmt::format("{} called {}{} for {} bytes at {} of {}, but {} has {}",
                                           name_lane(lane), surface_function(call.shape, writes),
                                           at_line(site), call.bytes, place_text(surface, at), surface.name,
                                           surface.memory->name, extent_text(surface)),
                    .fix =
                        "x of a surface is in bytes (x * sizeof(element)). Let a thread go on only where its "
                        "coordinates are inside, or pass cudaBoundaryModeZero or cudaBoundaryModeClamp.",
                    .at = site,
                    .lane = &lane,
                    .element = {surface.memory->name}});
}

void report_surface_alignment(const Lane& lane, const TextureObject& surface, SurfaceCall call, int x,
                              bool writes, const void* pc) {
    const Site site = program.site(pc);
    fault(lane, error_misaligned);
    finding::write(
        {.kind = "misaligned",
         .message = fmt::format("{} called {}{} for {} bytes at byte {} of a row of {}, which is no multiple "
                                "of {}",
                                name_lane(lane), surface_function(call.shape, writes), at_line(site),
                                call.bytes, x, surface.name, call.bytes),
         .fix = "x of a surface is in bytes: write x * sizeof(element).",
         .at = site,
         .lane = &lane,
         .element = {surface.memory->name}});
}

void report_incoherent(const Lane& lane, const void* address, uint64_t write_epoch, uint32_t write_site,
                       const void* pc) {
    const Site at = program.site(pc), written = program.site(program.address(write_site));
    const LaunchRun& launch = *lane.block->launch;
    const Index3 thread = thread_of(launch, epoch::thread(write_epoch));
    const Index3 block = block_of(launch, epoch::block(write_epoch));
    const Element e = element_at(lane, address);
    const bool itself =
        epoch::thread(write_epoch) == lane.linear && epoch::block(write_epoch) == epoch::block(lane.epoch);
    Draft d{.kind = "global-race",
            .message = fmt::format("{} wrote {}{} and {} read it through a texture or surface{} in the same "
                                   "launch, in which the texture cache need not see the write",
                                   name_thread(thread, block), e.text(), at_line(written),
                                   itself ? "the same thread" : name_lane(lane), at_line(at)),
            .fix =
                "Read it in another launch: textures and surfaces show what was written before the "
                "launch.",
            .at = at,
            .lane = &lane,
            .element = e,
            .has_other = true,
            .other_action = "wrote",
            .other = written};
    d.other_has_thread = true;
    d.other_thread = thread;
    d.other_block = block;
    finding::write(d);
}

}  // namespace simt
