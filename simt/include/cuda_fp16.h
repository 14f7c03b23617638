// half and half2: IEEE binary16. Each function is documented by NVIDIA under its name. Each operation rounds once, to the
// nearest with ties to even; nvcc may fuse a product and a sum to __hfma, which the _rn forms and this header never do.
// Mathematical functions give the nearest number to the exact result; a GPU may be one unit of the last place off.
#pragma once

#include "cuda_runtime_api.h"
#include "simt/sixteen/pieces.h"
#include "vector_functions.h"

#include "simt/groups/editor_begin.h"

struct __nv_bfloat16;

#define SIMT_T __half
#define SIMT_RAW __half_raw
#define SIMT_T2 __half2
#define SIMT_RAW2 __half2_raw
#define SIMT_OTHER __nv_bfloat16
#define SIMT_NAME half
#define SIMT_F ::simt::cuda::F16
#define SIMT_ATOMIC f16
#define SIMT_ATOMIC2 f16x2
#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define SIMT_CONVERSIONS 0
#else
#define SIMT_CONVERSIONS 1
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__)
#define SIMT_OPERATORS 0
#else
#define SIMT_OPERATORS 1
#endif
#if defined(__CUDA_NO_HALF2_OPERATORS__)
#define SIMT_OPERATORS2 0
#else
#define SIMT_OPERATORS2 1
#endif
#include "simt/sixteen/value.inc"

#include "simt/sixteen/pair.inc"
#undef SIMT_T
#undef SIMT_RAW
#undef SIMT_T2
#undef SIMT_RAW2
#undef SIMT_OTHER
#undef SIMT_NAME
#undef SIMT_F
#undef SIMT_ATOMIC
#undef SIMT_ATOMIC2
#undef SIMT_CONVERSIONS
#undef SIMT_OPERATORS
#undef SIMT_OPERATORS2

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#include "simt/groups/editor_end.h"
