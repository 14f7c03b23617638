// Thrust's device system on the CPU machine needs none of CUB.
#pragma once

#include <thrust/detail/config.h>

#define __THRUST_HAS_CUDART__ 1
#define THRUST_RUNTIME_FUNCTION __host__ __device__ __forceinline__
