// What the programs of this folder share: kernels whose results are known, and the last line of each. Line 2 of a program may
// say how it is run: `// devices: 2`, `// default-stream: per-thread`.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
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

__global__ void number(int* out, int factor = 1) {  // out[i] = factor * (i + 1)
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = factor * (i + 1);
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
