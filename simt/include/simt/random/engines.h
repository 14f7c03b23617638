// The recurrences of cuRAND's generators, one step at a time: for its device functions (curand_kernel.h) and for the
// host library alike. Each returns what cuRAND returns.
#pragma once

#include <cstdint>

#include "../cuda/qualifiers.h"

#include "simt/groups/editor_begin.h"

namespace simt::random {

// ---- XORWOW: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003, page 5 ----
// A state has a counter d and five words v. How cuRAND makes them from a seed was seen in what it returns.
template <class State>
SIMT_INLINE void seed_xorwow(State& s, uint64_t seed) {
    const uint32_t low = ((uint32_t)seed ^ 0xaad26b49u) * 1099087573u;
    const uint32_t high = ((uint32_t)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    s.d = 6615241u + low + high;
    s.v[0] = 123456789u + low;
    s.v[1] = 362436069u ^ low;
    s.v[2] = 521288629u + high;
    s.v[3] = 88675123u ^ high;
    s.v[4] = 5783321u + low;
}

constexpr uint32_t xorwow_increment = 362437;  // of d, in each step

template <class State>
SIMT_INLINE uint32_t next_xorwow(State& s) {
    const uint32_t first = s.v[0], last = s.v[4];
    const uint32_t mixed = first ^ (first >> 2);
    const uint32_t made = (last ^ (last << 4)) ^ (mixed ^ (mixed << 1));
    s.v[0] = s.v[1];
    s.v[1] = s.v[2];
    s.v[2] = s.v[3];
    s.v[3] = last;
    s.v[4] = made;
    const uint32_t d = s.d + xorwow_increment;
    s.d = d;
    return made + d;
}

// ---- Philox 4x32-10: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11 ----
struct Words4 {
    uint32_t x, y, z, w;
};

// The four numbers of one counter under one key.
SIMT_INLINE Words4 philox(Words4 c, uint32_t key_x, uint32_t key_y) {
    for (int round = 0; round < 10; ++round) {
        const uint64_t a = (uint64_t)0xd2511f53u * c.x, b = (uint64_t)0xcd9e8d57u * c.z;
        c = {(uint32_t)(b >> 32) ^ c.y ^ key_x, (uint32_t)b, (uint32_t)(a >> 32) ^ c.w ^ key_y, (uint32_t)a};
        key_x += 0x9e3779b9u;
        key_y += 0xbb67ae85u;
    }
    return c;
}

// ---- MRG32k3a: P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number
// generators", Operations Research 47 (1), 1999 ----
constexpr uint32_t mrg_modulus_1 = 4294967087u, mrg_modulus_2 = 4294944443u;

template <class State>
SIMT_INLINE void seed_mrg(State& s, uint64_t seed) {
    const uint32_t low = (uint32_t)seed ^ 0x55555555u, high = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
        const uint32_t factor_1 = seed == 0 ? 1 : i == 1 ? high : low;
        const uint32_t factor_2 = seed == 0 ? 1 : i == 1 ? low : high;
        s.s1[i] = (uint32_t)((uint64_t)factor_1 * 12345u % mrg_modulus_1);
        s.s2[i] = (uint32_t)((uint64_t)factor_2 * 12345u % mrg_modulus_2);
    }
}

// 1 to mrg_modulus_1.
template <class State>
SIMT_INLINE uint32_t next_mrg(State& s) {
    const uint64_t a =
        ((uint64_t)1403580u * s.s1[1] + (uint64_t)810728u * (mrg_modulus_1 - s.s1[0])) % mrg_modulus_1;
    s.s1[0] = s.s1[1];
    s.s1[1] = s.s1[2];
    s.s1[2] = (uint32_t)a;
    const uint64_t b =
        ((uint64_t)527612u * s.s2[2] + (uint64_t)1370589u * (mrg_modulus_2 - s.s2[0])) % mrg_modulus_2;
    s.s2[0] = s.s2[1];
    s.s2[1] = s.s2[2];
    s.s2[2] = (uint32_t)b;
    return (uint32_t)a - (uint32_t)b + (a <= b ? mrg_modulus_1 : 0);
}

// cuRAND stretches the numbers of MRG32k3a to 32 bits by this factor.
SIMT_INLINE uint32_t mrg_bits(uint32_t z) {
    return (uint32_t)((double)z * 1.000000048662);
}

// ---- Sobol: the point after the i-th differs by the direction vector of i's lowest bit that is 0 (I. Antonov and V.
// Saleev, 1979) ----
template <class Word>
SIMT_INLINE int lowest_zero(Word i) {
    const int all = sizeof(Word) * 8 - 1;
    const Word zeros = ~i;
    return zeros == 0 ? all : __builtin_ctzll((unsigned long long)zeros);
}
// The i-th point of the dimension whose direction vectors these are.
template <class Word>
SIMT_INLINE Word sobol(const Word* directions, Word i) {
    Word x = 0;
    Word gray = i ^ (i >> 1);
    for (int bit = 0; gray != 0; ++bit, gray >>= 1)
        if ((gray & 1) != 0) x ^= directions[bit];
    return x;
}

// ---- jumps, in libsimt: the powers of a step's matrix are computed when first needed ----
enum class Jump : int {
    steps,       // numbers of one sequence
    sequences,   // subsequences: 2^67 numbers of XORWOW, 2^76 of MRG32k3a
    far_streams  // of MRG32k3a only: 2^127 numbers
};
void jump_xorwow(uint32_t v[5], uint64_t n, Jump kind);  // d is the caller's
void jump_mrg(uint32_t s1[3], uint32_t s2[3], uint64_t n, Jump kind);

}  // namespace simt::random

#include "simt/groups/editor_end.h"
