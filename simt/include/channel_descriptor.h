// cudaCreateChannelDesc<T>: the format of an array whose elements are of a type.
#pragma once

#include "cuda_runtime_api.h"

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return {0, 0, 0, 0, cudaChannelFormatKindNone};
}
#define SIMT_CHANNELS(T, x, y, z, w, kind)                    \
    template <>                                               \
    inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() { \
        return {x, y, z, w, cudaChannelFormatKind##kind};     \
    }
#define SIMT_CHANNELS124(base, bits, kind)         \
    SIMT_CHANNELS(base##1, bits, 0, 0, 0, kind)    \
    SIMT_CHANNELS(base##2, bits, bits, 0, 0, kind) \
    SIMT_CHANNELS(base##4, bits, bits, bits, bits, kind)
SIMT_CHANNELS(char, 8, 0, 0, 0, Signed)
SIMT_CHANNELS(signed char, 8, 0, 0, 0, Signed)
SIMT_CHANNELS(unsigned char, 8, 0, 0, 0, Unsigned)
SIMT_CHANNELS(short, 16, 0, 0, 0, Signed)
SIMT_CHANNELS(unsigned short, 16, 0, 0, 0, Unsigned)
SIMT_CHANNELS(int, 32, 0, 0, 0, Signed)
SIMT_CHANNELS(unsigned int, 32, 0, 0, 0, Unsigned)
SIMT_CHANNELS(float, 32, 0, 0, 0, Float)
SIMT_CHANNELS124(char, 8, Signed)
SIMT_CHANNELS124(uchar, 8, Unsigned)
SIMT_CHANNELS124(short, 16, Signed)
SIMT_CHANNELS124(ushort, 16, Unsigned)
SIMT_CHANNELS124(int, 32, Signed)
SIMT_CHANNELS124(uint, 32, Unsigned)
SIMT_CHANNELS124(float, 32, Float)
#undef SIMT_CHANNELS124
#undef SIMT_CHANNELS

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
    return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
    return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
    return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}
