// Mathematical functions that CUDA has and the C library lacks, and the intrinsics.
//
// The C library's functions serve as CUDA's own: within their error bounds, not bit by bit what a GPU
// computes. The fast intrinsics (__expf) are as exact as the plain functions here.
#pragma once

#include <math.h>
#include <stdlib.h>

#include "simt/cuda/integer.h"

// Directed rounding and special functions, in libsimt.
namespace simt::cuda {
enum class Rounding : int { nearest, zero, up, down };
float add(float x, float y, Rounding r);
float multiply(float x, float y, Rounding r);
float divide(float x, float y, Rounding r);
float fused(float x, float y, float z, Rounding r);
float square_root(float x, Rounding r);
double add(double x, double y, Rounding r);
double multiply(double x, double y, Rounding r);
double divide(double x, double y, Rounding r);
double fused(double x, double y, double z, Rounding r);
double square_root(double x, Rounding r);
float to_float(long long x, Rounding r);
float to_float(unsigned long long x, Rounding r);
float to_float(double x, Rounding r);
double to_double(long long x, Rounding r);
double to_double(unsigned long long x, Rounding r);
// Saturating, NaN becomes 0 (the 64-bit conversions of CUDA give the minimum).
long long to_integer(double x, Rounding r, long long least, long long most);
unsigned long long to_unsigned(double x, Rounding r, unsigned long long most);
double error_inverse(double x);
double error_complement_scaled(double x);
double normal_quantile(double x);
double bessel_i0(double x);
double bessel_i1(double x);
double sine_pi(double x);
double cosine_pi(double x);
}  // namespace simt::cuda

#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 42)
SIMT_INLINE float rsqrtf(float x) {
    return 1.0f / __builtin_sqrtf(x);
}
SIMT_INLINE double rsqrt(double x) {
    return 1.0 / __builtin_sqrt(x);
}
#endif
SIMT_INLINE float rsqrt(float x) {
    return rsqrtf(x);
}
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 41)
SIMT_INLINE float sinpif(float x) {
    return (float)::simt::cuda::sine_pi(x);
}
SIMT_INLINE float cospif(float x) {
    return (float)::simt::cuda::cosine_pi(x);
}
SIMT_INLINE double sinpi(double x) {
    return ::simt::cuda::sine_pi(x);
}
SIMT_INLINE double cospi(double x) {
    return ::simt::cuda::cosine_pi(x);
}
#endif
SIMT_INLINE float sinpi(float x) {
    return sinpif(x);
}
SIMT_INLINE float cospi(float x) {
    return cospif(x);
}
SIMT_INLINE void sincospif(float x, float* s, float* c) {
    *s = sinpif(x);
    *c = cospif(x);
}
SIMT_INLINE void sincospi(double x, double* s, double* c) {
    *s = sinpi(x);
    *c = cospi(x);
}
SIMT_INLINE void sincos(float x, float* s, float* c) {
    *s = sinf(x);
    *c = cosf(x);
}
SIMT_INLINE float rcbrtf(float x) {
    return 1.0f / cbrtf(x);
}
SIMT_INLINE double rcbrt(double x) {
    return 1.0 / cbrt(x);
}
SIMT_INLINE float rhypotf(float x, float y) {
    return 1.0f / hypotf(x, y);
}
SIMT_INLINE double rhypot(double x, double y) {
    return 1.0 / hypot(x, y);
}
SIMT_INLINE double norm3d(double a, double b, double c) {
    return hypot(hypot(a, b), c);
}
SIMT_INLINE double norm4d(double a, double b, double c, double d) {
    return hypot(hypot(a, b), hypot(c, d));
}
SIMT_INLINE double rnorm3d(double a, double b, double c) {
    return 1.0 / norm3d(a, b, c);
}
SIMT_INLINE double rnorm4d(double a, double b, double c, double d) {
    return 1.0 / norm4d(a, b, c, d);
}
SIMT_INLINE float norm3df(float a, float b, float c) {
    return (float)norm3d(a, b, c);
}
SIMT_INLINE float norm4df(float a, float b, float c, float d) {
    return (float)norm4d(a, b, c, d);
}
SIMT_INLINE float rnorm3df(float a, float b, float c) {
    return (float)rnorm3d(a, b, c);
}
SIMT_INLINE float rnorm4df(float a, float b, float c, float d) {
    return (float)rnorm4d(a, b, c, d);
}
SIMT_INLINE double norm(int dimensions, const double* v) {
    double length = 0.0;
    for (int i = 0; i < dimensions; ++i) length = hypot(length, v[i]);
    return length;
}
SIMT_INLINE float normf(int dimensions, const float* v) {
    double length = 0.0;
    for (int i = 0; i < dimensions; ++i) length = hypot(length, (double)v[i]);
    return (float)length;
}
SIMT_INLINE double normcdf(double x) {
    return 0.5 * erfc(-x * 0.70710678118654752440);
}
SIMT_INLINE float normcdff(float x) {
    return (float)normcdf((double)x);
}
SIMT_INLINE double normcdfinv(double x) {
    return ::simt::cuda::normal_quantile(x);
}
SIMT_INLINE float normcdfinvf(float x) {
    return (float)normcdfinv((double)x);
}
SIMT_INLINE double erfinv(double x) {
    return ::simt::cuda::error_inverse(x);
}
SIMT_INLINE float erfinvf(float x) {
    return (float)erfinv((double)x);
}
SIMT_INLINE double erfcinv(double x) {
    return -normcdfinv(0.5 * x) * 0.70710678118654752440;
}
SIMT_INLINE float erfcinvf(float x) {
    return (float)erfcinv((double)x);
}
SIMT_INLINE double erfcx(double x) {
    return ::simt::cuda::error_complement_scaled(x);
}
SIMT_INLINE float erfcxf(float x) {
    return (float)erfcx((double)x);
}
SIMT_INLINE double cyl_bessel_i0(double x) {
    return ::simt::cuda::bessel_i0(x);
}
SIMT_INLINE double cyl_bessel_i1(double x) {
    return ::simt::cuda::bessel_i1(x);
}
SIMT_INLINE float cyl_bessel_i0f(float x) {
    return (float)cyl_bessel_i0((double)x);
}
SIMT_INLINE float cyl_bessel_i1f(float x) {
    return (float)cyl_bessel_i1((double)x);
}
SIMT_INLINE float fdividef(float x, float y) {
    return x / y;
}

