// The texture unit's arithmetic: linear filtering at x - 0.5 with weights of 8 bits of fraction, so that 1 is among
// them (CUDA's programming guide, "Texture Fetching"). What the guide leaves open follows what an H200 returned
// (tests/unit/headers/textures.txt):
//   - a coordinate is rounded to the nearest 256th, halves up, and clamped before its fraction is taken;
//   - of two and three dimensions each element's weight is itself a number of 256ths (corner_weights);
//   - floats are aligned to the largest of them before they are added, so that small ones lose bits. The last bit of
//     about one sum in ten still differs;
//   - integers read as floats are filtered to 16 bits, halfs to halfs.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "simt/machine/texture.h"

namespace simt {
namespace {

constexpr float farthest = 1ll << 40;  // coordinates beyond it read what those there read

// In elements, not yet addressed.
double scaled(const TextureObject& texture, unsigned dimension, float coordinate) {
    if (!(std::fabs(coordinate) <= std::numeric_limits<float>::max()))
        coordinate = std::isnan(coordinate) ? 0 : std::copysign(farthest, coordinate);
    const double elements =
        texture.normalized_coordinates ? static_cast<double>(texture.extent[dimension]) : 1;
    return std::clamp(coordinate * elements, double{-farthest}, double{farthest});
}

int64_t addressed(const TextureObject& texture, unsigned dimension, int64_t index) {
    const auto count = static_cast<int64_t>(texture.extent[dimension]);
    if (index >= 0 && index < count) return index;
    switch (texture.addressing[dimension]) {
        case Addressing::wrap:
            return ((index % count) + count) % count;
        case Addressing::mirror: {
            const int64_t in_period = ((index % (2 * count)) + 2 * count) % (2 * count);
            return in_period < count ? in_period : 2 * count - 1 - in_period;
        }
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

float half_from(double value) {
    const double most = 65504, size = std::fabs(value);
    if (size == 0 || std::isnan(value)) return static_cast<float>(value);
    // 11 bits, or what is left of them below 2^-14.
    const double unit = std::ldexp(1, std::max(std::ilogb(size), -14) - 10);
    const double rounded = std::nearbyint(value / unit) * unit;
    return static_cast<float>(std::fabs(rounded) > most ? std::copysign(INFINITY, value) : rounded);
}

// A border colour as the format keeps it: the nearest value, halves towards 0.
double quantised_border(const TextureObject& texture, unsigned channel) {
    const double most = largest(texture.format), colour = texture.border[channel];
    const double value =
        std::clamp(colour, texture.format.base == ChannelBase::signed_integer ? -1.0 : 0.0, 1.0);
    return std::copysign(std::ceil(std::fabs(value) * most - 0.5), value);
}

// What elements of a channel are read, one or more, and their weights in 256ths.
struct Channel {
    std::array<double, 8> value{};  // not yet divided by `largest`
    std::array<unsigned, 8> weight{};
    unsigned count = 0;
    uint32_t bits = 0;  // of the last element
};

// Of floats: each is rounded to a multiple of the largest one's last bit before it is weighted.
float weighted_floats(const Channel& channel) {
    double most = 0, plain = 0;
    for (unsigned i = 0; i < channel.count; ++i) {
        most = std::max(most, std::fabs(channel.value[i]));
        plain += channel.value[i] * channel.weight[i] / 256;
    }
    if (most == 0 || !std::isfinite(plain)) return static_cast<float>(plain);
    const double unit = std::ldexp(1, std::ilogb(most) - 23);
    double sum = 0;
    for (unsigned i = 0; i < channel.count; ++i)
        sum += std::floor(channel.value[i] / unit + 0.5) * channel.weight[i];
    if (sum == 0) return 0;
    const double last = std::ldexp(1, std::ilogb(sum * unit / 256) - 23);
    return static_cast<float>(std::floor(sum * unit / 256 / last + 0.5) * last);
}

float weighted(const ElementFormat& format, const Channel& channel) {
    if (format.base == ChannelBase::real && format.bits == 32) return weighted_floats(channel);
    double sum = 0;
    for (unsigned i = 0; i < channel.count; ++i) sum += channel.value[i] * channel.weight[i];
    const double mean = sum / 256 / largest(format);
    if (format.base == ChannelBase::real) return half_from(mean);
    if (channel.count == 1) return static_cast<float>(mean);
    const double steps = format.base == ChannelBase::signed_integer ? 32767 : 65535;
    return static_cast<float>(std::floor(mean * steps + 0.5) / steps);
}

void add(const TextureObject& texture, const char* address, unsigned weight, unsigned c, Channel& channel) {
    const ElementFormat& format = texture.format;
    const unsigned i = channel.count++;
    channel.weight[i] = weight;
    if (address != nullptr) {
        channel.bits = channel_bits(format, memory::host_view(address), c);
        channel.value[i] = channel_value(format, channel.bits);
        return;
    }
    // Integers that are read as integers have the low bits of the colour's bits.
    const auto bits = std::bit_cast<std::array<char, 4>>(texture.border[c]);
    channel.bits =
        format.base == ChannelBase::real
            ? std::bit_cast<uint32_t>(texture.border[c])
            : channel_bits({.channels = 1, .bits = format.bits, .base = format.base}, bits.data(), 0);
    channel.value[i] = format.base == ChannelBase::real ? texture.border[c] : quantised_border(texture, c);
}

uint32_t result(const TextureObject& texture, const Channel& channel) {
    const bool is_plain_float = texture.format.base == ChannelBase::real && texture.format.bits == 32;
    if (!texture.returns_floats() || (channel.count == 1 && is_plain_float)) return channel.bits;
    return std::bit_cast<uint32_t>(weighted(texture.format, channel));
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

static Taps filtered_taps(const TextureObject& texture, unsigned dimension, float coordinate) {
    auto position =
        static_cast<int64_t>(std::floor((scaled(texture, dimension, coordinate) - 0.5) * 256 + 0.5));
    if (texture.addressing[dimension] == Addressing::clamp)
        position =
            std::clamp<int64_t>(position, 0, (static_cast<int64_t>(texture.extent[dimension]) - 1) * 256);
    const int64_t first = position >> 8;
    const auto fraction = static_cast<unsigned>(position & 255);
    Taps taps;
    taps.index = {addressed(texture, dimension, first), addressed(texture, dimension, first + 1)};
    taps.weight = {256 - fraction, fraction};
    return taps;
}

Taps gathered_of(const TextureObject& texture, unsigned dimension, float coordinate) {
    const auto first = static_cast<int64_t>(std::floor(scaled(texture, dimension, coordinate) - 0.5));
    Taps taps;
    taps.index = {addressed(texture, dimension, first), addressed(texture, dimension, first + 1)};
    return taps;
}

int32_t position_of(const TextureObject& texture, unsigned dimension, float coordinate) {
    constexpr double farthest_place = std::numeric_limits<int32_t>::max();
    const double place = std::floor(scaled(texture, dimension, coordinate) * 256 + 0.5);
    return static_cast<int32_t>(std::clamp(place, -farthest_place, farthest_place));
}

std::array<unsigned, 8> corner_weights(const Footprint& footprint) {
    const auto& [x, y, z] = footprint.taps;
    const unsigned a = x.weight[1], b = y.weight[1], c = z.weight[1];
    const auto nearest = [](unsigned in_65536ths) { return (in_65536ths + 128) >> 8; };
    const unsigned both = nearest(a * c);
    const unsigned across[2][2] = {{256 + both - a - c, a - both}, {c - both, both}};  // [z][x]
    std::array<unsigned, 8> weights;
    for (unsigned k = 0; k < 2; ++k) {
        const unsigned low = nearest(across[k][0] * (256 - b)), high = nearest(across[k][1] * b);
        weights[k * 4] = low;
        weights[k * 4 + 1] = across[k][1] - high;
        weights[k * 4 + 2] = across[k][0] - low;
        weights[k * 4 + 3] = high;
    }
    return weights;
}

Taps taps_of(const TextureObject& texture, unsigned dimension, float coordinate) {
    if (texture.filters) return filtered_taps(texture, dimension, coordinate);
    const double position = std::floor(scaled(texture, dimension, coordinate));
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
    // The hardware filters a line as a picture of one row, at its upper edge: half of what it reads is border.
    if (shape == TextureShape::one && texture.filters && texture.addressing[1] == Addressing::border)
        f.taps[1] = {{Taps::none, 0}, {128, 128}};
    const bool has_rows = shape != TextureShape::one && shape != TextureShape::one_layered;
    if (has_rows) f.taps[1] = taps_of(texture, 1, y);
    if (shape == TextureShape::three) f.taps[2] = taps_of(texture, 2, z);
    if (shape == TextureShape::one_layered || shape == TextureShape::two_layered)
        // A negative layer is a very high one.
        f.taps[2] = fixed(
            static_cast<int64_t>(std::min<size_t>(static_cast<unsigned>(integer), texture.extent[2] - 1)));
    return f;
}

Texel sample(const TextureObject& texture, const Footprint& footprint) {
    std::array<Channel, 4> channels;
    each_texel(texture, footprint, [&](const char* address, unsigned weight) {
        for (unsigned c = 0; c < texture.format.channels; ++c) add(texture, address, weight, c, channels[c]);
    });
    const auto value = [&](unsigned c) {
        return c < texture.format.channels ? result(texture, channels[c]) : 0;
    };
    return {value(0), value(1), value(2), value(3)};
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
