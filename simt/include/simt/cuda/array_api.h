// Functions of the runtime API for CUDA arrays, 3D copies, texture objects and surface objects. Included by
// cuda_runtime_api.h, which says how they are declared.
#pragma once

// ---- arrays ----
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array, SIMT_LINE);
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height = 0, unsigned flags = 0, SIMT_LINE);
// Cubemaps, sparse arrays and mipmaps are refused with a sentence.
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags = 0, SIMT_LINE);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned levels, unsigned flags = 0, SIMT_LINE);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array, SIMT_LINE);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array, SIMT_LINE);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, SIMT_LINE);

// ---- their copies: offsets and widths are in bytes, but for those of cudaMemcpy3DParms ----
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t to_x, size_t to_y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind, SIMT_LINE);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t to_x, size_t to_y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr, SIMT_LINE);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t from_x,
                                  size_t from_y, size_t width, size_t height, cudaMemcpyKind kind, SIMT_LINE);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t from_x,
                                       size_t from_y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = nullptr, SIMT_LINE);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice, SIMT_LINE);
// Deprecated: `bytes` run on from row to row.
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t to_x, size_t to_y, const void* from, size_t bytes,
                              cudaMemcpyKind kind, SIMT_LINE);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t to_x, size_t to_y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream = nullptr, SIMT_LINE);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t from_x, size_t from_y, size_t bytes,
                                cudaMemcpyKind kind, SIMT_LINE);
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                                     SIMT_LINE);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes,
                                   cudaMemcpyKind kind = cudaMemcpyDeviceToDevice, SIMT_LINE);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters, SIMT_LINE);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = nullptr, SIMT_LINE);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters, SIMT_LINE);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream = nullptr,
                                  SIMT_LINE);
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent, SIMT_LINE);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream = nullptr, SIMT_LINE);

// ---- texture and surface objects ----
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view,
                                    SIMT_LINE);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture,
                                             SIMT_LINE);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture,
                                            SIMT_LINE);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t texture,
                                                 SIMT_LINE);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource,
                                    SIMT_LINE);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface,
                                             SIMT_LINE);

namespace simt::cuda {
cudaError_t release_array(cudaArray_t array, Where where);
cudaError_t destroy_texture(cudaTextureObject_t texture, Where where);
cudaError_t destroy_surface(cudaSurfaceObject_t surface, Where where);
}  // namespace simt::cuda
inline cudaError_t simt_cudaFreeArray(cudaArray_t array, SIMT_LINE) {
    return ::simt::cuda::release_array(array, where);
}
inline cudaError_t simt_cudaDestroyTextureObject(cudaTextureObject_t texture, SIMT_LINE) {
    return ::simt::cuda::destroy_texture(texture, where);
}
inline cudaError_t simt_cudaDestroySurfaceObject(cudaSurfaceObject_t surface, SIMT_LINE) {
    return ::simt::cuda::destroy_surface(surface, where);
}
#define cudaFreeArray(...) simt_cudaFreeArray(__VA_ARGS__)
#define cudaDestroyTextureObject(...) simt_cudaDestroyTextureObject(__VA_ARGS__)
#define cudaDestroySurfaceObject(...) simt_cudaDestroySurfaceObject(__VA_ARGS__)
