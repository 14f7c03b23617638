// make_cudaExtent and its kin.
#pragma once

#include "driver_types.h"

SIMT_INLINE cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    return {width, height, depth};
}
SIMT_INLINE cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    return {x, y, z};
}
SIMT_INLINE cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
    return {pointer, pitch, width, height};
}
