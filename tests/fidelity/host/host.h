// What the programs of this folder share: kernels whose results are known, and the last line of each.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <sstream>
#include <vector>
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudaError_t error_ = (call);                                                       \
        if (error_ != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
            std::exit(2);                                                                        \
        }                                                                                        \
    } while (0)

constexpr int n = 256;
constexpr size_t bytes = n * sizeof(int);

__global__ void number(int* out) {  // out[i] = i + 1
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = i + 1;
}

__global__ void twice(int* out, const int* in) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = 2 * in[i];
}

__global__ void add_one(int* x) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] += 1;
}

inline bool holds(const int* x, int factor, int plus) {  // x[i] = factor * (i + 1) + plus
    for (int i = 0; i < n; ++i)
        if (x[i] != factor * (i + 1) + plus) return false;
    return true;
}

inline int say(bool right) {
    std::puts(right ? "right" : "wrong");
    return right ? 0 : 1;
}

inline cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

// Clamped, in elements.
inline cudaTextureDesc sampling(cudaTextureFilterMode filter = cudaFilterModePoint) {
    cudaTextureDesc d = {};
    for (cudaTextureAddressMode& mode : d.addressMode) mode = cudaAddressModeClamp;
    d.filterMode = filter;
    return d;
}

inline cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter = cudaFilterModePoint) {
    const cudaResourceDesc resource = resource_of(array);
    const cudaTextureDesc d = sampling(filter);
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &d, nullptr));
    return texture;
}

inline cudaSurfaceObject_t surface_of(cudaArray_t array) {
    const cudaResourceDesc resource = resource_of(array);
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    return surface;
}
