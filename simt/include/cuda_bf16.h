// nv_bfloat16 and nv_bfloat162: a float's upper half. Each function is documented by NVIDIA under its name. How they round is
// said in cuda_fp16.h.
#pragma once

#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "simt/sixteen/pieces.h"
#include "vector_functions.h"

#include "simt/groups/editor_begin.h"

#define SIMT_T __nv_bfloat16
#define SIMT_RAW __nv_bfloat16_raw
#define SIMT_T2 __nv_bfloat162
#define SIMT_RAW2 __nv_bfloat162_raw
#define SIMT_OTHER __half
#define SIMT_NAME bfloat16
#define SIMT_F ::simt::cuda::BF16
#define SIMT_ATOMIC bf16
#define SIMT_ATOMIC2 bf16x2
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define SIMT_CONVERSIONS 0
#else
#define SIMT_CONVERSIONS 1
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define SIMT_OPERATORS 0
#else
#define SIMT_OPERATORS 1
#endif
#if defined(__CUDA_NO_BFLOAT162_OPERATORS__)
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

#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
SIMT_INLINE __half::__half(__nv_bfloat16 other)
    : __x(::simt::cuda::narrow<::simt::cuda::F16>(::simt::cuda::wide(other))) {}
#endif
#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
SIMT_INLINE __nv_bfloat16::__nv_bfloat16(__half other)
    : __x(::simt::cuda::narrow<::simt::cuda::BF16>(::simt::cuda::wide(other))) {}
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#if !defined(CUDA_NO_BFLOAT16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#include "simt/groups/editor_end.h"
