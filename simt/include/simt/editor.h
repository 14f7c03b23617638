// Only for editors (clangd): lets clang's CUDA mode parse a lesson's .cu with our headers and no CUDA Toolkit.
// compile_flags.txt in exercises/ and solutions/ force-includes it; no compiler that runs a program ever sees it.
//
// Our headers and the standard library are plain C++, but clang's CUDA mode checks which side may call what. So
// whatever carries no mark of its own counts as callable from both sides, from here to the end of the file; a call
// that clang would still refuse, such as a __device__ function called by main, is wrong in CUDA too.
#pragma once

#if defined(__clang__) && defined(__CUDA__)

#pragma clang force_cuda_host_device begin
#include <cstdlib>
#pragma clang force_cuda_host_device end

// Clang declares the host's operators itself, and its own <new> adds the device's where it knows `__device__`.
#define __device__ __attribute__((device))
#include <new>
#undef __device__

#pragma clang force_cuda_host_device begin

// Clang has this one built in, as a device function.
#define __syncthreads simt_editor_syncthreads
#include "cuda_runtime.h"
#undef __syncthreads

// What clang calls for k<<<...>>>; it looks it up by this name.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, void* stream = nullptr);

// For g++ these words mean nothing; clang needs them to parse launches and shared memory.
#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __managed__
#undef __launch_bounds__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#endif
