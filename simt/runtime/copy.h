// Checked copies between host and device memory, shared by cudaMemcpy and the symbol functions.
#pragma once

#include "simt/runtime/work.h"

namespace simt::runtime {

// The call that a message speaks of.
struct Place {
    Place(const char* call, cudaMemcpyKind kind, Where where);
    const char* call;  // "cudaMemcpy"
    const char* kind;  // "cudaMemcpyHostToDevice"
    Where where;
    bool sets = false;  // cudaMemset and its kin
};

// Is pointer..pointer+bytes inside one live buffer, where it is device memory at all? Reports what is wrong.
// `symbols`: a __device__ variable is meant.
cudaError_t check_range(const Place& at, const void* pointer, size_t bytes, bool writes, bool symbols);

// cudaGetSymbolAddress has handed out the address of this variable: from now on it is a pointer like any
// other.
void allow_as_pointer(const Allocation& symbol);

// Copies, and carries the marks of what was written along. No checks.
void move_bytes(const Place& at, void* to, const void* from, size_t bytes);

cudaError_t copy(const Place& at, void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                 bool symbols);

}  // namespace simt::runtime
