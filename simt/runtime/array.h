// CUDA arrays: what a cudaArray_t stands for. Here the elements lie row by row in an allocation of the device, with
// nothing between them; programs never see an address of theirs.
#pragma once

#include <array>

#include "simt/machine/texture.h"
#include "simt/runtime/errors.h"

namespace simt::runtime {

struct ArrayRecord {
    cudaChannelFormatDesc format{};
    cudaExtent extent{};  // as the program gave it: 0 for dimensions that it does not have
    unsigned flags = 0;
    char* base = nullptr;
    const Allocation* memory = nullptr;

    // In elements, at least 1; layers are the depth.
    size_t width() const { return extent.width; }
    size_t height() const { return extent.height == 0 ? 1 : extent.height; }
    size_t depth() const { return extent.depth == 0 ? 1 : extent.depth; }
    size_t element_bytes = 1;
    size_t row_bytes() const { return width() * element_bytes; }
    size_t slice_bytes() const { return row_bytes() * height(); }
    TextureShape shape() const;
};

// nullptr: the handle was never made. Freed arrays stay known: their memory is not live.
const ArrayRecord* find_array(const void* handle);
// The same for the message of a call that got a handle instead of a pointer.
const Allocation* array_memory(const void* handle);

// channels 0: a texture can't have it.
ElementFormat element_format(const cudaChannelFormatDesc& format);

// The array that a call means, or nullptr with an error and a finding. `role`: "destination".
const ArrayRecord* usable_array(cudaArray_const_t handle, const char* call, const char* role, Where where);

}  // namespace simt::runtime
