// threadIdx, blockIdx, blockDim, gridDim and warpSize.
//
// The functions behind the names are constant for a thread, so that reading an index is no memory access that
// the machine would see.
#pragma once

#include "simt/abi.h"
#include "vector_types.h"

namespace simt::cuda {
SIMT_INLINE uint3 to_uint3(Index3 v) {
    return uint3{v.x, v.y, v.z};
}
}  // namespace simt::cuda

#if defined(SIMT_FAST)
#define threadIdx (::simt::cuda::to_uint3(::simt::fast::state.thread))
#define blockIdx (::simt::cuda::to_uint3(::simt::fast::state.block))
#else
#define threadIdx (::simt::cuda::to_uint3(::simt::thread_index()))
#define blockIdx (::simt::cuda::to_uint3(::simt::block_index()))
#endif

// The launch's extents are variables, so that host code may have variables and members of the same names, as
// it often does: `dim3 blockDim(16, 16);`. They are the same for all threads of a launch. The compiler takes
// them for constants, so that reading them is no memory access either.
#if defined(__CUDA__)  // an editor's clang
#define SIMT_DEVICE_VARIABLE __attribute__((device))
#else
#define SIMT_DEVICE_VARIABLE
#endif
extern const SIMT_DEVICE_VARIABLE uint3 blockDim __asm__("simt_block_dim");
extern const SIMT_DEVICE_VARIABLE uint3 gridDim __asm__("simt_grid_dim");
extern const SIMT_DEVICE_VARIABLE int warpSize __asm__(
    "simt_warp_size");  // no constant expression in CUDA either
#undef SIMT_DEVICE_VARIABLE

#if defined(SIMT_CHECKED) || defined(SIMT_FAST)  // a program that will run on libsimt
// Their storage, and the way of every launch, which tells the machine where it is: whoever starts a launch's
// threads sets them.
namespace simt::cuda {
#define SIMT_ONE_A_PROGRAM __attribute__((weak, visibility("hidden")))
SIMT_ONE_A_PROGRAM Index3 block_dim __asm__("simt_block_dim") = {0, 0, 0};
SIMT_ONE_A_PROGRAM Index3 grid_dim __asm__("simt_grid_dim") = {0, 0, 0};
SIMT_ONE_A_PROGRAM int warp_size __asm__("simt_warp_size") = 32;
void enqueue_in_machine(const LaunchCall& call,
                        void* arguments) __asm__("_ZN4simt7enqueueERKNS_10LaunchCallEPv");
}  // namespace simt::cuda
namespace simt {
void enqueue(const LaunchCall& call, void* arguments) __asm__("simt_enqueue_with_extents");
SIMT_ONE_A_PROGRAM __attribute__((no_sanitize("thread"), no_sanitize_coverage)) void enqueue(
    const LaunchCall& call, void* arguments) {
    LaunchCall with_extents = call;
    with_extents.block_dim = &cuda::block_dim;
    with_extents.grid_dim = &cuda::grid_dim;
    cuda::enqueue_in_machine(with_extents, arguments);
}
#undef SIMT_ONE_A_PROGRAM
}  // namespace simt
#endif
