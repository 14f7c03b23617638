// The two floating-point formats of 16 bits, as bits: conversions, and what arithmetic a float cannot do for them.
// IEEE 754 binary16 (1 + 5 + 10 bits) and bfloat16 (1 + 8 + 7 bits, a float's upper half), with subnormal numbers.
#pragma once

#include <cstdint>

#include "simt/cuda/bits.h"
#include "simt/cuda/math.h"

namespace simt::cuda {

#if defined(SIMT_FAST) && defined(__F16C__)
#define SIMT_F16C 1  // the CPU converts F16 itself; <immintrin.h> would take longer to compile than the rest
using EightHalves = short __attribute__((vector_size(16)));
using FourFloats = float __attribute__((vector_size(16)));
#endif

struct F16 {
    static constexpr int fraction = 10, bias = 15;
    static constexpr uint16_t infinity = 0x7c00;
};
struct BF16 {
    static constexpr int fraction = 7, bias = 127;
    static constexpr uint16_t infinity = 0x7f80;
};
constexpr uint16_t sixteen_nan = 0x7fff;  // what every operation gives that has no number to give

enum class Function : int {
    exp,
    exp2,
    exp10,
    log,
    log2,
    log10,
    sqrt,
    rsqrt,
    reciprocal,
    sin,
    cos,
    tanh,
    floor,
    ceil,
    round,
    truncate
};
enum class Extreme : int { least, greatest, least_or_nan, greatest_or_nan };

// In fast mode these are compiled into the program, else libsimt has them: their branches are nobody's business there.
namespace exact {

// m * 2^e in the format F, rounded once.
template <class F>
inline uint16_t pack(bool negative, uint64_t m, int e, Rounding r) {
    const uint16_t sign = negative ? 0x8000 : 0;
    if (m == 0) return sign;
    const int top = 63 - __builtin_clzll(m) + e;  // the exponents of m's first bit and of the result's last
    const int last = (top < 1 - F::bias ? 1 - F::bias : top) - F::fraction, dropped = last - e;
    uint64_t kept = 0, rest = 0, half = 0;
    if (dropped <= 0) {
        kept = m << -dropped;
    } else if (dropped > 64) {
        rest = 1, half = 2;  // something, and less than a half of the last bit
    } else {
        kept = dropped == 64 ? 0 : m >> dropped;
        half = uint64_t{1} << (dropped - 1);
        rest = m & (half | (half - 1));
    }
    const bool is_up = r == Rounding::nearest ? rest > half || (rest == half && rest != 0 && (kept & 1) != 0)
                       : r == Rounding::up    ? rest != 0 && !negative
                                              : r == Rounding::down && rest != 0 && negative;
    const int64_t bits = (int64_t{last + F::fraction + F::bias - 1} << F::fraction) +
                         static_cast<int64_t>(kept + (is_up ? 1 : 0));
    if (bits < F::infinity) return static_cast<uint16_t>(sign | bits);
    const bool is_infinite = r == Rounding::nearest || r == (negative ? Rounding::down : Rounding::up);
    return static_cast<uint16_t>(sign | (is_infinite ? F::infinity : F::infinity - 1));
}

template <class F>
inline uint16_t narrow(double x, Rounding r) {
    const uint64_t bits = to_bits(x), fraction = bits & ((uint64_t{1} << 52) - 1);
    const bool negative = bits >> 63 != 0;
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff)
        return fraction != 0 ? sixteen_nan : static_cast<uint16_t>((negative ? 0x8000 : 0) | F::infinity);
    if (exponent == 0) return pack<F>(negative, fraction, -1074, r);
    return pack<F>(negative, fraction | uint64_t{1} << 52, exponent - 1075, r);
}
template <class F>
inline uint16_t narrow(long long x, Rounding r) {
    const auto bits = static_cast<uint64_t>(x);
    return pack<F>(x < 0, x < 0 ? 0 - bits : bits, 0, r);
}
template <class F>
inline uint16_t narrow(unsigned long long x, Rounding r) {
    return pack<F>(false, x, 0, r);
}

// To the nearest, ties to even.
template <class F>
inline uint16_t narrow(float x) {
    const auto bits = static_cast<uint32_t>(to_bits(x));
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return sixteen_nan;
    if constexpr (F::fraction == BF16::fraction) {
        return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    } else {
#if defined(SIMT_F16C)
        return static_cast<uint16_t>(__builtin_ia32_vcvtps2ph(FourFloats{x, 0, 0, 0}, 0)[0]);
#else
        const uint32_t sign = bits >> 16 & 0x8000u;
        if (magnitude >= 0x47800000u) return static_cast<uint16_t>(sign | F::infinity);  // 65536 and above
        if (magnitude < 0x38800000u) {  // subnormal: adding 0.5 lines the bits up and rounds
            const float shifted = from_bits<float>(magnitude) + 0.5f;
            return static_cast<uint16_t>(sign | (static_cast<uint32_t>(to_bits(shifted)) - 0x3f000000u));
        }
        return static_cast<uint16_t>(sign |
                                     ((magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000u) >> 13));
#endif
    }
}

template <class F>
inline float widen(uint16_t bits) {
    if constexpr (F::fraction == BF16::fraction) {
        return from_bits<float>(uint64_t{bits} << 16);
    } else {
#if defined(SIMT_F16C)
        return __builtin_ia32_vcvtph2ps(EightHalves{static_cast<short>(bits), 0, 0, 0, 0, 0, 0, 0})[0];
#else
        const uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, fraction = bits & 1023u;
        if (exponent == 31) return from_bits<float>(fraction != 0 ? 0x7fffffffu : sign | 0x7f800000u);
        if (exponent != 0) return from_bits<float>(sign | (exponent + 112) << 23 | fraction << 13);
        const float small = static_cast<float>(fraction) * 0x1p-24f;
        return sign != 0 ? -small : small;
#endif
    }
}

// p + c, and where that is no number of this type, the one beside it whose last bit is 1: rounding once more, to a much
// shorter type, then gives what rounding the exact sum would.
template <class T, class Bits>
inline T odd_sum(T p, T c) {
    const T s = p + c, part = s - p;
    const T error = (p - (s - part)) + (c - part);
    Bits bits = static_cast<Bits>(to_bits(s));
    if (!(error > 0 || error < 0) || (bits & 1) != 0 || s - s != 0) return s;
    return from_bits<T>(bits + ((error > 0) == (s > 0) ? Bits{1} : ~Bits{0}));
}

// a * b + c, rounded once. The product is exact: in float for F16, in double for BF16.
template <class F>
inline uint16_t fused(uint16_t a, uint16_t b, uint16_t c) {
    if constexpr (F::fraction == F16::fraction)
        return exact::narrow<F>(
            odd_sum<float, uint32_t>(exact::widen<F>(a) * exact::widen<F>(b), exact::widen<F>(c)));
    return exact::narrow<F>(odd_sum<double, uint64_t>(double{exact::widen<F>(a)} * double{exact::widen<F>(b)},
                                                      double{exact::widen<F>(c)}),
                            Rounding::nearest);
}

// -0 is less than +0. Of a number and a NaN it is the number, or the NaN where that is asked for.
template <class F>
inline uint16_t extreme(uint16_t a, uint16_t b, Extreme which) {
    const bool a_is_nan = (a & 0x7fff) > F::infinity, b_is_nan = (b & 0x7fff) > F::infinity;
    const bool nan_wins = which == Extreme::least_or_nan || which == Extreme::greatest_or_nan;
    if ((a_is_nan && b_is_nan) || (nan_wins && (a_is_nan || b_is_nan))) return sixteen_nan;
    if (a_is_nan || b_is_nan) return a_is_nan ? b : a;
    const auto order = [](uint16_t x) { return (x & 0x8000) != 0 ? -1 - (x & 0x7fff) : int{x}; };
    const bool wants_least = which == Extreme::least || which == Extreme::least_or_nan;
    return (order(a) < order(b)) == wants_least ? a : b;
}
// Into 0 to 1; NaN becomes 0.
template <class F>
inline uint16_t saturated(uint16_t x) {
    constexpr uint16_t one = F::bias << F::fraction;
    return exact::extreme<F>(exact::extreme<F>(x, 0, Extreme::greatest), one, Extreme::least);
}

}  // namespace exact

#if defined(SIMT_FAST)
using exact::extreme;
using exact::fused;
using exact::narrow;
using exact::saturated;
using exact::widen;
#else
#define SIMT_PURE __attribute__((const))
template <class F>
SIMT_PURE uint16_t narrow(double x, Rounding r);
template <class F>
SIMT_PURE uint16_t narrow(long long x, Rounding r);
template <class F>
SIMT_PURE uint16_t narrow(unsigned long long x, Rounding r);
template <class F>
SIMT_PURE uint16_t narrow(float x);
template <class F>
SIMT_PURE float widen(uint16_t bits);
template <class F>
SIMT_PURE uint16_t fused(uint16_t a, uint16_t b, uint16_t c);
template <class F>
SIMT_PURE uint16_t extreme(uint16_t a, uint16_t b, Extreme which);
template <class F>
SIMT_PURE uint16_t saturated(uint16_t x);
#undef SIMT_PURE
#endif
// f(x) in double, rounded to the nearest: the nearest number to the exact result, but for rare ties.
template <class F>
uint16_t sixteen_function(uint16_t x, Function f) __attribute__((const));

}  // namespace simt::cuda
