// Lesson 07: what a thread keeps for itself, and how many threads an SM keeps.
//
// Two kernels that give the right results, and cost too much. Keep the window of the first in registers; find the blocks with
// which an SM runs as many threads of the second as it can. The places marked TODO are yours.
#include <cuda_runtime.h>

#include "lessons/07_registers_local/interface.h"

constexpr int threads = 128;

// [window]
// A thread for each channel: neighbours read neighbours, in each step.
__global__ void moving_sums_kernel(const int* d_in, int channels, int steps, int* d_out) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    int window[window_length] = {};  // the last samples
    int sum = 0;
    // >>> TODO: (1) `oldest` is known when the kernel runs, so the window has no place in registers. Find one for it.
    for (int t = 0; t < steps; ++t) {
        int sample = d_in[t * channels + c];
        sum += sample - window[0];
#pragma unroll
        for (int k = 0; k + 1 < window_length; ++k) window[k] = window[k + 1];
        window[window_length - 1] = sample;
        d_out[t * channels + c] = sum;
    }
    // ===
    //| int oldest = 0;
    //| for (int t = 0; t < steps; ++t) {
    //|     int sample = d_in[t * channels + c];
    //|     sum += sample - window[oldest];
    //|     window[oldest] = sample;
    //|     oldest = oldest + 1 == window_length ? 0 : oldest + 1;
    //|     d_out[t * channels + c] = sum;
    //| }
    // <<<
}
// [/window]

extern "C" int moving_sums(const int* d_in, int channels, int steps, int* d_out) {
    moving_sums_kernel<<<(channels + threads - 1) / threads, threads>>>(d_in, channels, steps, d_out);
    return cudaGetLastError();
}

// [bytes]
// What a block needs of shared memory: the table, and a column of counters for each thread.
static int bytes_for(int block) {
    return (levels + classes * block) * static_cast<int>(sizeof(int));
}
// [/bytes]

// [promise]
// The compiler may count on blocks of at most so many threads.
// >>> TODO: (2a) a promise with room for the blocks that you choose below.
constexpr int most_threads = 512;
// ===
//| constexpr int most_threads = 64;
// <<<
// [/promise]

// [count]
// The sample decides which counter goes up, so the counters are in shared memory: a thread's own, one column each.
__global__ void __launch_bounds__(most_threads)
    count_kernel(const int* d_in, int channels, int steps, const int* d_class_of, int* d_counts) {
    extern __shared__ int shared[];
    int* class_of = shared;
    int* counter = shared + levels + threadIdx.x;
    for (int s = threadIdx.x; s < levels; s += blockDim.x) class_of[s] = d_class_of[s];
    for (int k = 0; k < classes; ++k) counter[k * blockDim.x] = 0;
    __syncthreads();
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    for (int t = 0; t < steps; ++t) ++counter[class_of[d_in[t * channels + c]] * blockDim.x];
    for (int k = 0; k < classes; ++k) d_counts[k * channels + c] = counter[k * blockDim.x];
}
// [/count]

// [launch]
extern "C" int count_classes(const int* d_in, int channels, int steps, const int* d_class_of, int* d_counts) {
    // >>> TODO: (2b) on every card, four fifths of the warps that an SM can hold, or more. Ask, or work it out.
    int least_blocks = 0, block = 0;
    cudaError_t status = cudaOccupancyMaxPotentialBlockSizeVariableSMem(&least_blocks, &block, count_kernel,
                                                                        bytes_for, most_threads);
    if (status != cudaSuccess) return status;
    // ===
    //| int block = 64;
    // <<<
    int blocks = (channels + block - 1) / block;
    count_kernel<<<blocks, block, bytes_for(block)>>>(d_in, channels, steps, d_class_of, d_counts);
    return cudaGetLastError();
}
// [/launch]
