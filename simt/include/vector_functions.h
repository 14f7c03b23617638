// make_float4 and its kin.
#pragma once

#include "vector_types.h"

#define SIMT_MAKE1(name, T)             \
    SIMT_INLINE name make_##name(T x) { \
        return name{x};                 \
    }
#define SIMT_MAKE2(name, T)                  \
    SIMT_INLINE name make_##name(T x, T y) { \
        return name{x, y};                   \
    }
#define SIMT_MAKE3(name, T)                       \
    SIMT_INLINE name make_##name(T x, T y, T z) { \
        return name{x, y, z};                     \
    }
#define SIMT_MAKE4(name, T)                            \
    SIMT_INLINE name make_##name(T x, T y, T z, T w) { \
        return name{x, y, z, w};                       \
    }
#define SIMT_MAKE(base, T) \
    SIMT_MAKE1(base##1, T) \
    SIMT_MAKE2(base##2, T) \
    SIMT_MAKE3(base##3, T) \
    SIMT_MAKE4(base##4, T)
#define SIMT_MAKE_ALIGNED(base, T) \
    SIMT_MAKE4(base##4_16a, T)     \
    SIMT_MAKE4(base##4_32a, T)

SIMT_MAKE(char, signed char)
SIMT_MAKE(uchar, unsigned char)
SIMT_MAKE(short, short)
SIMT_MAKE(ushort, unsigned short)
SIMT_MAKE(int, int)
SIMT_MAKE(uint, unsigned int)
SIMT_MAKE(long, long)
SIMT_MAKE(ulong, unsigned long)
SIMT_MAKE(longlong, long long)
SIMT_MAKE(ulonglong, unsigned long long)
SIMT_MAKE(float, float)
SIMT_MAKE(double, double)
SIMT_MAKE_ALIGNED(long, long)
SIMT_MAKE_ALIGNED(ulong, unsigned long)
SIMT_MAKE_ALIGNED(longlong, long long)
SIMT_MAKE_ALIGNED(ulonglong, unsigned long long)
SIMT_MAKE_ALIGNED(double, double)

#undef SIMT_MAKE_ALIGNED
#undef SIMT_MAKE
#undef SIMT_MAKE4
#undef SIMT_MAKE3
#undef SIMT_MAKE2
#undef SIMT_MAKE1
