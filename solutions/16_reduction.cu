// Lesson 16: many numbers in, one out.
//
// A ladder of kernels, each with one thing better than the one before. The first two are given. The five places marked TODO are
// yours, from the tree in shared memory to the kernel that keeps up with memory. Save after each; the verdict says what to mend.
#include <cuda_runtime.h>

#include "lessons/16_reduction/interface.h"

constexpr int threads = 128;
constexpr unsigned int all_lanes = 0xffffffff;

// [interleaved]
// Given. Neighbours first: threads 0, 2, 4, ... add, then 0, 4, 8, ...
__global__ void reduce_interleaved(const int* d_in, int n, int* d_sum) {
    __shared__ int part[threads];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? d_in[i] : 0;
    for (int s = 1; s < blockDim.x; s *= 2) {
        __syncthreads();
        if (t % (2 * s) == 0) part[t] += part[t + s];
    }
    if (t == 0) atomicAdd(d_sum, part[0]);
}
// [/interleaved]

// [packed]
// Given. The same sums at the same places, made by the first threads of the block.
__global__ void reduce_packed(const int* d_in, int n, int* d_sum) {
    __shared__ int part[threads];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? d_in[i] : 0;
    for (int s = 1; s < blockDim.x; s *= 2) {
        __syncthreads();
        int at = 2 * s * t;
        if (at < blockDim.x) part[at] += part[at + s];
    }
    if (t == 0) atomicAdd(d_sum, part[0]);
}
// [/packed]

// [sequential]
// Folds the block's numbers: part[0] becomes the sum of part[0 .. blockDim.x - 1]. The block calls it with all its threads.
__device__ void fold(int* part) {
    int t = threadIdx.x;
    // >>> TODO: (1) add the upper half to the lower half, then the upper quarter to the lower, until one is left.
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        __syncthreads();
        if (t < s) part[t] += part[t + s];
    }
    // <<<
}

__global__ void reduce_sequential(const int* d_in, int n, int* d_sum) {
    __shared__ int part[threads];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? d_in[i] : 0;
    fold(part);
    if (t == 0) atomicAdd(d_sum, part[0]);
}
// [/sequential]

// [first_add]
// A block takes twice as many numbers as it has threads: a thread adds two while it loads.
__device__ int first_add(const int* d_in, int n) {
    // >>> TODO: (2) return the sum of this thread's two numbers. Both times, neighbours read neighbours; n may end anywhere.
    int i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    int sum = i < n ? d_in[i] : 0;
    if (i + blockDim.x < n) sum += d_in[i + blockDim.x];
    return sum;
    // ===
    //| return 0;
    // <<<
}

__global__ void reduce_first_add(const int* d_in, int n, int* d_sum) {
    __shared__ int part[threads];
    int t = threadIdx.x;
    part[t] = first_add(d_in, n);
    fold(part);
    if (t == 0) atomicAdd(d_sum, part[0]);
}
// [/first_add]

// [shuffled]
// Thread 0 gets the sum of what the block's threads bring; the others get anything. The block calls it with all its threads.
template <class T>
__device__ T block_sum(T sum) {
    __shared__ T of_warp[threads / 32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    // >>> TODO: (3) each warp adds up by shuffles and leaves its sum in of_warp; then the first warp adds those up.
    for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down_sync(all_lanes, sum, step);
    if (lane == 0) of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / warpSize ? of_warp[lane] : 0;
        for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down_sync(all_lanes, sum, step);
    }
    // <<<
    return sum;
}

__global__ void reduce_shuffled(const int* d_in, int n, int* d_sum) {
    int sum = block_sum(first_add(d_in, n));
    if (threadIdx.x == 0) atomicAdd(d_sum, sum);
}
// [/shuffled]

// [grid_stride]
// As many blocks as you like, for any n: each thread walks through the numbers, four at a time.
__global__ void reduce_grid_stride(const float* d_in, size_t first, size_t n, float* d_sum) {
    float sum = 0;
    // >>> TODO: (4) a grid-stride loop over the float4s of d_in[first ..], then what is left over of n / 4; one atomic a block.
    const float* d_mine = d_in + first;
    const float4* d_four = reinterpret_cast<const float4*>(d_mine);
    size_t thread = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    size_t stride = size_t{gridDim.x} * blockDim.x;
    for (size_t i = thread; i < n / 4; i += stride) {
        float4 four = d_four[i];
        sum += (four.x + four.y) + (four.z + four.w);
    }
    size_t rest = n / 4 * 4 + thread;
    if (rest < n) sum += d_mine[rest];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(d_sum, sum);
    // <<<
}
// [/grid_stride]

// [launches]
// Blocks for n numbers, `each` a block. (n + each - 1) / each would overflow near the largest int.
static int blocks_for(int n, int each) {
    return n / each + (n % each > 0);
}

// The sum's memory may hold anything, and no numbers make no grid: a launch of 0 blocks is an error.
extern "C" int sum_interleaved(const int* d_in, int n, int* d_sum) {
    cudaError_t status = cudaMemset(d_sum, 0, sizeof(int));
    if (status != cudaSuccess || n == 0) return status;
    reduce_interleaved<<<blocks_for(n, threads), threads>>>(d_in, n, d_sum);
    return cudaGetLastError();
}

extern "C" int sum_packed(const int* d_in, int n, int* d_sum) {
    cudaError_t status = cudaMemset(d_sum, 0, sizeof(int));
    if (status != cudaSuccess || n == 0) return status;
    reduce_packed<<<blocks_for(n, threads), threads>>>(d_in, n, d_sum);
    return cudaGetLastError();
}

extern "C" int sum_sequential(const int* d_in, int n, int* d_sum) {
    cudaError_t status = cudaMemset(d_sum, 0, sizeof(int));
    if (status != cudaSuccess || n == 0) return status;
    reduce_sequential<<<blocks_for(n, threads), threads>>>(d_in, n, d_sum);
    return cudaGetLastError();
}

extern "C" int sum_first_add(const int* d_in, int n, int* d_sum) {
    cudaError_t status = cudaMemset(d_sum, 0, sizeof(int));
    if (status != cudaSuccess || n == 0) return status;
    reduce_first_add<<<blocks_for(n, 2 * threads), threads>>>(d_in, n, d_sum);
    return cudaGetLastError();
}

extern "C" int sum_shuffled(const int* d_in, int n, int* d_sum) {
    cudaError_t status = cudaMemset(d_sum, 0, sizeof(int));
    if (status != cudaSuccess || n == 0) return status;
    reduce_shuffled<<<blocks_for(n, 2 * threads), threads>>>(d_in, n, d_sum);
    return cudaGetLastError();
}
// [/launches]

extern "C" int sum_grid_stride(const float* d_in, size_t first, size_t n, float* d_sum, int blocks) {
    // >>> TODO: (5) zero the sum, launch the kernel with `blocks` blocks, return the first error.
    cudaError_t status = cudaMemset(d_sum, 0, sizeof(float));
    if (status != cudaSuccess) return status;
    reduce_grid_stride<<<blocks, threads>>>(d_in, first, n, d_sum);
    return cudaGetLastError();
    // ===
    //| return cudaSuccess;
    // <<<
}
