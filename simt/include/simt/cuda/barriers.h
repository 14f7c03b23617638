// Barriers and fences.
#pragma once

#include "simt/abi.h"
#include "simt/cuda/qualifiers.h"

#define SIMT_HERE ::simt::Where w = ::simt::Where::here()

#if defined(SIMT_FAST)
SIMT_INLINE void __syncthreads() {
    ::simt::fast::barrier();
}
#else
SIMT_INLINE void __syncthreads(SIMT_HERE) {
    ::simt::block_barrier(w);
}
#endif
SIMT_INLINE int __syncthreads_count(int predicate, SIMT_HERE) {
    return ::simt::block_barrier_fold(predicate, ::simt::BarrierFold::count, w);
}
SIMT_INLINE int __syncthreads_and(int predicate, SIMT_HERE) {
    return ::simt::block_barrier_fold(predicate, ::simt::BarrierFold::all, w);
}
SIMT_INLINE int __syncthreads_or(int predicate, SIMT_HERE) {
    return ::simt::block_barrier_fold(predicate, ::simt::BarrierFold::any, w);
}
#if defined(SIMT_FAST)
SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu) {
    ::simt::fast::take(::simt::fast::arrive_in_warp(mask, ::simt::fast::warp_barriers, 0, 0, 32));
}
#else
SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu, SIMT_HERE) {
    ::simt::warp_barrier(mask, w);
}
#endif

SIMT_INLINE void __threadfence(SIMT_HERE) {
    ::simt::memory_fence(0, w);
}
SIMT_INLINE void __threadfence_block(SIMT_HERE) {
    ::simt::memory_fence(1, w);
}
SIMT_INLINE void __threadfence_system(SIMT_HERE) {
    ::simt::memory_fence(2, w);
}
