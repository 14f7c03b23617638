// What the programs of this folder share.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

template <class T>
T* zeros(size_t count) {
    T* d = nullptr;
    cudaMalloc(&d, count * sizeof(T));
    cudaMemset(d, 0, count * sizeof(T));
    return d;
}

template <class T>
T* upload(const std::vector<T>& values) {
    T* d = nullptr;
    cudaMalloc(&d, values.size() * sizeof(T));
    cudaMemcpy(d, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}

template <class T>
std::vector<T> fetch(const T* d, size_t count) {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), d, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
}

inline int verdict(bool right) {
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::printf("error: %s\n", cudaGetErrorString(error));
    std::printf(right && error == cudaSuccess ? "right\n" : "WRONG\n");
    return right && error == cudaSuccess ? 0 : 1;
}
