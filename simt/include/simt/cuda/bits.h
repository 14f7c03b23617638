// Bits of a scalar as 64 bits, and back.
#pragma once

#include <cstdint>

#include "simt/cuda/qualifiers.h"

namespace simt::cuda {
template <class T>
SIMT_INLINE uint64_t to_bits(T value) {
    static_assert(sizeof(T) <= 8);
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}
template <class T>
SIMT_INLINE T from_bits(uint64_t bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}
}  // namespace simt::cuda
