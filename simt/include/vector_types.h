// CUDA's vector types and dim3, with CUDA's sizes and alignments.
//
// In checked mode the hardware's one access for an int2, a float4 and their kin must stay one. The compiler
// likes to take such a struct apart and to load the members one by one; it never does that to a type with a
// volatile field. So the members share a union with one, which no code ever reads, and assignment copies a
// whole piece. The types stay aggregates.
#pragma once

#include <cstddef>
#include <tuple>

#include "simt/cuda/qualifiers.h"

#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define SIMT_WHOLE_VECTORS 1
// Assignment is user-provided and copy construction is not: intended here.
#pragma GCC diagnostic ignored "-Wdeprecated-copy"
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

namespace simt::cuda {
// At most 16 bytes, as one load or store.
template <size_t Bytes>
struct Piece;
template <>
struct Piece<2> {
    using type = unsigned short __attribute__((may_alias));
};
template <>
struct Piece<4> {
    using type = unsigned __attribute__((may_alias));
};
template <>
struct Piece<8> {
    using type = unsigned long long __attribute__((may_alias));
};
template <>
struct Piece<16> {
    using type = unsigned long long __attribute__((vector_size(16), may_alias));
};

// Copies Bytes (a multiple of the piece) in the largest pieces that the hardware has.
template <size_t Bytes>
__attribute__((always_inline)) inline void copy_whole(void* to, const void* from) {
    constexpr size_t piece = Bytes < 16 ? Bytes : 16;
    using P = typename Piece<piece>::type;
    P held[Bytes / piece];
    for (size_t i = 0; i < Bytes / piece; ++i) held[i] = static_cast<const P*>(from)[i];
    for (size_t i = 0; i < Bytes / piece; ++i) static_cast<P*>(to)[i] = held[i];
}
}  // namespace simt::cuda

#if defined(SIMT_WHOLE_VECTORS)
#define SIMT_MEMBERS(T, ...)       \
    union {                        \
        struct {                   \
            T __VA_ARGS__;         \
        };                         \
        struct {                   \
            volatile T never_read; \
        } simt_whole_;             \
    };
#define SIMT_ASSIGNMENT(name, memberwise)                        \
    constexpr name& operator=(const name& from) {                \
        if (__builtin_is_constant_evaluated()) {                 \
            memberwise;                                          \
        } else {                                                 \
            ::simt::cuda::copy_whole<sizeof(name)>(this, &from); \
        }                                                        \
        return *this;                                            \
    }
#else
#define SIMT_MEMBERS(T, ...) T __VA_ARGS__;
#define SIMT_ASSIGNMENT(name, memberwise)
#endif

#define SIMT_VECTOR1(name, T) \
    struct name {             \
        T x;                  \
    };
#define SIMT_VECTOR2(name, T)       \
    struct __align__(2 * sizeof(T)) \
        name{SIMT_MEMBERS(T, x, y) SIMT_ASSIGNMENT(name, (x = from.x, y = from.y))};
// Three members are three accesses on the hardware too.
#define SIMT_VECTOR3(name, T) \
    struct name {             \
        T x, y, z;            \
    };
#define SIMT_VECTOR4(name, T, alignment)                                          \
    struct __align__(alignment) name{SIMT_MEMBERS(T, x, y, z, w) SIMT_ASSIGNMENT( \
        name, (x = from.x, y = from.y, z = from.z, w = from.w))};
