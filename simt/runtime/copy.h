// Checked copies between host and device memory, shared by cudaMemcpy and the symbol functions.
#pragma once

#include "simt/runtime/work.h"

namespace simt::runtime {

// The call that a message speaks of.
struct Place {
    Place(const char* call, cudaMemcpyKind kind, Where where);
    const char* call;  // "cudaMemcpy"
    const char* kind;  // "cudaMemcpyHostToDevice"
    cudaMemcpyKind direction;
    Where where;
    bool sets = false;  // cudaMemset and its kin
};

// Is pointer..pointer+bytes inside one live buffer, where it is device memory at all? Reports what is wrong.
// `symbols`: a __device__ variable is meant.
cudaError_t check_range(const Place& at, const void* pointer, size_t bytes, bool writes, bool symbols);

// cudaGetSymbolAddress has handed out the address of this variable: from now on it is a pointer like any
// other.
void allow_as_pointer(const Allocation& symbol);

// Moves the bytes and carries the marks of what was written along. No checks. `height` rows of `width` bytes, in each
// of `depth` slices.
struct Rows {
    void* to;
    size_t to_pitch;
    const void* from;
    size_t from_pitch;
    size_t width, height;
    size_t depth = 1;
    size_t to_slice = 0, from_slice = 0;  // bytes from slice to slice
    size_t bytes() const { return width * height * depth; }
};
void move_rows(const Place& at, const Rows& rows);
// Before a copy or a memset writes here: the pages of managed memory go to the side that it writes from.
void place_managed(const Place& at, const void* to, size_t bytes);

// Checks a copy and queues it. `is_async`: cudaMemcpyAsync and its kin, which wait only for a copy to pageable
// memory; the others wait unless both sides are on the device (as CUDA's page "API synchronization behavior" has
// it). Bytes from pageable memory are taken at the call.
cudaError_t queue_copy(const Place& at, void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                       bool symbols, cudaStream_t stream, bool is_async);
cudaError_t queue_rows(const Place& at, const Rows& rows, cudaMemcpyKind kind, bool symbols,
                       cudaStream_t stream, bool is_async);

// cudaMemcpy3D and its kin.
cudaError_t queue_copy_3d(const char* call, const cudaMemcpy3DParms* parameters, cudaStream_t stream,
                          bool is_async, Where where);
// cudaMemcpyPeer and its kin name the devices of their sides: cudaErrorInvalidDevice where there is no such device, advice
// where the pointer is another device's. `side`: "source".
cudaError_t check_named_device(const char* call, const void* pointer, int device, const char* side,
                               Where where);

// cudaMemset and its kin.
struct Fill {
    void* to;
    size_t pitch;
    int value;
    size_t width, height;  // in bytes, in rows
    size_t depth = 1, slice = 0;
    unsigned element_bytes = 1;  // 1, 2 or 4: of the value
};
cudaError_t queue_fill(Place at, const Fill& fill, cudaStream_t stream, bool is_async);

// The memory of a call's side that an operation may share with others (in the arena, a symbol, or registered), without
// what lies between its rows. Empty: pageable.
std::vector<queue::Span> spans_of(const void* pointer, size_t pitch, size_t width, size_t height, bool writes,
                                  size_t depth = 1, size_t slice = 0);

}  // namespace simt::runtime
