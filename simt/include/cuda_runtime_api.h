// The CUDA runtime API, as far as the CPU machine has it. Each function is documented by NVIDIA under its
// name; what differs here is said beside it. The last argument is the caller's line, for messages: never pass
// it.
#pragma once

#include "driver_types.h"
#include "simt/abi.h"
#include "simt/cuda/launch.h"
#include "surface_types.h"
#include "texture_types.h"

#ifndef CUDART_VERSION
#define CUDART_VERSION 13000
#endif
#define SIMT_LINE ::simt::Where where = ::simt::Where::here()

// ---- errors ----
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

// ---- device ----
cudaError_t cudaDeviceSynchronize(SIMT_LINE);
cudaError_t cudaDeviceReset(SIMT_LINE);
cudaError_t cudaGetDeviceCount(int* count, SIMT_LINE);
cudaError_t cudaSetDevice(int device, SIMT_LINE);
cudaError_t cudaGetDevice(int* device, SIMT_LINE);
cudaError_t cudaSetValidDevices(int* list, int length, SIMT_LINE);
cudaError_t cudaInitDevice(int device, unsigned deviceFlags, unsigned flags, SIMT_LINE);
cudaError_t cudaSetDeviceFlags(unsigned flags, SIMT_LINE);
cudaError_t cudaGetDeviceFlags(unsigned* flags, SIMT_LINE);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties, SIMT_LINE);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device, SIMT_LINE);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device, SIMT_LINE);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit, SIMT_LINE);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value, SIMT_LINE);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config, SIMT_LINE);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config, SIMT_LINE);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest, SIMT_LINE);
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device, SIMT_LINE);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text, SIMT_LINE);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer,
                                      SIMT_LINE);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer, SIMT_LINE);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags, SIMT_LINE);
cudaError_t cudaDeviceDisablePeerAccess(int peer, SIMT_LINE);
cudaError_t cudaDriverGetVersion(int* version, SIMT_LINE);
cudaError_t cudaRuntimeGetVersion(int* version, SIMT_LINE);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total, SIMT_LINE);

// ---- memory ----
namespace simt::cuda {
// `element_bytes`: of the pointer that receives the memory, for messages; 1: unknown.
cudaError_t allocate(void** pointer, size_t bytes, size_t element_bytes, Where where);
cudaError_t allocate_managed(void** pointer, size_t bytes, unsigned flags, size_t element_bytes, Where where);
cudaError_t allocate_pinned(void** pointer, size_t bytes, unsigned flags, size_t element_bytes, Where where);
cudaError_t allocate_pitched(void** pointer, size_t* pitch, size_t width, size_t height, size_t element_bytes,
                             Where where);
cudaError_t release(void* pointer, Where where);
cudaError_t release_pinned(void* pointer, Where where);
// `from`: nullptr: the device's current pool.
cudaError_t allocate_async(void** pointer, size_t bytes, size_t element_bytes, const cudaMemPool_t* from,
                           cudaStream_t stream, Where where);
cudaError_t release_async(void* pointer, cudaStream_t stream, Where where);
cudaError_t destroy_stream(cudaStream_t stream, Where where);
cudaError_t destroy_event(cudaEvent_t event, Where where);

template <class T>
inline constexpr size_t element_bytes = sizeof(T);
template <>
inline constexpr size_t element_bytes<void> = 1;
}  // namespace simt::cuda

