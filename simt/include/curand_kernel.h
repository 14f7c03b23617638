// cuRAND's device functions. Each is documented by NVIDIA under its name. All results are cuRAND's, number by number (normal ones
// within the error of logf, sinf and cosf), but Poisson numbers with a lambda of 64 to 4000 and the Poisson numbers of Sobol
// sequences: the same distribution, other numbers. There is no MTGP32 and there are no discrete distributions.
#pragma once

#include "cuda_runtime.h"
#include "curand.h"
#include "simt/random/distributions.h"
#include "simt/random/engines.h"

#include "simt/groups/editor_begin.h"

// ---- states ----

// A normal number comes in pairs: the second one of a pair waits in the state for the next call of the same function.
#define SIMT_SECOND_NORMAL                     \
    int boxmuller_flag, boxmuller_flag_double; \
    float boxmuller_extra;                     \
    double boxmuller_extra_double

struct curandStateXORWOW {
    unsigned int d, v[5];
    SIMT_SECOND_NORMAL;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;  // how many of `output` are used up
    SIMT_SECOND_NORMAL;
};
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    SIMT_SECOND_NORMAL;
};
#undef SIMT_SECOND_NORMAL
struct curandStateSobol32 {
    unsigned int i, x, c, direction_vectors[32];
};
struct curandStateScrambledSobol32 {
    unsigned int i, x, c, direction_vectors[32];
};
struct curandStateSobol64 {
    unsigned long long i, x, c, direction_vectors[64];
};
struct curandStateScrambledSobol64 {
    unsigned long long i, x, c, direction_vectors[64];
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

namespace simt::random {

enum : int { no_second = 0, second_normal = 1, second_log_normal = 2 };

template <class State>
SIMT_INLINE void forget_second(State* s) {
    s->boxmuller_flag = no_second;
    s->boxmuller_flag_double = no_second;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
}

// The jumps work outside of what is watched, so the state is read and written here.
SIMT_INLINE void jump_of(curandStateXORWOW* s, unsigned long long n, Jump kind) {
    uint32_t v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
    jump_xorwow(v, n, kind);
    for (int i = 0; i < 5; ++i) s->v[i] = v[i];
}
SIMT_INLINE void jump_of(curandStateMRG32k3a* s, unsigned long long n, Jump kind) {
    uint32_t s1[3] = {s->s1[0], s->s1[1], s->s1[2]}, s2[3] = {s->s2[0], s->s2[1], s->s2[2]};
    jump_mrg(s1, s2, n, kind);
    for (int i = 0; i < 3; ++i) s->s1[i] = s1[i];
    for (int i = 0; i < 3; ++i) s->s2[i] = s2[i];
}

SIMT_INLINE uint4 output_of(const curandStatePhilox4_32_10* s) {
    const Words4 made = philox({s->ctr.x, s->ctr.y, s->ctr.z, s->ctr.w}, s->key.x, s->key.y);
    return {made.x, made.y, made.z, made.w};
}
// n counters on, in all 128 bits.
SIMT_INLINE void count(curandStatePhilox4_32_10* s, unsigned long long n) {
    const unsigned long long low = (unsigned long long)s->ctr.y << 32 | s->ctr.x, sum = low + n;
    s->ctr.x = (unsigned int)sum;
    s->ctr.y = (unsigned int)(sum >> 32);
    if (sum >= low) return;
    if (++s->ctr.z == 0) ++s->ctr.w;
}
SIMT_INLINE unsigned int word_of(const uint4& four, unsigned int i) {
    return i == 0 ? four.x : i == 1 ? four.y : i == 2 ? four.z : four.w;
}

}  // namespace simt::random

// ---- going ahead, and beginning ----

SIMT_INLINE void skipahead(unsigned long long n, curandStateXORWOW* state) {
    ::simt::random::jump_of(state, n, ::simt::random::Jump::steps);
    state->d += ::simt::random::xorwow_increment * (unsigned int)n;
}
SIMT_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
    ::simt::random::jump_of(state, n, ::simt::random::Jump::sequences);
}
SIMT_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
    const unsigned int used = state->STATE + (unsigned int)(n & 3);
    ::simt::random::count(state, n / 4 + used / 4);
    state->STATE = used % 4;
    state->output = ::simt::random::output_of(state);
}
SIMT_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
    const unsigned long long sum = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
    state->ctr.z = (unsigned int)sum;
    state->ctr.w = (unsigned int)(sum >> 32);
    state->output = ::simt::random::output_of(state);
}
SIMT_INLINE void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
    ::simt::random::jump_of(state, n, ::simt::random::Jump::steps);
}
SIMT_INLINE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
    ::simt::random::jump_of(state, n, ::simt::random::Jump::sequences);
}
SIMT_INLINE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
    ::simt::random::jump_of(state, n, ::simt::random::Jump::far_streams);
}

SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStateXORWOW* state) {
    ::simt::random::seed_xorwow(*state, seed);
    ::simt::random::forget_second(state);
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStatePhilox4_32_10* state) {
    state->ctr = {0, 0, 0, 0};
    state->key = {(unsigned int)seed, (unsigned int)(seed >> 32)};
    state->STATE = 0;
    ::simt::random::forget_second(state);
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStateMRG32k3a* state) {
    ::simt::random::seed_mrg(*state, seed);
    ::simt::random::forget_second(state);
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}

// ---- 32 random bits ----

SIMT_INLINE unsigned int curand(curandStateXORWOW* state) {
    return ::simt::random::next_xorwow(*state);
}
SIMT_INLINE unsigned int curand(curandStatePhilox4_32_10* state) {
    const unsigned int at = state->STATE, made = ::simt::random::word_of(state->output, at);
    state->STATE = at + 1;
    if (at + 1 < 4) return made;
    ::simt::random::count(state, 1);
    state->output = ::simt::random::output_of(state);
    state->STATE = 0;
    return made;
}
SIMT_INLINE unsigned int curand(curandStateMRG32k3a* state) {
    return ::simt::random::mrg_bits(::simt::random::next_mrg(*state));
}
// The next four; how many of a counter's four are used up stays as it is.
SIMT_INLINE uint4 curand4(curandStatePhilox4_32_10* state) {
    const uint4 before = state->output;
    ::simt::random::count(state, 1);
    const uint4 after = ::simt::random::output_of(state);
    state->output = after;
    unsigned int made[4];
    for (unsigned int i = 0; i < 4; ++i) {
        const unsigned int at = state->STATE + i;
        made[i] = at < 4 ? ::simt::random::word_of(before, at) : ::simt::random::word_of(after, at - 4);
    }
    return {made[0], made[1], made[2], made[3]};
}

// ---- numbers in (0, 1] ----

SIMT_INLINE float curand_uniform(curandStateXORWOW* state) {
    return ::simt::random::uniform(curand(state));
}
SIMT_INLINE float curand_uniform(curandStatePhilox4_32_10* state) {
    return ::simt::random::uniform(curand(state));
}
SIMT_INLINE float curand_uniform(curandStateMRG32k3a* state) {
    return (float)(::simt::random::next_mrg(*state) * ::simt::random::mrg_unit);
}
SIMT_INLINE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    const uint4 x = curand4(state);
    return {::simt::random::uniform(x.x), ::simt::random::uniform(x.y), ::simt::random::uniform(x.z),
            ::simt::random::uniform(x.w)};
}
SIMT_INLINE double curand_uniform_double(curandStateXORWOW* state) {
    const unsigned int x = curand(state), y = curand(state);
    return ::simt::random::uniform_double(x, y);
}
SIMT_INLINE double curand_uniform_double(curandStatePhilox4_32_10* state) {
    return ::simt::random::uniform_double(curand(state));
}
SIMT_INLINE double curand_uniform_double(curandStateMRG32k3a* state) {
    return ::simt::random::next_mrg(*state) * ::simt::random::mrg_unit;
}
SIMT_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
    const uint4 x = curand4(state);
    return {::simt::random::uniform_double(x.x, x.y), ::simt::random::uniform_double(x.z, x.w)};
}
SIMT_INLINE double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
    const double2 first = curand_uniform2_double(state), second = curand_uniform2_double(state);
    return {first.x, first.y, second.x, second.y};
}

// ---- normal, log-normal and Poisson numbers ----

