// Only for editors (clangd): lets clang's CUDA mode parse a lesson's .cu with our headers and no CUDA Toolkit.
// compile_flags.txt in exercises/ and solutions/ force-includes it; no compiler that runs a program ever sees it.
//
// Clang checks which side may call what, as nvcc does. So the C library and our headers are marked as callable from
// both sides, and the C++ library stays the host's (its constexpr functions, std::sin and std::max among them, count as
// both sides' anyway).
#pragma once

#if defined(__clang__) && defined(__CUDA__)

#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS  // libstdc++'s <math.h> and <stdlib.h> would bring parts of the C++ library
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device end

// Whatever of the C++ library our headers use. Clang's own <new> adds the device's operators, where it knows `__device__`.
#define __device__ __attribute__((device))
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#undef __device__

// nvcc's default is C++17, and so is the editor's; in C++20, clangd 14 takes a container's `new` for the device's.
// Our headers use one name of C++20.
#if __cplusplus < 202002L
namespace std {
template <typename T>
using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;
}
#endif

#pragma clang force_cuda_host_device begin
#define __syncthreads simt_editor_syncthreads  // clang has this one built in
#include "cuda_runtime.h"
#undef __syncthreads
#pragma clang force_cuda_host_device end

// For g++ these words mean little; clang needs them to parse launches and shared memory.
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

// What clang calls for k<<<...>>>; it looks it up by this name.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                void* stream = nullptr);

#endif
