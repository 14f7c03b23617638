// The words that CUDA adds to declarations. C++ needs none of them to run a kernel on the CPU, so that most
// vanish.
#pragma once

#if defined(SIMT_FAST)
#define __global__  // to be inlined into the loop over threads
#else
#define __global__ __attribute__((noinline))
#endif
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __launch_bounds__(...)

#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __block_size__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
// Empty, since the C++ library itself writes __attribute__((__noinline__)).
#define __noinline__
#ifndef __restrict__
#define __restrict__ __restrict
#endif

// A wrapper that leaves no frame: the machine sees the call at the learner's own line.
#define SIMT_INLINE inline __attribute__((always_inline))