namespace simt::random {

template <class State>
SIMT_INLINE Pair pair_of(State* s) {
    const uint32_t x = curand(s), y = curand(s);
    return normal_pair(x, y);
}
SIMT_INLINE Pair pair_of(curandStateMRG32k3a* s) {
    const float u = curand_uniform(s), v = curand_uniform(s);
    return normal_pair(u, v * 6.2831855f);
}
SIMT_INLINE PairDouble pair_of_doubles(curandStateXORWOW* s) {
    const uint32_t x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
    return normal_pair_double(x0, x1, y0, y1);
}
SIMT_INLINE PairDouble pair_of_doubles(curandStatePhilox4_32_10* s) {
    const uint4 x = curand4(s);
    return normal_pair_double(x.x, x.y, x.z, x.w);
}
SIMT_INLINE PairDouble pair_of_doubles(curandStateMRG32k3a* s) {
    const double u = curand_uniform_double(s), v = curand_uniform_double(s);
    return normal_pair_double(u, 2 * v);
}

// `finish` makes the result of a normal number.
template <class State, class Finish>
SIMT_INLINE float one_of_pair(State* s, int kind, Finish finish) {
    if (s->boxmuller_flag == kind) {
        s->boxmuller_flag = no_second;
        return s->boxmuller_extra;
    }
    const Pair pair = pair_of(s);
    s->boxmuller_extra = finish(pair.y);
    s->boxmuller_flag = kind;
    return finish(pair.x);
}
template <class State, class Finish>
SIMT_INLINE double one_of_pair_double(State* s, int kind, Finish finish) {
    if (s->boxmuller_flag_double == kind) {
        s->boxmuller_flag_double = no_second;
        return s->boxmuller_extra_double;
    }
    const PairDouble pair = pair_of_doubles(s);
    s->boxmuller_extra_double = finish(pair.y);
    s->boxmuller_flag_double = kind;
    return finish(pair.x);
}

// How often uniform numbers can be multiplied to e^lambda until 1 is passed (D. Knuth, The Art of Computer Programming,
// volume 2, 3.4.1).
template <class State>
SIMT_INLINE unsigned int poisson_by_products(State* s, float lambda) {
    unsigned int k = 0;
    float p = expf(lambda);
    do {
        ++k;
        p *= curand_uniform(s);
    } while (p > 1);
    return k - 1;
}

}  // namespace simt::random

#define SIMT_DISTRIBUTIONS(State)                                                                            \
    SIMT_INLINE float curand_normal(State* state) {                                                          \
        return ::simt::random::one_of_pair(state, ::simt::random::second_normal, [](float z) { return z; }); \
    }                                                                                                        \
    SIMT_INLINE double curand_normal_double(State* state) {                                                  \
        return ::simt::random::one_of_pair_double(state, ::simt::random::second_normal,                      \
                                                  [](double z) { return z; });                               \
    }                                                                                                        \
    SIMT_INLINE float curand_log_normal(State* state, float mean, float stddev) {                            \
        return ::simt::random::one_of_pair(state, ::simt::random::second_log_normal,                         \
                                           [=](float z) { return expf(mean + stddev * z); });                \
    }                                                                                                        \
    SIMT_INLINE double curand_log_normal_double(State* state, double mean, double stddev) {                  \
        return ::simt::random::one_of_pair_double(state, ::simt::random::second_log_normal,                  \
                                                  [=](double z) { return exp(mean + stddev * z); });         \
    }                                                                                                        \
    SIMT_INLINE float2 curand_normal2(State* state) {                                                        \
        const ::simt::random::Pair z = ::simt::random::pair_of(state);                                       \
        return {z.x, z.y};                                                                                   \
    }                                                                                                        \
    SIMT_INLINE double2 curand_normal2_double(State* state) {                                                \
        const ::simt::random::PairDouble z = ::simt::random::pair_of_doubles(state);                         \
        return {z.x, z.y};                                                                                   \
    }                                                                                                        \
    SIMT_INLINE float2 curand_log_normal2(State* state, float mean, float stddev) {                          \
        const float2 z = curand_normal2(state);                                                              \
        return {expf(mean + stddev * z.x), expf(mean + stddev * z.y)};                                       \
    }                                                                                                        \
    SIMT_INLINE double2 curand_log_normal2_double(State* state, double mean, double stddev) {                \
        const double2 z = curand_normal2_double(state);                                                      \
        return {exp(mean + stddev * z.x), exp(mean + stddev * z.y)};                                         \
    }                                                                                                        \
    SIMT_INLINE unsigned int curand_poisson(State* state, double lambda) {                                   \
        if (lambda < 64) return ::simt::random::poisson_by_products(state, (float)lambda);                   \
        if (lambda <= 4000)                                                                                  \
            return ::simt::random::poisson_by_inversion(curand_uniform_double(state), lambda);               \
        return (unsigned int)(sqrt(lambda) * curand_normal_double(state) + lambda + 0.5);                    \
    }
