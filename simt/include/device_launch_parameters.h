// threadIdx, blockIdx, blockDim, gridDim and warpSize.
//
// The functions behind the names are constant for a thread, so that reading an index is no memory access that the
// machine would see.
#pragma once

#include "simt/abi.h"
#include "vector_types.h"

namespace simt::cuda {
SIMT_INLINE uint3 to_uint3(Index3 v) { return uint3{v.x, v.y, v.z}; }
SIMT_INLINE dim3 to_dim3(Index3 v) { return dim3(v.x, v.y, v.z); }
}  // namespace simt::cuda

// The launch's extents are variables where the machine publishes them (simt/runtime/extents.h), so that host code may
// have variables and members of the same names, as it often does: `dim3 blockDim(16, 16);`. The compiler takes them for
// constants: no memory access either.
#define threadIdx (::simt::cuda::to_uint3(::simt::thread_index()))
#define blockIdx (::simt::cuda::to_uint3(::simt::block_index()))
#if defined(SIMT_EXTENT_VARIABLES)
extern const uint3 blockDim __asm__("simt_block_dim");
extern const uint3 gridDim __asm__("simt_grid_dim");
#else
#define blockDim (::simt::cuda::to_dim3(::simt::block_extent()))
#define gridDim (::simt::cuda::to_dim3(::simt::grid_extent()))
#endif

// No constant expression in CUDA either.
extern const int warpSize __asm__("simt_warp_size");
