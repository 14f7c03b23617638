// Texture and surface functions of kernels: part of the boundary that abi.h is.
#pragma once

#include <cstdint>

namespace simt {

struct Where;

// Four channels as the texture unit returns them: the bits of floats, or integers extended to 32 bits. A surface's
// bytes, at most 16 of them, in the order of memory.
struct Texel {
    uint32_t x, y, z, w;
};

enum class TextureShape : uint8_t { linear, one, two, three, one_layered, two_layered };
enum class ChannelBase : uint8_t { real, signed_integer, unsigned_integer };

// What a program calls and wants back. One register.
struct TextureCall {
    TextureShape shape;
    ChannelBase base;
    uint8_t bits;        // of a channel of the type that is returned
    uint8_t components;  // 1, 2 or 4
    int8_t gather = -1;  // the channel that tex2Dgather collects
};
// `integer`: the element of tex1Dfetch, or the layer.
Texel texture_fetch(uint64_t texture, TextureCall call, float x, float y, float z, int integer, Where where);

struct SurfaceCall {
    TextureShape shape;
    uint8_t bytes;     // 1 to 16, a power of two
    uint8_t boundary;  // cudaSurfaceBoundaryMode
};
// `x` in bytes; `z` is the layer of a layered surface.
Texel surface_read(uint64_t surface, SurfaceCall call, int x, int y, int z, Where where);
void surface_write(uint64_t surface, SurfaceCall call, int x, int y, int z, Texel bytes, Where where);

}  // namespace simt
