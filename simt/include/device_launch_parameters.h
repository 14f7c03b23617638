// threadIdx, blockIdx, blockDim, gridDim and warpSize.
//
// The functions behind the names are constant for a thread, so that reading an index is no memory access that the
// machine would see.
#pragma once

#include "simt/abi.h"
#include "vector_types.h"

namespace simt::cuda {
SIMT_INLINE uint3 to_uint3(Index3 v) { return uint3{v.x, v.y, v.z}; }
}  // namespace simt::cuda

#define threadIdx (::simt::cuda::to_uint3(::simt::thread_index()))
#define blockIdx (::simt::cuda::to_uint3(::simt::block_index()))

// The launch's extents are variables, so that host code may have variables and members of the same names, as it often
// does: `dim3 blockDim(16, 16);`. They are the same for all threads of a launch; the compiler takes them for constants,
// so that reading them is no memory access either. libsimt sets them (simt/runtime/extents.cpp).
#if defined(__CUDA__)  // an editor's clang
#define SIMT_DEVICE_VARIABLE __attribute__((device))
#else
#define SIMT_DEVICE_VARIABLE
#endif
extern const SIMT_DEVICE_VARIABLE uint3 blockDim __asm__("simt_block_dim");
extern const SIMT_DEVICE_VARIABLE uint3 gridDim __asm__("simt_grid_dim");

// No constant expression in CUDA either.
extern const SIMT_DEVICE_VARIABLE int warpSize __asm__("simt_warp_size");
#undef SIMT_DEVICE_VARIABLE

namespace simt {
// Launches go through this entry of libsimt, which sets the variables above.
void enqueue(const LaunchCall& call, void* arguments) __asm__("simt_enqueue_with_extents");
}  // namespace simt