SIMT_DISTRIBUTIONS(curandStateXORWOW)
SIMT_DISTRIBUTIONS(curandStatePhilox4_32_10)
SIMT_DISTRIBUTIONS(curandStateMRG32k3a)
#undef SIMT_DISTRIBUTIONS

SIMT_INLINE float4 curand_normal4(curandStatePhilox4_32_10* state) {
    const uint4 x = curand4(state);
    const ::simt::random::Pair a = ::simt::random::normal_pair(x.x, x.y),
                               b = ::simt::random::normal_pair(x.z, x.w);
    return {a.x, a.y, b.x, b.y};
}
SIMT_INLINE double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
    const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    return {a.x, a.y, b.x, b.y};
}
SIMT_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float stddev) {
    const float4 z = curand_normal4(state);
    return {expf(mean + stddev * z.x), expf(mean + stddev * z.y), expf(mean + stddev * z.z),
            expf(mean + stddev * z.w)};
}

// ---- Sobol's sequences ----

#define SIMT_SOBOL(State, Word, bits)                                                         \
    SIMT_INLINE void skipahead(unsigned long long n, State* state) {                          \
        state->i += (Word)n;                                                                  \
        state->x = ::simt::random::sobol(state->direction_vectors, state->i) ^ state->c;      \
    }                                                                                         \
    SIMT_INLINE Word curand(State* state) {                                                   \
        const Word made = state->x;                                                           \
        state->x = made ^ state->direction_vectors[::simt::random::lowest_zero(state->i)];    \
        ++state->i;                                                                           \
        return made;                                                                          \
    }                                                                                         \
    SIMT_INLINE float curand_uniform(State* state) {                                          \
        return ::simt::random::uniform((uint##bits##_t)curand(state));                        \
    }                                                                                         \
    SIMT_INLINE double curand_uniform_double(State* state) {                                  \
        return ::simt::random::uniform_double((uint##bits##_t)curand(state));                 \
    }                                                                                         \
    SIMT_INLINE double curand_normal_double(State* state) {                                   \
        return ::simt::random::normal_of((uint##bits##_t)curand(state));                      \
    }                                                                                         \
    SIMT_INLINE float curand_normal(State* state) {                                           \
        return (float)curand_normal_double(state);                                            \
    }                                                                                         \
    SIMT_INLINE float curand_log_normal(State* state, float mean, float stddev) {             \
        return expf(mean + stddev * curand_normal(state));                                    \
    }                                                                                         \
    SIMT_INLINE double curand_log_normal_double(State* state, double mean, double stddev) {   \
        return exp(mean + stddev * curand_normal_double(state));                              \
    }                                                                                         \
    SIMT_INLINE unsigned int curand_poisson(State* state, double lambda) {                    \
        return ::simt::random::poisson_of((uint##bits##_t)curand(state), lambda);             \
    }                                                                                         \
    SIMT_INLINE void simt_begin_sobol(const Word* directions, Word c, Word n, State* state) { \
        for (int k = 0; k < bits; ++k) state->direction_vectors[k] = directions[k];           \
        state->i = 0;                                                                         \
        state->c = c;                                                                         \
        skipahead(n, state);                                                                  \
    }
SIMT_SOBOL(curandStateSobol32, unsigned int, 32)
SIMT_SOBOL(curandStateScrambledSobol32, unsigned int, 32)
SIMT_SOBOL(curandStateSobol64, unsigned long long, 64)
SIMT_SOBOL(curandStateScrambledSobol64, unsigned long long, 64)
#undef SIMT_SOBOL

SIMT_INLINE void curand_init(curandDirectionVectors32_t directions, unsigned int offset,
                             curandStateSobol32* state) {
    simt_begin_sobol(directions, 0, offset, state);
}
SIMT_INLINE void curand_init(curandDirectionVectors32_t directions, unsigned int scramble_c,
                             unsigned int offset, curandStateScrambledSobol32* state) {
    simt_begin_sobol(directions, scramble_c, offset, state);
}
SIMT_INLINE void curand_init(curandDirectionVectors64_t directions, unsigned long long offset,
                             curandStateSobol64* state) {
    simt_begin_sobol(directions, 0, offset, state);
}
SIMT_INLINE void curand_init(curandDirectionVectors64_t directions, unsigned long long scramble_c,
                             unsigned long long offset, curandStateScrambledSobol64* state) {
    simt_begin_sobol(directions, scramble_c, offset, state);
}

#include "simt/groups/editor_end.h"
