// thrust::malloc and thrust::free of device memory.
#pragma once

#include <thrust/system/cuda/memory_resource.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

template <class Derived>
void* malloc(execution_policy<Derived>&, std::size_t bytes) {
    void* pointer = nullptr;
    using thrust::system::cuda::detail::Memory;
    const cudaError_t error = thrust::system::cuda::detail::allocate(Memory::device, &pointer, bytes, 1);
    if (error != cudaSuccess) cudaGetLastError();
    return error == cudaSuccess ? pointer : nullptr;
}

template <class Derived, class Pointer>
void free(execution_policy<Derived>&, Pointer pointer) {
    throw_on_error(::simt::cuda::release(thrust::raw_pointer_cast(pointer), ::simt::calling_line()),
                   "device free failed");
}

}  // namespace cuda_cub
THRUST_NAMESPACE_END
