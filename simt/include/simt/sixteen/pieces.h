// Values of 2 and 4 bytes as the bits that shuffles and atomics move.
#pragma once

#include "simt/cuda/atomics.h"
#include "simt/cuda/memory_access.h"
#include "simt/cuda/warp.h"
#include "simt/sixteen/format.h"
#include "vector_types.h"

namespace simt::cuda {

template <class T>
SIMT_INLINE uint64_t sixteen_bits(const T& value) {
    return *reinterpret_cast<const typename Piece<sizeof(T)>::type*>(&value);
}
template <class T>
SIMT_INLINE T from_sixteen(uint64_t bits) {
    using Bits = typename Piece<sizeof(T)>::type;
    T value;
    *reinterpret_cast<Bits*>(&value) = static_cast<Bits>(bits);
    return value;
}

}  // namespace simt::cuda