inline cudaError_t cudaMalloc(void** pointer, size_t bytes, SIMT_LINE) {
    return ::simt::cuda::allocate(pointer, bytes, 1, where);
}
template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes, SIMT_LINE) {
    return ::simt::cuda::allocate((void**)(void*)pointer, bytes, ::simt::cuda::element_bytes<T>, where);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal,
                                     SIMT_LINE) {
    return ::simt::cuda::allocate_managed((void**)(void*)pointer, bytes, flags,
                                          ::simt::cuda::element_bytes<T>, where);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned flags = 0, SIMT_LINE) {
    return ::simt::cuda::allocate_pinned((void**)(void*)pointer, bytes, flags, ::simt::cuda::element_bytes<T>,
                                         where);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags, SIMT_LINE) {
    return ::simt::cuda::allocate_pinned((void**)(void*)pointer, bytes, flags, ::simt::cuda::element_bytes<T>,
                                         where);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height, SIMT_LINE) {
    return ::simt::cuda::allocate_pitched((void**)(void*)pointer, pitch, width, height,
                                          ::simt::cuda::element_bytes<T>, where);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream, SIMT_LINE) {
    return ::simt::cuda::allocate_async((void**)(void*)pointer, bytes, ::simt::cuda::element_bytes<T>,
                                        nullptr, stream, where);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                           SIMT_LINE) {
    return ::simt::cuda::allocate_async((void**)(void*)pointer, bytes, ::simt::cuda::element_bytes<T>, &pool,
                                        stream, where);
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device, SIMT_LINE);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device, SIMT_LINE);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool, SIMT_LINE);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties, SIMT_LINE);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool, SIMT_LINE);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value, SIMT_LINE);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value, SIMT_LINE);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count,
                                 SIMT_LINE);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location,
                                 SIMT_LINE);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t least_to_keep, SIMT_LINE);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags, SIMT_LINE);
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags, SIMT_LINE) {
    return cudaHostGetDevicePointer((void**)(void*)device, host, flags, where);
}
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags, SIMT_LINE);
cudaError_t cudaHostUnregister(void* pointer, SIMT_LINE);
cudaError_t cudaHostGetFlags(unsigned* flags, void* host, SIMT_LINE);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer, SIMT_LINE);
// Managed memory, in the forms of CUDA 13 and of CUDA 12.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream = nullptr, SIMT_LINE);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream = nullptr,
                                 SIMT_LINE);
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location, SIMT_LINE);
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device, SIMT_LINE);
inline cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, cudaMemLocation location,
                                           unsigned flags, cudaStream_t stream = nullptr, SIMT_LINE) {
    return cudaMemPrefetchAsync(pointer, bytes, location, flags, stream, where);
}
inline cudaError_t cudaMemAdvise_v2(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                    cudaMemLocation location, SIMT_LINE) {
    return cudaMemAdvise(pointer, bytes, advice, location, where);
}
cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes, SIMT_LINE);
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes, cudaMemRangeAttribute* attributes,
                                      size_t count, const void* pointer, size_t bytes, SIMT_LINE);
// `bytes` 0: the whole allocation.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes = 0,
                                     unsigned flags = cudaMemAttachSingle, SIMT_LINE);

// cudaFree and its kin are passed around as deleters (`std::unique_ptr<float, decltype(&cudaFree)>`): they
// keep CUDA's exact types, which leave no room for the caller's line. A plain call gets it through a macro of
// the same name.
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaEventDestroy(cudaEvent_t event);

// ---- copies ----
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, SIMT_LINE);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr, SIMT_LINE);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind, SIMT_LINE);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr, SIMT_LINE);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes,
                           SIMT_LINE);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream = nullptr, SIMT_LINE);
cudaError_t cudaMemset(void* pointer, int value, size_t bytes, SIMT_LINE);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream = nullptr, SIMT_LINE);
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height, SIMT_LINE);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream = nullptr, SIMT_LINE);

// ---- symbols: __device__, __constant__ and __managed__ variables ----
namespace simt::cuda {
cudaError_t copy_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, bool is_async, Where where);
cudaError_t copy_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                             cudaStream_t stream, bool is_async, Where where);
cudaError_t symbol_address(void** pointer, const void* symbol, Where where);
cudaError_t symbol_size(size_t* bytes, const void* symbol, Where where);
template <class T>
inline const void* address_of(const T& symbol) {
    return &reinterpret_cast<const char&>(symbol);
}
}  // namespace simt::cuda
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice, SIMT_LINE) {
    return ::simt::cuda::copy_to_symbol(::simt::cuda::address_of(symbol), from, bytes, offset, kind, nullptr,
                                        false, where);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost, SIMT_LINE) {
    return ::simt::cuda::copy_from_symbol(to, ::simt::cuda::address_of(symbol), bytes, offset, kind, nullptr,
                                          false, where);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = nullptr, SIMT_LINE) {
    return ::simt::cuda::copy_to_symbol(::simt::cuda::address_of(symbol), from, bytes, offset, kind, stream,
                                        true, where);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = nullptr, SIMT_LINE) {
    return ::simt::cuda::copy_from_symbol(to, ::simt::cuda::address_of(symbol), bytes, offset, kind, stream,
                                          true, where);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol, SIMT_LINE) {
    return ::simt::cuda::symbol_address(pointer, ::simt::cuda::address_of(symbol), where);
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol, SIMT_LINE) {
    return ::simt::cuda::symbol_size(bytes, ::simt::cuda::address_of(symbol), where);
}

// ---- streams and events ----
namespace simt::cuda {
bool use_per_thread_default_stream();
bool note_late_default_stream(Where where);  // the file itself defines the macro that is asked for below
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
[[maybe_unused]] static const bool uses_per_thread_default_stream = use_per_thread_default_stream();
#endif
}  // namespace simt::cuda
cudaError_t cudaStreamCreate(cudaStream_t* stream, SIMT_LINE);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags, SIMT_LINE);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority, SIMT_LINE);
cudaError_t cudaStreamSynchronize(cudaStream_t stream, SIMT_LINE);
cudaError_t cudaStreamQuery(cudaStream_t stream, SIMT_LINE);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0, SIMT_LINE);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags, SIMT_LINE);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority, SIMT_LINE);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device, SIMT_LINE);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id, SIMT_LINE);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags, SIMT_LINE);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data, SIMT_LINE);
cudaError_t cudaEventCreate(cudaEvent_t* event, SIMT_LINE);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags, SIMT_LINE);
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags, SIMT_LINE) {
    return cudaEventCreateWithFlags(event, flags, where);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr, SIMT_LINE);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned flags = 0,
                                     SIMT_LINE);
