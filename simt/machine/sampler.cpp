// The texture unit's arithmetic, as CUDA's programming guide gives it under "Texture Fetching": linear filtering at
// x - 0.5 with weights of 8 bits of fraction, so that 1 is among them.
//
// The guide does not say how a weight is rounded and how wide the sum is. Here the coordinate is rounded to the
// nearest 256th, and the sum is rounded once, to a float.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "simt/machine/texture.h"

namespace simt {
namespace {

constexpr float farthest = 1 << 24;  // coordinates beyond it read what those there read

// In elements; wrapped or mirrored into one period where the mode says so.
float scaled(const TextureObject& texture, unsigned dimension, float coordinate) {
    if (!(std::fabs(coordinate) <= std::numeric_limits<float>::max()))
        coordinate = std::isnan(coordinate) ? 0 : std::copysign(farthest, coordinate);
    const auto elements = static_cast<float>(texture.extent[dimension]);
    if (texture.normalized_coordinates) {
        const float whole = std::floor(coordinate);
        const Addressing mode = texture.addressing[dimension];
        if (mode == Addressing::wrap) coordinate -= whole;
        if (mode == Addressing::mirror) {
            coordinate -= whole;
            if (std::fmod(whole, 2.0f) != 0) coordinate = 1 - coordinate;
        }
        coordinate *= elements;
    }
    return std::clamp(coordinate, -farthest, farthest);
}

int64_t addressed(const TextureObject& texture, unsigned dimension, int64_t index) {
    const auto count = static_cast<int64_t>(texture.extent[dimension]);
    if (index >= 0 && index < count) return index;
    switch (texture.addressing[dimension]) {
        case Addressing::wrap:
            return ((index % count) + count) % count;
        case Addressing::mirror:  // one element beyond an edge at most: the edge's own
        case Addressing::clamp:
            return std::clamp<int64_t>(index, 0, count - 1);
        case Addressing::border:
            break;
    }
    return Taps::none;
}

Taps fixed(int64_t index) {
    Taps taps;
    taps.index[0] = index;
    return taps;
}

// A channel's bits at `from`, extended to 32.
uint32_t channel_bits(const ElementFormat& format, const char* from, unsigned channel) {
    uint32_t bits = 0;
    std::memcpy(&bits, from + channel * format.bits / 8, format.bits / 8);
    if (format.base != ChannelBase::signed_integer || format.bits == 32) return bits;
    const unsigned shift = 32 - format.bits;
    return static_cast<uint32_t>(static_cast<int32_t>(bits << shift) >> shift);
}

float half_to_float(uint32_t bits) {
    const uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, fraction = bits & 1023u;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float small = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -small : small;
}

// What an integer's largest value is divided by: it reads as 1.
double largest(const ElementFormat& format) {
    if (format.base == ChannelBase::real) return 1;
    if (format.base == ChannelBase::signed_integer) return format.bits == 8 ? 127 : 32767;
    return format.bits == 8 ? 255 : 65535;
}

// A channel's value before it is divided by `largest`.
double channel_value(const ElementFormat& format, uint32_t bits) {
    if (format.base == ChannelBase::real)
        return format.bits == 16 ? half_to_float(bits) : std::bit_cast<float>(bits);
    if (format.base == ChannelBase::unsigned_integer) return bits;
    return std::max<double>(static_cast<int32_t>(bits), -largest(format));  // -128 and -127 both read as -1
}

struct Channels {
    std::array<double, 4> sum{};
    std::array<uint32_t, 4> bits{};  // of the only element, where there is one
    unsigned elements = 0;
};

// A channel that the format does not have: 0, and 1 for the fourth.
uint32_t missing(const TextureObject& texture, unsigned channel) {
    if (channel != 3) return 0;
    return texture.returns_floats() ? std::bit_cast<uint32_t>(1.0f) : 1;
}

void add(const TextureObject& texture, const char* address, unsigned weight, Channels& channels) {
    const ElementFormat& format = texture.format;
    ++channels.elements;
    for (unsigned c = 0; c < format.channels; ++c) {
        double value = static_cast<double>(texture.border[c]) * largest(format);
        if (address != nullptr) {
            channels.bits[c] = channel_bits(format, memory::host_view(address), c);
            value = channel_value(format, channels.bits[c]);
        } else {
            channels.bits[c] = texture.returns_floats()
                                   ? std::bit_cast<uint32_t>(texture.border[c])
                                   : static_cast<uint32_t>(static_cast<int64_t>(texture.border[c]));
        }
        channels.sum[c] += value * weight;
    }
}

uint32_t result(const TextureObject& texture, const Channels& channels, unsigned c) {
    if (c >= texture.format.channels) return missing(texture, c);
    if (!texture.returns_floats()) return channels.bits[c];
    const bool is_plain_float = texture.format.base == ChannelBase::real && texture.format.bits == 32;
    if (channels.elements == 1 && is_plain_float) return channels.bits[c];
    return std::bit_cast<uint32_t>(
        static_cast<float>(channels.sum[c] / (largest(texture.format) * (256.0 * 256.0 * 256.0))));
}

}  // namespace

std::string ElementFormat::name() const {
    if (channels == 0) return "no format";
    std::string word;
    if (base == ChannelBase::real) {
        word = bits == 16 ? "half" : "float";
    } else {
        const bool plus = base == ChannelBase::unsigned_integer;
        const char* plain = bits == 8 ? "char" : bits == 16 ? "short" : "int";
        word = channels > 1 ? (plus ? "u" : "") + std::string(plain)
                            : (plus ? "unsigned " : "") + std::string(plain);
    }
    return channels > 1 ? word + std::to_string(channels) : word;
}

Taps neighbours_of(const TextureObject& texture, unsigned dimension, float coordinate) {
    const auto position =
        static_cast<int64_t>(std::llrint((double{scaled(texture, dimension, coordinate)} - 0.5) * 256));
    const int64_t first = position >> 8;
    const auto fraction = static_cast<unsigned>(position & 255);
    Taps taps;
    taps.index = {addressed(texture, dimension, first), addressed(texture, dimension, first + 1)};
    taps.weight = {256 - fraction, fraction};
    return taps;
}

Taps taps_of(const TextureObject& texture, unsigned dimension, float coordinate) {
    if (texture.filters) return neighbours_of(texture, dimension, coordinate);
    const float position = std::floor(scaled(texture, dimension, coordinate));
    return fixed(addressed(texture, dimension, static_cast<int64_t>(position)));
}

Footprint footprint_of(const TextureObject& texture, TextureShape shape, float x, float y, float z,
                       int integer) {
    Footprint f{{fixed(0), fixed(0), fixed(0)}};
    if (shape == TextureShape::linear) {
        const bool inside = integer >= 0 && static_cast<size_t>(integer) < texture.extent[0];
        f.taps[0] = fixed(inside ? integer : Taps::none);
        return f;
    }
    f.taps[0] = taps_of(texture, 0, x);
    const bool has_rows = shape != TextureShape::one && shape != TextureShape::one_layered;
    if (has_rows) f.taps[1] = taps_of(texture, 1, y);
    if (shape == TextureShape::three) f.taps[2] = taps_of(texture, 2, z);
    if (shape == TextureShape::one_layered || shape == TextureShape::two_layered)
        f.taps[2] = fixed(std::clamp<int64_t>(integer, 0, static_cast<int64_t>(texture.extent[2]) - 1));
    return f;
}

Texel sample(const TextureObject& texture, const Footprint& footprint) {
    Channels channels;
    each_texel(texture, footprint,
               [&](const char* address, unsigned weight) { add(texture, address, weight, channels); });
    return {result(texture, channels, 0), result(texture, channels, 1), result(texture, channels, 2),
            result(texture, channels, 3)};
}

Texel gather(const TextureObject& texture, const Footprint& footprint, unsigned channel) {
    const auto at = [&](unsigned i, unsigned j) {
        Footprint one = footprint;
        one.taps[0] = fixed(footprint.taps[0].index[i]);
        one.taps[1] = fixed(footprint.taps[1].index[j]);
        const Texel t = sample(texture, one);
        return std::array{t.x, t.y, t.z, t.w}[channel];
    };
    return {at(0, 1), at(1, 1), at(1, 0), at(0, 0)};
}

}  // namespace simt