#define SIMT_VECTORS(base, T) \
    SIMT_VECTOR1(base##1, T)  \
    SIMT_VECTOR2(base##2, T)  \
    SIMT_VECTOR3(base##3, T)

SIMT_VECTORS(char, signed char)
SIMT_VECTOR4(char4, signed char, 4)
SIMT_VECTORS(uchar, unsigned char)
SIMT_VECTOR4(uchar4, unsigned char, 4)
SIMT_VECTORS(short, short)
SIMT_VECTOR4(short4, short, 8)
SIMT_VECTORS(ushort, unsigned short)
SIMT_VECTOR4(ushort4, unsigned short, 8)
SIMT_VECTORS(int, int)
SIMT_VECTOR4(int4, int, 16)
SIMT_VECTORS(uint, unsigned int)
SIMT_VECTOR4(uint4, unsigned int, 16)
SIMT_VECTORS(float, float)
SIMT_VECTOR4(float4, float, 16)
SIMT_VECTORS(long, long)
SIMT_VECTOR4(long4, long, 16)
SIMT_VECTOR4(long4_16a, long, 16)
SIMT_VECTOR4(long4_32a, long, 32)
SIMT_VECTORS(ulong, unsigned long)
SIMT_VECTOR4(ulong4, unsigned long, 16)
SIMT_VECTOR4(ulong4_16a, unsigned long, 16)
SIMT_VECTOR4(ulong4_32a, unsigned long, 32)
SIMT_VECTORS(longlong, long long)
SIMT_VECTOR4(longlong4, long long, 16)
SIMT_VECTOR4(longlong4_16a, long long, 16)
SIMT_VECTOR4(longlong4_32a, long long, 32)
SIMT_VECTORS(ulonglong, unsigned long long)
SIMT_VECTOR4(ulonglong4, unsigned long long, 16)
SIMT_VECTOR4(ulonglong4_16a, unsigned long long, 16)
SIMT_VECTOR4(ulonglong4_32a, unsigned long long, 32)
SIMT_VECTORS(double, double)
SIMT_VECTOR4(double4, double, 16)
SIMT_VECTOR4(double4_16a, double, 16)
SIMT_VECTOR4(double4_32a, double, 32)

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

#if defined(SIMT_WHOLE_VECTORS)
// Structured bindings: `auto [x, y] = v` cannot look into the union by itself.
namespace simt::cuda {
template <size_t I, class V>
constexpr auto& member(V& v) {
    if constexpr (I == 0) {
        return v.x;
    } else if constexpr (I == 1) {
        return v.y;
    } else if constexpr (I == 2) {
        return v.z;
    } else {
        return v.w;
    }
}
}  // namespace simt::cuda
#define SIMT_BINDINGS(name, T, count)                                             \
    template <>                                                                   \
    struct std::tuple_size<name> : std::integral_constant<std::size_t, count> {}; \
    template <std::size_t I>                                                      \
    struct std::tuple_element<I, name> {                                          \
        using type = T;                                                           \
    };                                                                            \
    template <std::size_t I>                                                      \
    constexpr T& get(name& v) {                                                   \
        return ::simt::cuda::member<I>(v);                                        \
    }                                                                             \
    template <std::size_t I>                                                      \
    constexpr const T& get(const name& v) {                                       \
        return ::simt::cuda::member<I>(v);                                        \
    }                                                                             \
    template <std::size_t I>                                                      \
    constexpr T get(name&& v) {                                                   \
        return ::simt::cuda::member<I>(v);                                        \
    }
#define SIMT_BINDINGS24(base, T) \
    SIMT_BINDINGS(base##2, T, 2) \
    SIMT_BINDINGS(base##4, T, 4)
SIMT_BINDINGS24(char, signed char)
SIMT_BINDINGS24(uchar, unsigned char)
SIMT_BINDINGS24(short, short)
SIMT_BINDINGS24(ushort, unsigned short)
SIMT_BINDINGS24(int, int)
SIMT_BINDINGS24(uint, unsigned int)
SIMT_BINDINGS24(long, long)
SIMT_BINDINGS24(ulong, unsigned long)
SIMT_BINDINGS24(longlong, long long)
SIMT_BINDINGS24(ulonglong, unsigned long long)
SIMT_BINDINGS24(float, float)
SIMT_BINDINGS24(double, double)
#undef SIMT_BINDINGS24
#undef SIMT_BINDINGS
#endif

#undef SIMT_VECTORS
#undef SIMT_VECTOR4
#undef SIMT_VECTOR3
#undef SIMT_VECTOR2
#undef SIMT_VECTOR1
#undef SIMT_ASSIGNMENT
#undef SIMT_MEMBERS
