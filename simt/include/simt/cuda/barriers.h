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
namespace simt::cuda {
SIMT_INLINE void warp_sync(unsigned mask, Where) {
    fast::take(fast::arrive_in_warp(mask, fast::warp_barriers, 0, 0, 32));
}
}  // namespace simt::cuda
#else
namespace simt::cuda {
SIMT_INLINE void warp_sync(unsigned mask, Where w) {
    warp_barrier(mask, w);
}
}  // namespace simt::cuda
#endif
SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu, SIMT_HERE) {
    ::simt::cuda::warp_sync(mask, w);
}

SIMT_INLINE void __threadfence(SIMT_HERE) {
    ::simt::memory_fence(0, w);
}
SIMT_INLINE void __threadfence_block(SIMT_HERE) {
    ::simt::memory_fence(1, w);
}
SIMT_INLINE void __threadfence_system(SIMT_HERE) {
    ::simt::memory_fence(2, w);
}
