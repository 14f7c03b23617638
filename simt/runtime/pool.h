// Memory pools of stream-ordered allocation: what they count. The memory itself is the arena's.
#pragma once

#include "simt/include/cuda_runtime_api.h"

namespace simt::runtime {

// The pool that cudaMallocAsync uses in a stream of this device.
cudaMemPool_t current_pool(int device);
int device_of_pool(cudaMemPool_t pool);
bool is_pool(cudaMemPool_t pool);
cudaError_t unknown_pool(const char* call, Where where);
void note_pool_allocation(cudaMemPool_t pool, const void* pointer, size_t bytes);
void note_pool_release(const void* pointer);
// The host has waited: pools give back what they hold beyond their threshold.
void trim_pools();

}  // namespace simt::runtime
