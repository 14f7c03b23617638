// cudaMalloc and its kin.
#include <fmt/format.h>

#include <string_view>

#include "simt/checker/stream_race.h"
#include "simt/host/timeline.h"
#include "simt/machine/devices.h"
#include "simt/runtime/copy.h"
#include "simt/runtime/pool.h"
#include "simt/runtime/work.h"

#undef cudaFree
#undef cudaFreeHost
#undef cudaFreeAsync

namespace simt::cuda {
namespace {

using runtime::Call;
using runtime::enter;
using runtime::fail;

std::string megabytes(size_t bytes) {
    return bytes < size_t{10} << 20 ? fmt::format("{} bytes", bytes) : fmt::format("{} MiB", bytes >> 20);
}

// `device`: -1: the current one.
cudaError_t obtain(void** pointer, size_t bytes, size_t element_bytes, BufferSpace space, const char* call,
                   Where where, int device = -1) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (pointer == nullptr)
        return fail(
            cudaErrorInvalidValue,
            {.kind = "api-misuse",
             .message = fmt::format("{} at line {} got a null pointer as the place for the new address", call,
                                    where.line),
             .fix = fmt::format("Pass the address of a pointer: {}(&d_data, bytes).", call),
             .where = where});
    if (bytes == 0) {
        *pointer = nullptr;
        return cudaSuccess;
    }
    void* memory = memory::allocate(bytes, element_bytes, space, "", where, device);
    if (memory == nullptr)
        return fail(
            cudaErrorMemoryAllocation,
            {.kind = "api-misuse",
             .advice = true,
             .message = fmt::format("{} at line {} asks for {}; {} of {} are free{}", call, where.line,
                                    megabytes(bytes),
                                    megabytes(memory::bytes_total() - memory::bytes_in_use(device)),
                                    megabytes(memory::bytes_total()),
                                    devices::on_device(device < 0 ? devices::current() : device)),
             .fix = "Check the size (a negative count becomes a huge one), free what is no longer needed, or "
                    "work in pieces.",
             .where = where});
    *pointer = memory;
    const bool in_stream_order = std::string_view(call).ends_with("Async");
    if (!in_stream_order) timeline::host_worked(call, timeline::HostCost::allocate, where);
    return cudaSuccess;
}

// cudaFree and cudaFreeHost each take their own kind of memory.
cudaError_t check_kind(void* pointer, bool pinned, Where where) {
    const Allocation* a = memory::find(pointer);
    if (a != nullptr && a->live && pointer == a->base && (a->space == BufferSpace::pinned) != pinned) {
        const char* right = pinned ? "cudaFree" : "cudaFreeHost";
        return fail(cudaErrorInvalidValue,
                    {.kind = "invalid-free",
                     .message = fmt::format("line {} frees {} with {}, but {} allocated it at line {}",
                                            where.line, a->name, pinned ? "cudaFreeHost" : "cudaFree",
                                            pinned ? "cudaMalloc" : "cudaMallocHost", a->allocated.line),
                     .fix = fmt::format("Use {} for it.", right),
                     .where = where,
                     .buffer = a->name,
                     .has_other = true,
                     .other_action = "allocated",
                     .other = a->allocated});
    }
    return cudaSuccess;
}

// All devices that may use the memory. Host memory, and what is no memory at all: every one.
devices::Set users_of(const void* pointer) {
    const Allocation* a = memory::find(pointer);
    const bool is_on_one =
        a != nullptr && (a->space == BufferSpace::global || a->space == BufferSpace::array);
    if (!is_on_one) return ~devices::Set{0};
    return devices::that_reach(a->device) | (a->pool_access != nullptr ? *a->pool_access : 0);
}

// Waits for the device first, as on hardware.
cudaError_t give_back(void* pointer, bool pinned, Where where) {
    const ApiLock lock;
    if (queue::host_function == nullptr) runtime::finish_devices(users_of(pointer));
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    if (pointer == nullptr) return cudaSuccess;
    if (const cudaError_t error = check_kind(pointer, pinned, where); error != cudaSuccess) return error;
    runtime::note_pool_release(pointer);
    timeline::host_worked(pinned ? "cudaFreeHost" : "cudaFree", timeline::HostCost::release, where);
    return memory::release(pointer, where) == memory::Released::ok ? cudaSuccess
                                                                   : fail(cudaErrorInvalidValue);
}

}  // namespace

