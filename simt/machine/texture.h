// Texture and surface objects as kernels use them, and the arithmetic of the texture unit.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "simt/machine/machine.h"

namespace simt {

enum class Addressing : uint8_t { wrap, clamp, mirror, border };  // numbered as cudaTextureAddressMode

// What the elements of an array or of a texture's memory are made of.
struct ElementFormat {
    unsigned channels = 0;  // 1, 2 or 4; 0: no format that a texture may have
    unsigned bits = 0;      // of a channel: 8, 16 or 32
    ChannelBase base = ChannelBase::real;
    unsigned bytes() const { return channels * bits / 8; }
    std::string name() const;  // "float4", "unsigned char", "16-bit float"
};

struct TextureObject {
    bool is_surface = false;
    bool live = true;
    std::string name;  // "tex", or "texture object 2"
    Where created, destroyed;
    int device = 0;  // that was current when it was made

    // The memory: `extent` elements, the unused dimensions being 1. Layers are the last dimension.
    const Allocation* memory = nullptr;
    TextureShape shape = TextureShape::one;
    char* base = nullptr;  // device address
    std::array<size_t, 3> extent{1, 1, 1};
    size_t row_bytes = 0, slice_bytes = 0;
    ElementFormat format;
    bool can_gather = false;

    // How it is sampled.
    std::array<Addressing, 3> addressing{};
    bool filters = false;     // linearly
    bool normalizes = false;  // integers of 8 and 16 bits are read as floats
    bool normalized_coordinates = false;
    std::array<float, 4> border{};

    bool returns_floats() const {
        return format.base == ChannelBase::real || (normalizes && format.bits <= 16);
    }
    char* address(size_t x, size_t y, size_t z) const {
        return base + z * slice_bytes + y * row_bytes + x * format.bytes();
    }
};

// The handle of a new object; 0: there are too many. Objects are never forgotten: a destroyed one is known as such.
uint64_t add_texture_object(const TextureObject& object);
TextureObject* find_texture_object(uint64_t handle);  // nullptr: the handle was never made

// ---- sampler.cpp ----

// Along one dimension a fetch reads one element or two neighbours, with weights in 256ths. `none`: outside, where the
// border colour is read.
struct Taps {
    static constexpr int64_t none = -1;
    std::array<int64_t, 2> index{none, none};
    std::array<unsigned, 2> weight{256, 0};
};
Taps taps_of(const TextureObject& texture, unsigned dimension, float coordinate);
// The two neighbours whatever the filter, as tex2Dgather reads them. Their weights mean nothing.
Taps gathered_of(const TextureObject& texture, unsigned dimension, float coordinate);

// Where a coordinate lies before any addressing, in 256ths of an element: trace::TexturePlace.
int32_t position_of(const TextureObject& texture, unsigned dimension, float coordinate);

// A fetch's elements in each dimension.
struct Footprint {
    std::array<Taps, 3> taps;
};
// Whatever a function of this shape reads at these coordinates; `integer` as in texture_fetch.
Footprint footprint_of(const TextureObject& texture, TextureShape shape, float x, float y, float z,
                       int integer);

// Of the elements (x, y, z) of the footprint at x + 2 y + 4 z, in 256ths. They add up to 256.
std::array<unsigned, 8> corner_weights(const Footprint& footprint);

// Calls visit(address, weight) for each element of the footprint that counts; address nullptr: the border.
template <class Visit>
void each_texel(const TextureObject& texture, const Footprint& f, Visit visit) {
    const auto& [x, y, z] = f.taps;
    const std::array<unsigned, 8> weights = corner_weights(f);
    for (unsigned corner = 0; corner < 8; ++corner) {
        if (weights[corner] == 0) continue;
        const int64_t column = x.index[corner & 1], row = y.index[corner >> 1 & 1],
                      slice = z.index[corner >> 2];
        const bool outside = column == Taps::none || row == Taps::none || slice == Taps::none;
        visit(outside ? nullptr
                      : texture.address(static_cast<size_t>(column), static_cast<size_t>(row),
                                        static_cast<size_t>(slice)),
              weights[corner]);
    }
}

Texel sample(const TextureObject& texture, const Footprint& footprint);
// `channel` of (i, j+1), (i+1, j+1), (i+1, j), (i, j).
Texel gather(const TextureObject& texture, const Footprint& footprint, unsigned channel);

}  // namespace simt
