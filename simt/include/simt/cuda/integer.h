// Integer intrinsics, bit casts and the conversions that round towards zero.
#pragma once

#include "simt/cuda/bits.h"

SIMT_INLINE int __popc(unsigned x) {
    return __builtin_popcount(x);
}
SIMT_INLINE int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
SIMT_INLINE int __clz(int x) {
    return x == 0 ? 32 : __builtin_clz((unsigned)x);
}
SIMT_INLINE int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
SIMT_INLINE int __ffs(int x) {
    return __builtin_ffs(x);
}
SIMT_INLINE int __ffsll(long long x) {
    return __builtin_ffsll(x);
}

SIMT_INLINE unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
SIMT_INLINE unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
// Byte i of the result is byte (selector >> 4 i) & 7 of y:x; bit 3 asks for that byte's sign, eight times.
SIMT_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned pick = selector >> (4 * i) & 15u;
        unsigned byte = (unsigned)(bytes >> (8 * (pick & 7u))) & 0xffu;
        if (pick & 8u) byte = byte & 0x80u ? 0xffu : 0u;
        result |= byte << (8 * i);
    }
    return result;
}

SIMT_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31u) >> 32);
}
SIMT_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32u ? low : __funnelshift_l(low, high, shift);
}
SIMT_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31u));
}
SIMT_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32u ? high : __funnelshift_r(low, high, shift);
}

SIMT_INLINE int __mulhi(int x, int y) {
    return (int)((long long)x * y >> 32);
}
SIMT_INLINE unsigned __umulhi(unsigned x, unsigned y) {
    return (unsigned)((unsigned long long)x * y >> 32);
}
__extension__ typedef __int128 simt_int128;
__extension__ typedef unsigned __int128 simt_uint128;
SIMT_INLINE long long __mul64hi(long long x, long long y) {
    return (long long)((simt_int128)x * y >> 64);
}
SIMT_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((simt_uint128)x * y >> 64);
}
SIMT_INLINE int __mul24(int x, int y) {
    return (int)((unsigned)((x << 8) >> 8) * (unsigned)((y << 8) >> 8));
}
SIMT_INLINE unsigned __umul24(unsigned x, unsigned y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}
SIMT_INLINE int __hadd(int x, int y) {
    return (int)(((long long)x + y) >> 1);
}
SIMT_INLINE int __rhadd(int x, int y) {
    return (int)(((long long)x + y + 1) >> 1);
}
SIMT_INLINE unsigned __uhadd(unsigned x, unsigned y) {
    return (unsigned)(((unsigned long long)x + y) >> 1);
}
SIMT_INLINE unsigned __urhadd(unsigned x, unsigned y) {
    return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}
SIMT_INLINE unsigned __sad(int x, int y, unsigned z) {
    return z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x);
}
SIMT_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z) {
    return z + (x > y ? x - y : y - x);
}

// Dot products of four bytes, or of two shorts with two bytes.
#define SIMT_DP4A(T, Byte)                                                                                  \
    SIMT_INLINE T __dp4a(T a, T b, T sum) {                                                                 \
        for (int i = 0; i < 32; i += 8) {                                                                   \
            sum =                                                                                           \
                (T)((unsigned)sum + (unsigned)((T)(Byte)((unsigned)a >> i) * (T)(Byte)((unsigned)b >> i))); \
        }                                                                                                   \
        return sum;                                                                                         \
    }
SIMT_DP4A(int, signed char)
SIMT_DP4A(unsigned, unsigned char)
#undef SIMT_DP4A

SIMT_INLINE int __float_as_int(float x) {
    return ::simt::cuda::from_bits<int>(::simt::cuda::to_bits(x));
}
SIMT_INLINE unsigned __float_as_uint(float x) {
    return (unsigned)::simt::cuda::to_bits(x);
}
SIMT_INLINE float __int_as_float(int x) {
    return ::simt::cuda::from_bits<float>((unsigned)x);
}
SIMT_INLINE float __uint_as_float(unsigned x) {
    return ::simt::cuda::from_bits<float>(x);
}
SIMT_INLINE long long __double_as_longlong(double x) {
    return (long long)::simt::cuda::to_bits(x);
}
SIMT_INLINE double __longlong_as_double(long long x) {
    return ::simt::cuda::from_bits<double>((unsigned long long)x);
}
SIMT_INLINE int __double2hiint(double x) {
    return (int)(::simt::cuda::to_bits(x) >> 32);
}
SIMT_INLINE int __double2loint(double x) {
    return (int)(unsigned)::simt::cuda::to_bits(x);
}
SIMT_INLINE double __hiloint2double(int high, int low) {
    return ::simt::cuda::from_bits<double>((unsigned long long)(unsigned)high << 32 | (unsigned)low);
}