cudaError_t allocate(void** pointer, size_t bytes, size_t element_bytes, Where where) {
    return obtain(pointer, bytes, element_bytes, BufferSpace::global, "cudaMalloc", where);
}

cudaError_t allocate_managed(void** pointer, size_t bytes, unsigned flags, size_t element_bytes,
                             Where where) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return fail(cudaErrorInvalidValue);
    return obtain(pointer, bytes, element_bytes, BufferSpace::managed, "cudaMallocManaged", where);
}

cudaError_t allocate_pinned(void** pointer, size_t bytes, unsigned flags, size_t element_bytes, Where where) {
    if ((flags & ~7u) != 0) return fail(cudaErrorInvalidValue);
    return obtain(pointer, bytes, element_bytes, BufferSpace::pinned, "cudaMallocHost", where);
}

namespace {
size_t pitch_for(size_t width) {
    constexpr size_t row_alignment = 512;  // seen on an H200
    return (width + row_alignment - 1) / row_alignment * row_alignment;
}
}  // namespace

static cudaError_t allocate_3d(cudaPitchedPtr* pointer, cudaExtent extent, Where where) {
    constexpr const char* call = "cudaMalloc3D";
    if (pointer == nullptr) return obtain(nullptr, 1, 1, BufferSpace::global, call, where);
    const size_t pitch = pitch_for(extent.width);
    void* memory = nullptr;
    const cudaError_t error =
        obtain(&memory, pitch * extent.height * extent.depth, 1, BufferSpace::global, call, where);
    if (error == cudaSuccess) *pointer = {memory, pitch, extent.width, extent.height};
    return error;
}

cudaError_t allocate_pitched(void** pointer, size_t* pitch, size_t width, size_t height, size_t element_bytes,
                             Where where) {
    if (pitch == nullptr) return fail(cudaErrorInvalidValue);
    *pitch = pitch_for(width);
    return obtain(pointer, *pitch * height, element_bytes, BufferSpace::global, "cudaMallocPitch", where);
}

cudaError_t release(void* pointer, Where where) {
    return give_back(pointer, false, where);
}
cudaError_t release_pinned(void* pointer, Where where) {
    return give_back(pointer, true, where);
}

// The memory is there at once, and may be used in stream order: by what its stream does from now on, and by others
// that wait for that.
cudaError_t allocate_async(void** pointer, size_t bytes, size_t element_bytes, const cudaMemPool_t* from,
                           cudaStream_t stream, Where where) {
    const char* call = from == nullptr ? "cudaMallocAsync" : "cudaMallocFromPoolAsync";
    const ApiLock lock;
    const queue::Stream* found = runtime::find_stream(stream);
    if (found == nullptr) return runtime::unknown_stream(call, where);
    const cudaMemPool_t pool = from == nullptr ? runtime::current_pool(found->device) : *from;
    if (!runtime::is_pool(pool)) return runtime::unknown_pool(call, where);
    const cudaError_t error = obtain(pointer, bytes, element_bytes, BufferSpace::global, call, where,
                                     runtime::device_of_pool(pool));
    if (error != cudaSuccess || *pointer == nullptr) return error;
    runtime::note_pool_allocation(pool, *pointer, bytes);
    return runtime::in_stream(stream,
                              {.kind = queue::Kind::allocate,
                               .where = where,
                               .name = call,
                               .spans = runtime::spans_of(*pointer, bytes, bytes, 1, true)},
                              false);
}

cudaError_t release_async(void* pointer, cudaStream_t stream, Where where) {
    constexpr const char* call = "cudaFreeAsync";
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    if (pointer == nullptr) return cudaSuccess;
    if (const cudaError_t error = check_kind(pointer, false, where); error != cudaSuccess) return error;
    const Allocation* a = memory::find(pointer);
    if (a == nullptr || !a->live || pointer != a->base) {
        memory::release(pointer, where);  // says what is wrong with it
        return fail(cudaErrorInvalidValue);
    }
    runtime::note_pool_release(pointer);
    return runtime::in_stream(stream,
                              {.kind = queue::Kind::release,
                               .where = where,
                               .name = call,
                               .spans = runtime::spans_of(pointer, a->bytes, a->bytes, 1, true),
                               .run = [pointer, where] { memory::release(pointer, where); }},
                              false);
}

}  // namespace simt::cuda

