// Texture functions of kernels. Textures have no mipmaps here, so that the functions with a level or with gradients
// read what there is.
#pragma once

#include <type_traits>

#include "simt/abi.h"
#include "simt/cuda/barriers.h"
#include "simt/cuda/bits.h"
#include "texture_types.h"
#include "vector_types.h"

namespace simt::cuda {
// What a texture's function can return: 1, 2 or 4 channels. Not defined for other types, so that these find no
// function.
template <class T>
struct Channels {};
#define SIMT_CHANNELS(T, channel, n)              \
    template <>                                   \
    struct Channels<T> {                          \
        using type = channel;                     \
        static constexpr unsigned char count = n; \
    };
#define SIMT_CHANNELS124(base, channel) \
    SIMT_CHANNELS(base##1, channel, 1)  \
    SIMT_CHANNELS(base##2, channel, 2)  \
    SIMT_CHANNELS(base##4, channel, 4)
SIMT_CHANNELS(char, char, 1)
SIMT_CHANNELS(signed char, signed char, 1)
SIMT_CHANNELS(unsigned char, unsigned char, 1)
SIMT_CHANNELS(short, short, 1)
SIMT_CHANNELS(unsigned short, unsigned short, 1)
SIMT_CHANNELS(int, int, 1)
SIMT_CHANNELS(unsigned int, unsigned int, 1)
SIMT_CHANNELS(float, float, 1)
SIMT_CHANNELS124(char, signed char)
SIMT_CHANNELS124(uchar, unsigned char)
SIMT_CHANNELS124(short, short)
SIMT_CHANNELS124(ushort, unsigned short)
SIMT_CHANNELS124(int, int)
SIMT_CHANNELS124(uint, unsigned int)
SIMT_CHANNELS124(float, float)
#undef SIMT_CHANNELS124
#undef SIMT_CHANNELS

template <class T>
using ChannelOf = typename Channels<T>::type;

template <class T>
constexpr TextureCall texture_call(TextureShape shape, int gather = -1) {
    using C = ChannelOf<T>;
    const ChannelBase base = std::is_floating_point_v<C> ? ChannelBase::real
                             : std::is_signed_v<C>       ? ChannelBase::signed_integer
                                                         : ChannelBase::unsigned_integer;
    return {shape, base, sizeof(C) * 8, Channels<T>::count, (signed char)gather};
}

template <class C>
SIMT_INLINE C channel(uint32_t bits) {
    if constexpr (std::is_floating_point_v<C>) {
        return from_bits<C>(bits);
    } else {
        return (C)bits;
    }
}
template <class T>
SIMT_INLINE T from_texel(Texel t) {
    using C = ChannelOf<T>;
    if constexpr (std::is_arithmetic_v<T>) {
        return channel<C>(t.x);
    } else if constexpr (Channels<T>::count == 1) {
        return T{channel<C>(t.x)};
    } else if constexpr (Channels<T>::count == 2) {
        return T{channel<C>(t.x), channel<C>(t.y)};
    } else {
        return T{channel<C>(t.x), channel<C>(t.y), channel<C>(t.z), channel<C>(t.w)};
    }
}
template <class T>
SIMT_INLINE T fetch(TextureShape shape, cudaTextureObject_t texture, float x, float y, float z, int integer,
                    Where w) {
    return from_texel<T>(texture_fetch(texture, texture_call<T>(shape), x, y, z, integer, w));
}
}  // namespace simt::cuda

// A function that returns the value, and the one that stores it through a pointer.
#define SIMT_TEXTURE(name, shape, x, y, z, integer, ...)                                          \
    template <class T, class = ::simt::cuda::ChannelOf<T>>                                        \
    SIMT_INLINE T name(cudaTextureObject_t texture, __VA_ARGS__, SIMT_HERE) {                     \
        return ::simt::cuda::fetch<T>(::simt::TextureShape::shape, texture, x, y, z, integer, w); \
    }                                                                                             \
    template <class T, class = ::simt::cuda::ChannelOf<T>>                                        \
    SIMT_INLINE void name(T* to, cudaTextureObject_t texture, __VA_ARGS__, SIMT_HERE) {           \
        *to = ::simt::cuda::fetch<T>(::simt::TextureShape::shape, texture, x, y, z, integer, w);  \
    }
// The forms that say whether the texel's memory is there, as that of a sparse array may not be: here it always is.
#define SIMT_TEXTURE_RESIDENT(name, shape, x, y, z, integer, ...)                                          \
    SIMT_TEXTURE(name, shape, x, y, z, integer, __VA_ARGS__)                                               \
    template <class T, class = ::simt::cuda::ChannelOf<T>>                                                 \
    SIMT_INLINE T name(cudaTextureObject_t texture, __VA_ARGS__, bool* is_resident, SIMT_HERE) {           \
        *is_resident = true;                                                                               \
        return ::simt::cuda::fetch<T>(::simt::TextureShape::shape, texture, x, y, z, integer, w);          \
    }                                                                                                      \
    template <class T, class = ::simt::cuda::ChannelOf<T>>                                                 \
    SIMT_INLINE void name(T* to, cudaTextureObject_t texture, __VA_ARGS__, bool* is_resident, SIMT_HERE) { \
        *is_resident = true;                                                                               \
        *to = ::simt::cuda::fetch<T>(::simt::TextureShape::shape, texture, x, y, z, integer, w);           \
    }

SIMT_TEXTURE(tex1Dfetch, linear, 0, 0, 0, x, int x)
SIMT_TEXTURE(tex1D, one, x, 0, 0, 0, float x)
SIMT_TEXTURE_RESIDENT(tex2D, two, x, y, 0, 0, float x, float y)
SIMT_TEXTURE_RESIDENT(tex3D, three, x, y, z, 0, float x, float y, float z)
SIMT_TEXTURE(tex1DLayered, one_layered, x, 0, 0, layer, float x, int layer)
SIMT_TEXTURE_RESIDENT(tex2DLayered, two_layered, x, y, 0, layer, float x, float y, int layer)

SIMT_TEXTURE(tex1DLod, one, x, 0, 0, 0, float x, float)
SIMT_TEXTURE_RESIDENT(tex2DLod, two, x, y, 0, 0, float x, float y, float)
SIMT_TEXTURE_RESIDENT(tex3DLod, three, x, y, z, 0, float x, float y, float z, float)
SIMT_TEXTURE(tex1DLayeredLod, one_layered, x, 0, 0, layer, float x, int layer, float)
SIMT_TEXTURE_RESIDENT(tex2DLayeredLod, two_layered, x, y, 0, layer, float x, float y, int layer, float)
SIMT_TEXTURE(tex1DGrad, one, x, 0, 0, 0, float x, float, float)
SIMT_TEXTURE_RESIDENT(tex2DGrad, two, x, y, 0, 0, float x, float y, float2, float2)
SIMT_TEXTURE_RESIDENT(tex3DGrad, three, x, y, z, 0, float x, float y, float z, float4, float4)
SIMT_TEXTURE(tex1DLayeredGrad, one_layered, x, 0, 0, layer, float x, int layer, float, float)
SIMT_TEXTURE_RESIDENT(tex2DLayeredGrad, two_layered, x, y, 0, layer, float x, float y, int layer, float2,
                      float2)
#undef SIMT_TEXTURE_RESIDENT
#undef SIMT_TEXTURE

// One channel of the four texels that tex2D would filter: (i, j+1), (i+1, j+1), (i+1, j), (i, j).
template <class T, class = ::simt::cuda::ChannelOf<T>>
SIMT_INLINE T tex2Dgather(cudaTextureObject_t texture, float x, float y, int channel = 0, SIMT_HERE) {
    return ::simt::cuda::from_texel<T>(::simt::texture_fetch(
        texture, ::simt::cuda::texture_call<T>(::simt::TextureShape::two, channel & 3), x, y, 0, 0, w));
}
template <class T, class = ::simt::cuda::ChannelOf<T>>
SIMT_INLINE void tex2Dgather(T* to, cudaTextureObject_t texture, float x, float y, int channel = 0,
                             SIMT_HERE) {
    *to = tex2Dgather<T>(texture, x, y, channel, w);
}
