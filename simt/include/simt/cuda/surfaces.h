// Surface functions of kernels. x counts bytes, not elements.
#pragma once

#include <type_traits>

#include "simt/abi.h"
#include "simt/cuda/barriers.h"
#include "surface_types.h"
#include "vector_types.h"

namespace simt::cuda {
template <class T>
inline constexpr bool is_in_surfaces = false;
#define SIMT_IN_SURFACES(T) \
    template <>             \
    inline constexpr bool is_in_surfaces<T> = true;
#define SIMT_IN_SURFACES124(base) \
    SIMT_IN_SURFACES(base##1)     \
    SIMT_IN_SURFACES(base##2)     \
    SIMT_IN_SURFACES(base##4)
SIMT_IN_SURFACES(char)
SIMT_IN_SURFACES(signed char)
SIMT_IN_SURFACES(unsigned char)
SIMT_IN_SURFACES(short)
SIMT_IN_SURFACES(unsigned short)
SIMT_IN_SURFACES(int)
SIMT_IN_SURFACES(unsigned int)
SIMT_IN_SURFACES(long long)
SIMT_IN_SURFACES(unsigned long long)
SIMT_IN_SURFACES(float)
SIMT_IN_SURFACES(longlong1)
SIMT_IN_SURFACES(longlong2)
SIMT_IN_SURFACES(ulonglong1)
SIMT_IN_SURFACES(ulonglong2)
SIMT_IN_SURFACES124(char)
SIMT_IN_SURFACES124(uchar)
SIMT_IN_SURFACES124(short)
SIMT_IN_SURFACES124(ushort)
SIMT_IN_SURFACES124(int)
SIMT_IN_SURFACES124(uint)
SIMT_IN_SURFACES124(float)
#undef SIMT_IN_SURFACES124
#undef SIMT_IN_SURFACES

template <class T>
using InSurfaces = std::enable_if_t<is_in_surfaces<T>>;

template <class T>
SIMT_INLINE T surface_value(TextureShape shape, cudaSurfaceObject_t surface, int x, int y, int z,
                            cudaSurfaceBoundaryMode mode, Where w) {
    const Texel bytes = surface_read(surface, {shape, sizeof(T), (unsigned char)mode}, x, y, z, w);
    T value;
    __builtin_memcpy(&value, &bytes, sizeof(T));
    return value;
}
template <class T>
SIMT_INLINE void surface_store(TextureShape shape, const T& value, cudaSurfaceObject_t surface, int x, int y,
                               int z, cudaSurfaceBoundaryMode mode, Where w) {
    Texel bytes{};
    __builtin_memcpy(&bytes, &value, sizeof(T));
    surface_write(surface, {shape, sizeof(T), (unsigned char)mode}, x, y, z, bytes, w);
}
}  // namespace simt::cuda

// Two functions that read and one that writes.
#define SIMT_SURFACE(name, shape, x, y, z, ...)                                                        \
    template <class T, class = ::simt::cuda::InSurfaces<T>>                                            \
    SIMT_INLINE T name##read(cudaSurfaceObject_t surface, __VA_ARGS__,                                 \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, SIMT_HERE) {         \
        return ::simt::cuda::surface_value<T>(::simt::TextureShape::shape, surface, x, y, z, mode, w); \
    }                                                                                                  \
    template <class T, class = ::simt::cuda::InSurfaces<T>>                                            \
    SIMT_INLINE void name##read(T* to, cudaSurfaceObject_t surface, __VA_ARGS__,                       \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, SIMT_HERE) {      \
        *to = ::simt::cuda::surface_value<T>(::simt::TextureShape::shape, surface, x, y, z, mode, w);  \
    }                                                                                                  \
    template <class T, class = ::simt::cuda::InSurfaces<T>>                                            \
    SIMT_INLINE void name##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,                    \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, SIMT_HERE) {     \
        ::simt::cuda::surface_store<T>(::simt::TextureShape::shape, value, surface, x, y, z, mode, w); \
    }
SIMT_SURFACE(surf1D, one, x, 0, 0, int x)
SIMT_SURFACE(surf2D, two, x, y, 0, int x, int y)
SIMT_SURFACE(surf3D, three, x, y, z, int x, int y, int z)
SIMT_SURFACE(surf1DLayered, one_layered, x, 0, layer, int x, int layer)
SIMT_SURFACE(surf2DLayered, two_layered, x, y, layer, int x, int y, int layer)
#undef SIMT_SURFACE
