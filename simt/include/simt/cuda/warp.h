// Shuffles, votes, matches and warp-wide reductions.
#pragma once

#include "simt/abi.h"
#include "simt/cuda/barriers.h"
#include "simt/cuda/bits.h"
#include "simt/fast_warp.h"

namespace simt::cuda {
#if defined(SIMT_FAST)
SIMT_INLINE uint64_t shuffle(unsigned mask, uint64_t value, int argument, int width, Shuffle kind, Where) {
    return fast::shuffle(mask, value, argument, width, kind);
}
SIMT_INLINE unsigned vote(unsigned mask, uint64_t value, Vote kind, int* predicate, Where) {
    return fast::vote(mask, value, kind, predicate);
}
SIMT_INLINE unsigned reduce(unsigned mask, unsigned value, Reduce kind, Where) {
    return fast::reduce(mask, value, kind);
}
#else
SIMT_INLINE uint64_t shuffle(unsigned mask, uint64_t value, int argument, int width, Shuffle kind, Where w) {
    return warp_shuffle(mask, value, argument, width, kind, w);
}
SIMT_INLINE unsigned vote(unsigned mask, uint64_t value, Vote kind, int* predicate, Where w) {
    return warp_vote(mask, value, kind, predicate, w);
}
SIMT_INLINE unsigned reduce(unsigned mask, unsigned value, Reduce kind, Where w) {
    return warp_reduce(mask, value, kind, w);
}
#endif
}  // namespace simt::cuda

#define SIMT_SHUFFLE(T)                                                                                      \
    SIMT_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = 32, SIMT_HERE) {               \
        return ::simt::cuda::from_bits<T>(::simt::cuda::shuffle(mask, ::simt::cuda::to_bits(value), source,  \
                                                                width, ::simt::Shuffle::index, w));          \
    }                                                                                                        \
    SIMT_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_HERE) {        \
        return ::simt::cuda::from_bits<T>(::simt::cuda::shuffle(mask, ::simt::cuda::to_bits(value),          \
                                                                (int)delta, width, ::simt::Shuffle::up, w)); \
    }                                                                                                        \
    SIMT_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_HERE) {      \
        return ::simt::cuda::from_bits<T>(::simt::cuda::shuffle(                                             \
            mask, ::simt::cuda::to_bits(value), (int)delta, width, ::simt::Shuffle::down, w));               \
    }                                                                                                        \
    SIMT_INLINE T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, SIMT_HERE) {        \
        return ::simt::cuda::from_bits<T>(::simt::cuda::shuffle(                                             \
            mask, ::simt::cuda::to_bits(value), lane_mask, width, ::simt::Shuffle::exchange, w));            \
    }
SIMT_SHUFFLE(int)
SIMT_SHUFFLE(unsigned int)
SIMT_SHUFFLE(long)
SIMT_SHUFFLE(unsigned long)
SIMT_SHUFFLE(long long)
SIMT_SHUFFLE(unsigned long long)
SIMT_SHUFFLE(float)
SIMT_SHUFFLE(double)
#undef SIMT_SHUFFLE

SIMT_INLINE int __all_sync(unsigned mask, int predicate, SIMT_HERE) {
    return (int)::simt::cuda::vote(mask, predicate != 0, ::simt::Vote::all, nullptr, w);
}
SIMT_INLINE int __any_sync(unsigned mask, int predicate, SIMT_HERE) {
    return (int)::simt::cuda::vote(mask, predicate != 0, ::simt::Vote::any, nullptr, w);
}
SIMT_INLINE int __uni_sync(unsigned mask, int predicate, SIMT_HERE) {
    return (int)::simt::cuda::vote(mask, predicate != 0, ::simt::Vote::uniform, nullptr, w);
}
SIMT_INLINE unsigned __ballot_sync(unsigned mask, int predicate, SIMT_HERE) {
    return ::simt::cuda::vote(mask, predicate != 0, ::simt::Vote::ballot, nullptr, w);
}
SIMT_INLINE unsigned __activemask(SIMT_HERE) {
    return ::simt::gathered_lanes(w);
}

#define SIMT_MATCH(T)                                                                                       \
    SIMT_INLINE unsigned __match_any_sync(unsigned mask, T value, SIMT_HERE) {                              \
        return ::simt::cuda::vote(mask, ::simt::cuda::to_bits(value), ::simt::Vote::match_any, nullptr, w); \
    }                                                                                                       \
    SIMT_INLINE unsigned __match_all_sync(unsigned mask, T value, int* predicate, SIMT_HERE) {              \
        int all = 0;                                                                                        \
        unsigned lanes =                                                                                    \
            ::simt::cuda::vote(mask, ::simt::cuda::to_bits(value), ::simt::Vote::match_all, &all, w);       \
        *predicate = all;                                                                                   \
        return lanes;                                                                                       \
    }
SIMT_MATCH(int)
SIMT_MATCH(unsigned int)
SIMT_MATCH(long)
SIMT_MATCH(unsigned long)
SIMT_MATCH(long long)
SIMT_MATCH(unsigned long long)
SIMT_MATCH(float)
SIMT_MATCH(double)
#undef SIMT_MATCH

#define SIMT_REDUCE(T, name, kind)                                                      \
    SIMT_INLINE T __reduce_##name##_sync(unsigned mask, T value, SIMT_HERE) {           \
        return (T)::simt::cuda::reduce(mask, (unsigned)value, ::simt::Reduce::kind, w); \
    }
SIMT_REDUCE(unsigned, add, add_u)
SIMT_REDUCE(int, add, add_s)
SIMT_REDUCE(unsigned, min, min_u)
SIMT_REDUCE(int, min, min_s)
SIMT_REDUCE(unsigned, max, max_u)
SIMT_REDUCE(int, max, max_s)
SIMT_REDUCE(unsigned, and, bit_and)
SIMT_REDUCE(unsigned, or, bit_or)
SIMT_REDUCE(unsigned, xor, bit_xor)
#undef SIMT_REDUCE
