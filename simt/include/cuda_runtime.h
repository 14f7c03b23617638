// What nvcc gives every .cu file before its first line. The toolchain force-includes it.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt/cuda/qualifiers.h"

// Be nvcc for compute capability 9.0. Where a file tests __CUDA_ARCH__, its host code is compiled once more
// with SIMT_HOST_PASS.
#define __NVCC__ 1
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#if !defined(SIMT_HOST_PASS) && !defined(__CUDA_ARCH__)
#define __CUDA_ARCH__ 900
#endif

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include "driver_functions.h"
#include "simt/cuda/atomics.h"
#include "simt/cuda/barriers.h"
#include "simt/cuda/c_library.h"
#include "simt/cuda/integer.h"
#include "simt/cuda/math.h"
#include "simt/cuda/memory_access.h"
#include "simt/cuda/min_max.h"
#include "simt/cuda/surfaces.h"
#include "simt/cuda/textures.h"
#include "simt/cuda/time.h"
#include "simt/cuda/warp.h"
#include "vector_functions.h"
#include "vector_types.h"

#endif