// The overloads for float that CUDA has.
#define SIMT_FLOAT_OVERLOAD(name)     \
    SIMT_INLINE float name(float x) { \
        return name##f(x);            \
    }
SIMT_FLOAT_OVERLOAD(rcbrt)
SIMT_FLOAT_OVERLOAD(normcdf)
SIMT_FLOAT_OVERLOAD(normcdfinv)
SIMT_FLOAT_OVERLOAD(erfinv)
SIMT_FLOAT_OVERLOAD(erfcinv)
SIMT_FLOAT_OVERLOAD(erfcx)
SIMT_FLOAT_OVERLOAD(exp10)
SIMT_FLOAT_OVERLOAD(j0)
SIMT_FLOAT_OVERLOAD(j1)
SIMT_FLOAT_OVERLOAD(y0)
SIMT_FLOAT_OVERLOAD(y1)
SIMT_FLOAT_OVERLOAD(cyl_bessel_i0)
SIMT_FLOAT_OVERLOAD(cyl_bessel_i1)
#undef SIMT_FLOAT_OVERLOAD
SIMT_INLINE void sincospi(float x, float* s, float* c) {
    sincospif(x, s, c);
}

// ---- intrinsics ----
SIMT_INLINE float __sinf(float x) {
    return sinf(x);
}
SIMT_INLINE float __cosf(float x) {
    return cosf(x);
}
SIMT_INLINE float __tanf(float x) {
    return tanf(x);
}
SIMT_INLINE float __tanhf(float x) {
    return tanhf(x);
}
SIMT_INLINE void __sincosf(float x, float* s, float* c) {
    *s = sinf(x);
    *c = cosf(x);
}
SIMT_INLINE float __expf(float x) {
    return expf(x);
}
SIMT_INLINE float __exp10f(float x) {
    return exp10f(x);
}
SIMT_INLINE float __logf(float x) {
    return logf(x);
}
SIMT_INLINE float __log2f(float x) {
    return log2f(x);
}
SIMT_INLINE float __log10f(float x) {
    return log10f(x);
}
SIMT_INLINE float __powf(float x, float y) {
    return powf(x, y);
}
SIMT_INLINE float __fdividef(float x, float y) {
    return x / y;
}
SIMT_INLINE float __frsqrt_rn(float x) {
    return (float)(1.0 / __builtin_sqrt((double)x));
}
SIMT_INLINE float __saturatef(float x) {
    return x >= 1.0f ? 1.0f : x > 0.0f ? x : 0.0f;
}  // NaN becomes 0

