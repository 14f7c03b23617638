// Device, managed and pinned memory of the machine, as Thrust's containers allocate it.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/mr/host_memory_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cuda/detail/util.h>
#include <thrust/system/cuda/pointer.h>
#include <thrust/system/detail/bad_alloc.h>

#include "../../../simt/library.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

enum class Memory { device, managed, pinned };

// `alignment` is that of the elements, and the best guess of their size.
inline cudaError_t allocate(Memory memory, void** pointer, std::size_t bytes, std::size_t alignment) {
    const ::simt::Where where = ::simt::calling_line();
    const std::size_t element_bytes = alignment != 0 && bytes % alignment == 0 ? alignment : 1;
    switch (memory) {
        case Memory::device:
            return ::simt::cuda::allocate(pointer, bytes, element_bytes, where);
        case Memory::managed:
            return ::simt::cuda::allocate_managed(pointer, bytes, cudaMemAttachGlobal, element_bytes, where);
        default:
            return ::simt::cuda::allocate_pinned(pointer, bytes, 0, element_bytes, where);
    }
}

template <Memory memory, class Pointer>
class MemoryResource final : public mr::memory_resource<Pointer> {
  public:
    Pointer do_allocate(std::size_t bytes, std::size_t alignment = THRUST_MR_DEFAULT_ALIGNMENT) override {
        void* pointer = nullptr;
        const cudaError_t error = allocate(memory, &pointer, bytes, alignment);
        if (error == cudaSuccess) return Pointer(pointer);
        cudaGetLastError();
        throw thrust::system::detail::bad_alloc(thrust::cuda_category().message(error).c_str());
    }
    void do_deallocate(Pointer pointer, std::size_t, std::size_t) override {
        void* raw = thrust::detail::pointer_traits<Pointer>::get(pointer);
        const ::simt::Where where = ::simt::calling_line();
        const cudaError_t error = memory == Memory::pinned ? ::simt::cuda::release_pinned(raw, where)
                                                           : ::simt::cuda::release(raw, where);
        thrust::cuda_cub::throw_on_error(error, "CUDA free failed");
    }
};

}  // namespace detail

typedef detail::MemoryResource<detail::Memory::device, thrust::cuda::pointer<void>> memory_resource;
typedef detail::MemoryResource<detail::Memory::managed, thrust::cuda::universal_pointer<void>>
    universal_memory_resource;
typedef detail::MemoryResource<detail::Memory::pinned, thrust::cuda::universal_pointer<void>>
    universal_host_pinned_memory_resource;

}  // namespace cuda
}  // namespace system

namespace cuda {
using thrust::system::cuda::memory_resource;
using thrust::system::cuda::universal_host_pinned_memory_resource;
using thrust::system::cuda::universal_memory_resource;
}  // namespace cuda
THRUST_NAMESPACE_END
