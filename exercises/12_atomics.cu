// Lesson 12: many threads, one place.
//
// Count the letters of a text, first in one set of counters for all threads, then in a set for each block.
// Then find the largest of many floats, for which CUDA has no atomic function: you write it. The four places
// marked TODO are yours. Save after each; the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/12_atomics/interface.h"

constexpr int threads = 256;

// [global]
// One character a thread, one set of counters for all.
__global__ void count_kernel(const char* d_text, int n, unsigned int* d_bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int letter = d_text[i] - 'a';
    // TODO: (1) if this is a letter, add 1 to its counter. Other threads may be at that counter, too.
}
// [/global]

extern "C" int count_letters(const char* d_text, int n, unsigned int* d_bins) {
    cudaError_t status = cudaMemset(d_bins, 0, alphabet * sizeof(unsigned int));
    if (status != cudaSuccess) return status;
    count_kernel<<<(n + threads - 1) / threads, threads>>>(d_text, n, d_bins);
    return cudaGetLastError();
}

// [shared]
// A set of counters for each block. The grid may be smaller than the text: a thread takes several characters.
__global__ void count_shared_kernel(const char* d_text, int n, unsigned int* d_bins) {
    __shared__ unsigned int bins[alphabet];
    // TODO: (2) zero the block's counters, count into them in a grid-stride loop, add them to d_bins.
}
// [/shared]

extern "C" int count_letters_shared(const char* d_text, int n, unsigned int* d_bins, int blocks) {
    // TODO: (3) zero d_bins, launch the kernel with `blocks` blocks, return the first error.
    return cudaSuccess;
}

// [max]
// *address becomes the larger of itself and value, whoever else is at it. A NaN changes nothing.
__device__ void atomic_max(float* address, float value) {
    unsigned int* bits = reinterpret_cast<unsigned int*>(address);
    // TODO: (4) guess what is there, and swap in value's bits while value is larger than the guess.
}
// [/max]

// The block's threads compete for a float in shared memory; its first thread takes the winner to the grid's.
__global__ void largest_kernel(const float* d_in, int n, float* d_largest) {
    __shared__ float best;
    if (threadIdx.x == 0) best = -INFINITY;
    __syncthreads();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(&best, d_in[i]);
    __syncthreads();

    if (threadIdx.x == 0) atomic_max(d_largest, best);
}

extern "C" int largest(const float* d_in, int n, float* d_largest) {
    float lowest = -INFINITY;
    cudaError_t status = cudaMemcpy(d_largest, &lowest, sizeof(float), cudaMemcpyHostToDevice);
    if (status != cudaSuccess) return status;
    largest_kernel<<<(n + threads - 1) / threads, threads>>>(d_in, n, d_largest);
    return cudaGetLastError();
}
