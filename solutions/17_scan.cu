// Lesson 17: running sums.
//
// Give every number of an array the sum of all that stand before it: by one block in doubling steps, by one block up and down a
// tree, then by warps, for an array of any length. The places marked TODO are yours. Save after each; the verdict says
// what to mend next.
#include <cuda_runtime.h>

#include "lessons/17_scan/interface.h"

constexpr int banks = 32;
constexpr unsigned int all_lanes = 0xffffffff;

// [steps]
// A thread for each number. sums has room for blockDim.x numbers.
__global__ void steps_kernel(const int* d_in, int n, int* d_out) {
    extern __shared__ int sums[];
    int t = threadIdx.x;
    // >>> TODO: (1) bring the numbers to sums, 0 past the end; add in steps of 1, 2, 4 ...; write what stands before each.
    sums[t] = t < n ? d_in[t] : 0;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        int left = t >= step ? sums[t - step] : 0;
        __syncthreads();  // all have read
        sums[t] += left;
        __syncthreads();  // all have written
    }
    if (t < n) d_out[t] = t > 0 ? sums[t - 1] : 0;
    // <<<
}
// [/steps]

extern "C" int scan_in_steps(const int* d_in, int n, int threads, int* d_out) {
    steps_kernel<<<1, threads, threads * sizeof(int)>>>(d_in, n, d_out);
    return cudaGetLastError();
}

// [place]
// Where number i of the tree stands in shared memory.
__device__ int place_of(int i) {
    // >>> TODO: (3) the sweeps make threads ask the same bank. Leave a place free after every 32 numbers.
    return i + i / banks;
    // ===
    //| return i;
    // <<<
}
// [/place]

// [sweeps]
// Two numbers for each thread. tree has room for them and for what place_of leaves free.
__global__ void sweeps_kernel(const int* d_in, int n, int* d_out) {
    extern __shared__ int tree[];
    int t = threadIdx.x;
    int numbers = 2 * blockDim.x;
    tree[place_of(t)] = t < n ? d_in[t] : 0;
    tree[place_of(t + blockDim.x)] = t + blockDim.x < n ? d_in[t + blockDim.x] : 0;
    // >>> TODO: (2) sweep up, put 0 at the root, sweep down. Always reach the tree by place_of.
    for (int step = 1; step < numbers; step *= 2) {
        __syncthreads();
        int right = (2 * t + 2) * step - 1;
        if (right < numbers) tree[place_of(right)] += tree[place_of(right - step)];
    }
    if (t == 0) tree[place_of(numbers - 1)] = 0;
    for (int step = blockDim.x; step > 0; step /= 2) {
        __syncthreads();
        int right = (2 * t + 2) * step - 1;
        if (right < numbers) {
            int left_sum = tree[place_of(right - step)];
            tree[place_of(right - step)] = tree[place_of(right)];
            tree[place_of(right)] += left_sum;
        }
    }
    __syncthreads();
    // <<<
    if (t < n) d_out[t] = tree[place_of(t)];
    if (t + blockDim.x < n) d_out[t + blockDim.x] = tree[place_of(t + blockDim.x)];
}
// [/sweeps]

extern "C" int scan_in_sweeps(const int* d_in, int n, int threads, int* d_out) {
    int numbers = 2 * threads;
    // >>> TODO: (4) with (3) the tree takes more room than it has numbers.
    size_t bytes = (numbers + numbers / banks) * sizeof(int);
    // ===
    //| size_t bytes = numbers * sizeof(int);
    // <<<
    sweeps_kernel<<<1, threads, bytes>>>(d_in, n, d_out);
    return cudaGetLastError();
}

// [warp]
// The sum of the values of this lane and of all lanes before it. All 32 lanes call.
__device__ int scan_warp(int value) {
    // >>> TODO: (5) steps of 1, 2, 4, 8, 16 by __shfl_up_sync. Which lanes have somebody to their left?
    int lane = threadIdx.x % warpSize;
    for (int step = 1; step < warpSize; step *= 2) {
        int left = __shfl_up_sync(all_lanes, value, step);
        value += lane >= step ? left : 0;
    }
    // <<<
    return value;
}
// [/warp]

// [block]
// The same for the threads of a block. All of them call, once a kernel.
__device__ int scan_block(int value) {
    __shared__ int warp_sums[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    int sum = scan_warp(value);
    // >>> TODO: (6) each warp leaves its sum in warp_sums; one warp scans these; every warp adds what stands before it.
    if (lane == warpSize - 1) warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int of_warp = lane < blockDim.x / warpSize ? warp_sums[lane] : 0;
        warp_sums[lane] = scan_warp(of_warp);
    }
    __syncthreads();
    if (warp > 0) sum += warp_sums[warp - 1];
    // <<<
    return sum;
}
// [/block]

// [tiles]
// Scans each tile by itself, and tells what its numbers add up to.
__global__ void tiles_kernel(const int* d_in, int n, int* d_out, int* d_tile_sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? d_in[i] : 0;
    int sum = scan_block(value);
    // >>> TODO: (7) write what stands before number i, and the sum of the tile.
    if (i < n) d_out[i] = sum - value;
    if (threadIdx.x == blockDim.x - 1) d_tile_sums[blockIdx.x] = sum;
    // <<<
}

// Adds to each number of a tile what all tiles before it add up to.
__global__ void carry_kernel(int* d_out, int n, const int* d_before) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d_out[i] += d_before[blockIdx.x];
}
// [/tiles]

// [scan]
extern "C" int scan(const int* d_in, int n, int threads, int* d_out) {
    // >>> TODO: (8) scan the tiles, scan their sums, add. How many sums can there be? What if n is 0?
    if (n <= 0) return cudaSuccess;
    int tiles = (n + threads - 1) / threads;
    int* d_sums = nullptr;
    cudaError_t status = cudaMalloc(&d_sums, tiles * sizeof(int));
    if (status != cudaSuccess) return status;
    tiles_kernel<<<tiles, threads>>>(d_in, n, d_out, d_sums);
    int failed = cudaGetLastError();
    if (!failed && tiles > 1) failed = scan(d_sums, tiles, threads, d_sums);
    if (!failed && tiles > 1) {
        carry_kernel<<<tiles, threads>>>(d_out, n, d_sums);
        failed = cudaGetLastError();
    }
    status = cudaFree(d_sums);
    return failed ? failed : status;
    // ===
    //| return cudaSuccess;
    // <<<
}
// [/scan]