using simt::Where;

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, Where where) {
    return simt::cuda::allocate_3d(pointer, extent, where);
}
cudaError_t cudaFree(void* pointer) {
    return simt::cuda::release(pointer, {});
}
cudaError_t cudaFreeHost(void* pointer) {
    return simt::cuda::release_pinned(pointer, {});
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return simt::cuda::release_async(pointer, stream, {});
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total, Where) {
    if (const cudaError_t error = simt::runtime::enter(simt::runtime::Call::work); error != cudaSuccess)
        return error;
    if (free != nullptr) *free = simt::memory::bytes_total() - simt::memory::bytes_in_use();
    if (total != nullptr) *total = simt::memory::bytes_total();
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags, Where where) {
    if (device == nullptr || flags != 0) return simt::runtime::fail(cudaErrorInvalidValue);
    const simt::Allocation* a = simt::memory::find(host);
    if (a == nullptr || !a->live || a->space != simt::BufferSpace::pinned)
        return simt::runtime::fail(
            cudaErrorInvalidValue,
            {.kind = "host-pointer",
             .message =
                 fmt::format("cudaHostGetDevicePointer at line {} got ordinary host memory", where.line),
             .fix = "Only memory from cudaMallocHost or cudaHostAlloc can be reached by kernels.",
             .where = where});
    *device = host;  // one address on both sides
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags, Where where) {
    using simt::runtime::fail;
    if (const cudaError_t error = simt::runtime::enter(simt::runtime::Call::work); error != cudaSuccess)
        return error;
    if (pointer == nullptr || bytes == 0 || flags > 15) return fail(cudaErrorInvalidValue);
    if (simt::memory::is_device_address(pointer)) return fail(cudaErrorInvalidValue);
    if (simt::memory::register_host(pointer, bytes, where)) return cudaSuccess;
    return fail(
        cudaErrorHostMemoryAlreadyRegistered,
        {.kind = "api-misuse",
         .message = fmt::format("cudaHostRegister at line {} got memory that is registered already, at least "
                                "in part",
                                where.line),
         .fix = "Register each buffer once, as a whole.",
         .where = where});
}

cudaError_t cudaHostUnregister(void* pointer, Where where) {
    using simt::runtime::fail;
    const simt::ApiLock lock;
    // What is queued may still use it.
    if (simt::queue::host_function == nullptr) simt::runtime::finish_everything();
    if (const cudaError_t error = simt::runtime::enter(simt::runtime::Call::cleanup); error != cudaSuccess)
        return error;
    if (simt::memory::unregister_host(pointer)) return cudaSuccess;
    return fail(cudaErrorHostMemoryNotRegistered,
                {.kind = "api-misuse",
                 .message = fmt::format("cudaHostUnregister at line {} got memory that is not registered",
                                        where.line),
                 .fix = "Pass the pointer that cudaHostRegister got, once.",
                 .where = where});
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host, Where) {
    const simt::Allocation* a = simt::memory::find(host);
    if (flags == nullptr || a == nullptr || a->space != simt::BufferSpace::pinned)
        return simt::runtime::fail(cudaErrorInvalidValue);
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer, Where) {
    if (attributes == nullptr) return simt::runtime::fail(cudaErrorInvalidValue);
    *attributes = {};
    const simt::Allocation* a = simt::memory::find(pointer);
    void* p = const_cast<void*>(pointer);
    if (a == nullptr || !a->live) {
        attributes->device = cudaInvalidDeviceId;
        attributes->hostPointer = p;
        return cudaSuccess;
    }
    attributes->devicePointer = p;
    attributes->device = a->device;
    switch (a->space) {
        case simt::BufferSpace::managed:
            attributes->type = cudaMemoryTypeManaged;
            attributes->hostPointer = p;
            break;
        case simt::BufferSpace::pinned:
            attributes->type = cudaMemoryTypeHost;
            attributes->hostPointer = p;
            break;
        default:
            attributes->type = cudaMemoryTypeDevice;
    }
    return cudaSuccess;
}