#define SIMT_ROUNDED(T, prefix, suffix, mode)                              \
    SIMT_INLINE T __##prefix##add_##suffix(T x, T y) {                     \
        return ::simt::cuda::add(x, y, ::simt::cuda::Rounding::mode);      \
    }                                                                      \
    SIMT_INLINE T __##prefix##sub_##suffix(T x, T y) {                     \
        return ::simt::cuda::add(x, -y, ::simt::cuda::Rounding::mode);     \
    }                                                                      \
    SIMT_INLINE T __##prefix##mul_##suffix(T x, T y) {                     \
        return ::simt::cuda::multiply(x, y, ::simt::cuda::Rounding::mode); \
    }
#define SIMT_ROUNDED_MORE(T, div, rcp, sqrt_, fma_, suffix, mode)           \
    SIMT_INLINE T __##div##_##suffix(T x, T y) {                            \
        return ::simt::cuda::divide(x, y, ::simt::cuda::Rounding::mode);    \
    }                                                                       \
    SIMT_INLINE T __##rcp##_##suffix(T x) {                                 \
        return ::simt::cuda::divide(T(1), x, ::simt::cuda::Rounding::mode); \
    }                                                                       \
    SIMT_INLINE T __##sqrt_##_##suffix(T x) {                               \
        return ::simt::cuda::square_root(x, ::simt::cuda::Rounding::mode);  \
    }                                                                       \
    SIMT_INLINE T __##fma_##_##suffix(T x, T y, T z) {                      \
        return ::simt::cuda::fused(x, y, z, ::simt::cuda::Rounding::mode);  \
    }
#define SIMT_ROUNDED_BOTH(suffix, mode)                             \
    SIMT_ROUNDED(float, f, suffix, mode)                            \
    SIMT_ROUNDED(double, d, suffix, mode)                           \
    SIMT_ROUNDED_MORE(float, fdiv, frcp, fsqrt, fmaf, suffix, mode) \
    SIMT_ROUNDED_MORE(double, ddiv, drcp, dsqrt, fma, suffix, mode)
SIMT_ROUNDED_BOTH(rz, zero)
SIMT_ROUNDED_BOTH(ru, up)
SIMT_ROUNDED_BOTH(rd, down)
#undef SIMT_ROUNDED_BOTH
#undef SIMT_ROUNDED_MORE
#undef SIMT_ROUNDED

// To nearest is what the CPU does anyway. These never merge into a fused multiply-add.
namespace simt::cuda {
template <class T>
SIMT_INLINE T keep(T x) {
#if defined(__FMA__)
    __asm__("" : "+x"(x));
#endif
    return x;
}
}  // namespace simt::cuda
SIMT_INLINE float __fadd_rn(float x, float y) {
    return ::simt::cuda::keep(x + y);
}
SIMT_INLINE float __fsub_rn(float x, float y) {
    return ::simt::cuda::keep(x - y);
}
SIMT_INLINE float __fmul_rn(float x, float y) {
    return ::simt::cuda::keep(x * y);
}
SIMT_INLINE float __fdiv_rn(float x, float y) {
    return x / y;
}
SIMT_INLINE float __frcp_rn(float x) {
    return 1.0f / x;
}
SIMT_INLINE float __fsqrt_rn(float x) {
    return __builtin_sqrtf(x);
}
SIMT_INLINE float __fmaf_rn(float x, float y, float z) {
    return fmaf(x, y, z);
}
SIMT_INLINE double __dadd_rn(double x, double y) {
    return ::simt::cuda::keep(x + y);
}
SIMT_INLINE double __dsub_rn(double x, double y) {
    return ::simt::cuda::keep(x - y);
}
SIMT_INLINE double __dmul_rn(double x, double y) {
    return ::simt::cuda::keep(x * y);
}
SIMT_INLINE double __ddiv_rn(double x, double y) {
    return x / y;
}
SIMT_INLINE double __drcp_rn(double x) {
    return 1.0 / x;
}
SIMT_INLINE double __dsqrt_rn(double x) {
    return __builtin_sqrt(x);
}
SIMT_INLINE double __fma_rn(double x, double y, double z) {
    return fma(x, y, z);
}

