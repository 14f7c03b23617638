// Uniform, normal and Poisson numbers from random words, as cuRAND makes them: uniform ones bit by bit, normal ones within
// the error of sinf, cosf and logf (a GPU's own are a little coarser).
#pragma once

#include <math.h>

#include <cstdint>

#include "../cuda/math.h"
#include "../cuda/qualifiers.h"

#include "simt/groups/editor_begin.h"

namespace simt::random {

constexpr float word_f = 0x1p-32f;  // one step of a 32-bit word in (0, 1]
constexpr double word_d = 0x1p-32, long_word_d = 0x1p-53;
constexpr double mrg_unit = 2.3283065498378288e-10;  // 1 / mrg_modulus_1

SIMT_INLINE float uniform(uint32_t x) {
    return (float)x * word_f + word_f / 2;
}
SIMT_INLINE float uniform(uint64_t x) {
    return uniform((uint32_t)(x >> 32));
}
SIMT_INLINE double uniform_double(uint32_t x) {
    return (double)x * word_d + word_d;
}
SIMT_INLINE double uniform_double(uint64_t x) {
    return (double)(x >> 11) * long_word_d + long_word_d / 2;
}
// 53 bits of two words.
SIMT_INLINE double uniform_double(uint32_t x, uint32_t y) {
    const uint64_t both = (uint64_t)x ^ ((uint64_t)y << 21);
    return (double)both * long_word_d + long_word_d / 2;
}

struct Pair {
    float x, y;
};
struct PairDouble {
    double x, y;
};

// G. Box and M. Muller, "A note on the generation of random normal deviates", 1958. `angle` in radians.
SIMT_INLINE Pair normal_pair(float u, float angle) {
    const float radius = sqrtf(-2.0f * logf(u));
    return {radius * sinf(angle), radius * cosf(angle)};
}
SIMT_INLINE PairDouble normal_pair_double(double u, double half_turns) {
    const double radius = sqrt(-2.0 * log(u));
    return {radius * sinpi(half_turns), radius * cospi(half_turns)};
}
SIMT_INLINE Pair normal_pair(uint32_t x, uint32_t y) {
    constexpr float turn = word_f * 6.2831855f;
    // Rounded once, as a fused multiply-add is.
    return normal_pair(uniform(x), (float)((double)(float)y * turn + turn / 2));
}
SIMT_INLINE PairDouble normal_pair_double(uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1) {
    return normal_pair_double(uniform_double(x0, x1), 2 * uniform_double(y0, y1));
}

// By the inverse of the distribution, which keeps the order of a quasirandom sequence.
SIMT_INLINE double normal_of(uint32_t x) {
    const uint32_t tail = x > 0x80000000u ? ~x : x;
    const double value = normcdfinv((double)tail * word_d + word_d / 2);
    return x > 0x80000000u ? -value : value;
}
SIMT_INLINE double normal_of(uint64_t x) {
    constexpr uint64_t half = (uint64_t)1 << 52, most = ((uint64_t)1 << 53) - 1;
    const uint64_t bits = x >> 11, tail = bits > half ? most - bits : bits;
    const double value = normcdfinv((double)tail * long_word_d + long_word_d / 2);
    return bits > half ? -value : value;
}

SIMT_INLINE uint32_t poisson_of_normal(double z, double lambda) {
    const double x = sqrt(lambda) * z + lambda + 0.5;
    return x > 0 ? (uint32_t)x : 0;
}
// The least k at which the distribution function reaches u (0 to 1). Twelve deviations below the mean begins what counts.
inline uint32_t poisson_by_inversion(double u, double lambda) {
    u = fmin(u, 1 - 0x1p-53);
    double k = floor(fmax(0.0, lambda - 12 * sqrt(lambda)));
    double term = exp(k * log(lambda) - lambda - lgamma(k + 1));
    double sum = term;
    while (u > sum && (k < lambda || sum + term > sum)) {
        k += 1;
        term *= lambda / k;
        sum += term;
    }
    return (uint32_t)k;
}
// Of one word: the inverse, and for large lambda that of the normal distribution.
template <class Word>
SIMT_INLINE uint32_t poisson_of(Word x, double lambda) {
    if (lambda < 1000) return poisson_by_inversion(uniform_double(x), lambda);
    return poisson_of_normal(normal_of(x), lambda);
}

}  // namespace simt::random

#include "simt/groups/editor_end.h"