cudaError_t cudaEventSynchronize(cudaEvent_t event, SIMT_LINE);
cudaError_t cudaEventQuery(cudaEvent_t event, SIMT_LINE);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop, SIMT_LINE);

// ---- kernels ----
namespace simt::cuda {
cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value, Where where);
cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* function, Where where);
cudaError_t resident_blocks(int* blocks, const void* function, int threads, size_t dynamic_shared,
                            Where where);
// The largest limit that `blocks` (a function of the block size) allows, as
// cudaOccupancyMaxPotentialBlockSize does.
cudaError_t best_block(int* grid, int* block, const void* function,
                       size_t (*dynamic_shared)(const void* state, int threads), const void* state, int limit,
                       Where where);
template <class F>
inline const void* kernel_address(F kernel) {
    if constexpr (std::is_null_pointer_v<F>) {
        return nullptr;
    } else {
        return (const void*)kernel;
    }
}
}  // namespace simt::cuda
template <class F>
inline cudaError_t cudaFuncSetAttribute(F kernel, cudaFuncAttribute attribute, int value, SIMT_LINE) {
    return ::simt::cuda::set_function_attribute(::simt::cuda::kernel_address(kernel), attribute, value,
                                                where);
}
template <class F>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, F kernel, SIMT_LINE) {
    return ::simt::cuda::function_attributes(attributes, ::simt::cuda::kernel_address(kernel), where);
}
template <class F>
inline cudaError_t cudaFuncSetCacheConfig(F, cudaFuncCache) {
    return cudaSuccess;
}
template <class F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F kernel, int block_threads,
                                                                 size_t dynamic_shared, SIMT_LINE) {
    return ::simt::cuda::resident_blocks(blocks, ::simt::cuda::kernel_address(kernel), block_threads,
                                         dynamic_shared, where);
}
template <class F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F kernel,
                                                                          int block_threads,
                                                                          size_t dynamic_shared, unsigned,
                                                                          SIMT_LINE) {
    return ::simt::cuda::resident_blocks(blocks, ::simt::cuda::kernel_address(kernel), block_threads,
                                         dynamic_shared, where);
}
template <class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* least_grid, int* block, F kernel,
                                                      size_t dynamic_shared = 0, int limit = 0, SIMT_LINE) {
    return ::simt::cuda::best_block(
        least_grid, block, ::simt::cuda::kernel_address(kernel),
        [](const void* state, int) { return *static_cast<const size_t*>(state); }, &dynamic_shared, limit,
        where);
}
template <class Size, class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* least_grid, int* block, F kernel,
                                                                  Size shared_of, int limit = 0, SIMT_LINE) {
    return ::simt::cuda::best_block(
        least_grid, block, ::simt::cuda::kernel_address(kernel),
        [](const void* state, int threads) { return (size_t)(*static_cast<const Size*>(state))(threads); },
        &shared_of, limit, where);
}

// ---- profiler ----
inline cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}
inline cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}

inline cudaError_t simt_cudaFree(void* pointer, SIMT_LINE) {
    return ::simt::cuda::release(pointer, where);
}
inline cudaError_t simt_cudaFreeHost(void* pointer, SIMT_LINE) {
    return ::simt::cuda::release_pinned(pointer, where);
}
inline cudaError_t simt_cudaFreeAsync(void* pointer, cudaStream_t stream, SIMT_LINE) {
    return ::simt::cuda::release_async(pointer, stream, where);
}
inline cudaError_t simt_cudaStreamDestroy(cudaStream_t stream, SIMT_LINE) {
    return ::simt::cuda::destroy_stream(stream, where);
}
inline cudaError_t simt_cudaEventDestroy(cudaEvent_t event, SIMT_LINE) {
    return ::simt::cuda::destroy_event(event, where);
}
#include "simt/cuda/array_api.h"
#include "simt/cuda/graph_api.h"
#undef SIMT_LINE
#define cudaFree(...) simt_cudaFree(__VA_ARGS__)
#define cudaFreeHost(...) simt_cudaFreeHost(__VA_ARGS__)
#define cudaFreeAsync(...) simt_cudaFreeAsync(__VA_ARGS__)
#define cudaStreamDestroy(...) simt_cudaStreamDestroy(__VA_ARGS__)
#define cudaEventDestroy(...) simt_cudaEventDestroy(__VA_ARGS__)