// ---- conversions ----
#define SIMT_CONVERT(suffix, mode)                                                                          \
    SIMT_INLINE int __float2int_##suffix(float x) {                                                         \
        return (int)::simt::cuda::to_integer(x, ::simt::cuda::Rounding::mode, -2147483647 - 1, 2147483647); \
    }                                                                                                       \
    SIMT_INLINE int __double2int_##suffix(double x) {                                                       \
        return (int)::simt::cuda::to_integer(x, ::simt::cuda::Rounding::mode, -2147483647 - 1, 2147483647); \
    }                                                                                                       \
    SIMT_INLINE unsigned __float2uint_##suffix(float x) {                                                   \
        return (unsigned)::simt::cuda::to_unsigned(x, ::simt::cuda::Rounding::mode, 0xffffffffu);           \
    }                                                                                                       \
    SIMT_INLINE unsigned __double2uint_##suffix(double x) {                                                 \
        return (unsigned)::simt::cuda::to_unsigned(x, ::simt::cuda::Rounding::mode, 0xffffffffu);           \
    }                                                                                                       \
    SIMT_INLINE long long __float2ll_##suffix(float x) {                                                    \
        return ::simt::cuda::to_integer(x, ::simt::cuda::Rounding::mode, -9223372036854775807ll - 1,        \
                                        9223372036854775807ll);                                             \
    }                                                                                                       \
    SIMT_INLINE long long __double2ll_##suffix(double x) {                                                  \
        return ::simt::cuda::to_integer(x, ::simt::cuda::Rounding::mode, -9223372036854775807ll - 1,        \
                                        9223372036854775807ll);                                             \
    }                                                                                                       \
    SIMT_INLINE unsigned long long __float2ull_##suffix(float x) {                                          \
        return ::simt::cuda::to_unsigned(x, ::simt::cuda::Rounding::mode, ~0ull);                           \
    }                                                                                                       \
    SIMT_INLINE unsigned long long __double2ull_##suffix(double x) {                                        \
        return ::simt::cuda::to_unsigned(x, ::simt::cuda::Rounding::mode, ~0ull);                           \
    }                                                                                                       \
    SIMT_INLINE float __int2float_##suffix(int x) {                                                         \
        return ::simt::cuda::to_float((long long)x, ::simt::cuda::Rounding::mode);                          \
    }                                                                                                       \
    SIMT_INLINE float __uint2float_##suffix(unsigned x) {                                                   \
        return ::simt::cuda::to_float((long long)x, ::simt::cuda::Rounding::mode);                          \
    }                                                                                                       \
    SIMT_INLINE float __ll2float_##suffix(long long x) {                                                    \
        return ::simt::cuda::to_float(x, ::simt::cuda::Rounding::mode);                                     \
    }                                                                                                       \
    SIMT_INLINE float __ull2float_##suffix(unsigned long long x) {                                          \
        return ::simt::cuda::to_float(x, ::simt::cuda::Rounding::mode);                                     \
    }                                                                                                       \
    SIMT_INLINE double __ll2double_##suffix(long long x) {                                                  \
        return ::simt::cuda::to_double(x, ::simt::cuda::Rounding::mode);                                    \
    }                                                                                                       \
    SIMT_INLINE double __ull2double_##suffix(unsigned long long x) {                                        \
        return ::simt::cuda::to_double(x, ::simt::cuda::Rounding::mode);                                    \
    }                                                                                                       \
    SIMT_INLINE float __double2float_##suffix(double x) {                                                   \
        return ::simt::cuda::to_float(x, ::simt::cuda::Rounding::mode);                                     \
    }
SIMT_CONVERT(rn, nearest)
SIMT_CONVERT(rz, zero)
SIMT_CONVERT(ru, up)
SIMT_CONVERT(rd, down)
#undef SIMT_CONVERT
SIMT_INLINE double __int2double_rn(int x) {
    return x;
}
SIMT_INLINE double __uint2double_rn(unsigned x) {
    return x;
}
