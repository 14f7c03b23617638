// Lesson 03: a grid of any size.
//
// SAXPY, y = a * x + y, over as many elements as you like, with as many threads as you like. The kernel is
// that of lesson 01, with a size that it was not made for. The places marked TODO are yours. Save after each;
// the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/03_grid_stride/interface.h"

// [kernel]
// Elements first to last - 1, shared out among all threads of the grid.
__global__ void saxpy_kernel(float a, const float* d_x, float* d_y, size_t first, size_t last) {
    // >>> TODO: (1) one element a thread is not enough. Let it go on to its next one, while there is one.
    size_t stride = size_t(gridDim.x) * blockDim.x;
    for (size_t i = first + size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < last; i += stride) {
        d_y[i] = a * d_x[i] + d_y[i];
    }
    // ===
    //| // TODO: (2) which number can i reach? It has to fit.
    //| int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    //| if (i < last) {
    //|     d_y[i] = a * d_x[i] + d_y[i];
    //| }
    // <<<
}
// [/kernel]

// The launch is the caller's choice.
extern "C" int saxpy(float a, const float* d_x, float* d_y, size_t first, size_t last, int blocks,
                     int threads_per_block) {
    saxpy_kernel<<<blocks, threads_per_block>>>(a, d_x, d_y, first, last);
    return cudaGetLastError();
}

// [card]
// The launch is the card's.
extern "C" int saxpy_on_card(float a, const float* d_x, float* d_y, size_t n, int threads_per_block) {
    // >>> TODO: (3) ask the card how many blocks it holds at once. Launch that many, or fewer if n needs fewer.
    if (n == 0) return cudaSuccess;

    int device = 0;
    int sms = 0;
    int blocks_per_sm = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, saxpy_kernel, threads_per_block, 0);

    size_t needed = (n + threads_per_block - 1) / threads_per_block;
    size_t at_once = size_t(sms) * blocks_per_sm;
    unsigned blocks = needed < at_once ? needed : at_once;
    saxpy_kernel<<<blocks, threads_per_block>>>(a, d_x, d_y, 0, n);
    return cudaGetLastError();
    // ===
    //| return cudaSuccess;
    // <<<
}
// [/card]
