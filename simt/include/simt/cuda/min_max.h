// CUDA's global min and max, with its mixed-type overloads: signed with unsigned compares as unsigned.
#pragma once

#include "simt/cuda/qualifiers.h"

#define SIMT_MIN_MAX(R, A, B)                 \
    SIMT_INLINE R min(const A a, const B b) { \
        return (R)a < (R)b ? (R)a : (R)b;     \
    }                                         \
    SIMT_INLINE R max(const A a, const B b) { \
        return (R)a > (R)b ? (R)a : (R)b;     \
    }
SIMT_MIN_MAX(int, int, int)
SIMT_MIN_MAX(unsigned int, unsigned int, unsigned int)
SIMT_MIN_MAX(unsigned int, int, unsigned int)
SIMT_MIN_MAX(unsigned int, unsigned int, int)
SIMT_MIN_MAX(long, long, long)
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIN_MAX(unsigned long, unsigned long, long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef SIMT_MIN_MAX

// A NaN loses against a number, as with fmin.
#define SIMT_MIN_MAX_REAL(R, A, B, suffix)         \
    SIMT_INLINE R min(const A a, const B b) {      \
        return __builtin_fmin##suffix((R)a, (R)b); \
    }                                              \
    SIMT_INLINE R max(const A a, const B b) {      \
        return __builtin_fmax##suffix((R)a, (R)b); \
    }
SIMT_MIN_MAX_REAL(float, float, float, f)
SIMT_MIN_MAX_REAL(double, double, double, )
SIMT_MIN_MAX_REAL(double, float, double, )
SIMT_MIN_MAX_REAL(double, double, float, )
#undef SIMT_MIN_MAX_REAL

SIMT_INLINE unsigned umin(unsigned a, unsigned b) {
    return a < b ? a : b;
}
SIMT_INLINE unsigned umax(unsigned a, unsigned b) {
    return a > b ? a : b;
}
SIMT_INLINE long long llmin(long long a, long long b) {
    return a < b ? a : b;
}
SIMT_INLINE long long llmax(long long a, long long b) {
    return a > b ? a : b;
}
SIMT_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return a < b ? a : b;
}
SIMT_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return a > b ? a : b;
}
