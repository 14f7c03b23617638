// Lesson 19: shares of a row, of any length and any size.
//
// Softmax in four steps: as it is written (given), safe, with one read less, and with a block for long rows. The seven places
// marked TODO are yours. Save after each; the verdict says what to mend next.
#include <cfloat>

#include <cuda_runtime.h>

#include "lessons/19_softmax/interface.h"

constexpr int threads = 256, warps_a_block = threads / 32;
constexpr unsigned int all_lanes = 0xffffffff;

// [warp]
// Given. Lesson 13's trees, with arrows both ways: after five steps, every lane has the result.
__device__ float warp_sum(float sum) {
    for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_xor_sync(all_lanes, sum, step);
    return sum;
}

__device__ float warp_max(float max) {
    for (int step = warpSize / 2; step > 0; step /= 2)
        max = fmaxf(max, __shfl_xor_sync(all_lanes, max, step));
    return max;
}
// [/warp]

// [naive]
// Given. As the formula says it: right, as long as no exp leaves the range of a float.
__global__ void softmax_naive_kernel(const float* d_in, int rows, int columns, float* d_out) {
    int row = blockIdx.x * warps_a_block + threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
    if (row >= rows) return;  // the whole warp
    const float* in = d_in + size_t(row) * columns;
    float* out = d_out + size_t(row) * columns;
    float sum = 0;
    for (int c = lane; c < columns; c += warpSize) sum += expf(in[c]);
    sum = warp_sum(sum);
    for (int c = lane; c < columns; c += warpSize) out[c] = expf(in[c]) / sum;
}
// [/naive]

// [share]
// What number x gets in a row with this largest number and this sum of exp(x - max).
__device__ float share(float x, float max, float sum) {
    // >>> TODO: (1) the share, and 0 where every number of the row is -INFINITY. So far, this is the naive one's.
    return sum == 0 ? 0 : expf(x - max) / sum;
    // ===
    //| return expf(x) / sum;
    // <<<
}
// [/share]

// [safe]
__global__ void softmax_safe_kernel(const float* d_in, int rows, int columns, float* d_out) {
    int row = blockIdx.x * warps_a_block + threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
    if (row >= rows) return;
    const float* in = d_in + size_t(row) * columns;
    float* out = d_out + size_t(row) * columns;
    // >>> TODO: (2) one more pass over the row, before the sum: find its largest number. Then sum up exp(x - max).
    float max = -FLT_MAX, sum = 0;
    for (int c = lane; c < columns; c += warpSize) max = fmaxf(max, in[c]);
    max = warp_max(max);
    for (int c = lane; c < columns; c += warpSize) sum += expf(in[c] - max);
    // ===
    //| float max = 0, sum = 0;
    //| for (int c = lane; c < columns; c += warpSize) sum += expf(in[c]);
    // <<<
    sum = warp_sum(sum);
    for (int c = lane; c < columns; c += warpSize) out[c] = share(in[c], max, sum);
}
// [/safe]

// [merge]
// What is known of two parts of a row together.
__device__ Running merge(Running a, Running b) {
    // >>> TODO: (3) the larger maximum, and both sums as they would be if they had been taken against it.
    float max = fmaxf(a.max, b.max);
    return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
    // ===
    //| return a;
    // <<<
}
// [/merge]

// [online]
// All lanes get what the warp's lanes know together.
__device__ Running warp_merge(Running mine) {
    // >>> TODO: (4) five steps of shuffles. A pair travels as two floats.
    for (int step = warpSize / 2; step > 0; step /= 2) {
        Running other{__shfl_xor_sync(all_lanes, mine.max, step), __shfl_xor_sync(all_lanes, mine.sum, step)};
        mine = merge(mine, other);
    }
    // <<<
    return mine;
}

__global__ void softmax_online_kernel(const float* d_in, int rows, int columns, float* d_out) {
    int row = blockIdx.x * warps_a_block + threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
    if (row >= rows) return;
    const float* in = d_in + size_t(row) * columns;
    float* out = d_out + size_t(row) * columns;
    // >>> TODO: (5) read the row once for its maximum and its sum, and once more to write the shares.
    Running mine{-FLT_MAX, 0};
    for (int c = lane; c < columns; c += warpSize) mine = merge(mine, {in[c], 1});
    mine = warp_merge(mine);
    for (int c = lane; c < columns; c += warpSize) out[c] = share(in[c], mine.max, mine.sum);
    // <<<
}
// [/online]

// [long]
// A block for each row.
__global__ void softmax_long_kernel(const float* d_in, int columns, float* d_out) {
    __shared__ float max_of_warp[warps_a_block], sum_of_warp[warps_a_block];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    const float* in = d_in + size_t(blockIdx.x) * columns;
    float* out = d_out + size_t(blockIdx.x) * columns;
    // >>> TODO: (6) all threads share the row. Each warp leaves its pair in shared memory; every warp needs all of them.
    Running mine{-FLT_MAX, 0};
    for (int c = threadIdx.x; c < columns; c += blockDim.x) mine = merge(mine, {in[c], 1});
    mine = warp_merge(mine);
    if (lane == 0) {
        max_of_warp[warp] = mine.max;
        sum_of_warp[warp] = mine.sum;
    }
    __syncthreads();
    mine = {-FLT_MAX, 0};
    if (lane < warps_a_block) mine = {max_of_warp[lane], sum_of_warp[lane]};
    mine = warp_merge(mine);
    for (int c = threadIdx.x; c < columns; c += blockDim.x) out[c] = share(in[c], mine.max, mine.sum);
    // <<<
}
// [/long]

__global__ void merge_pairs_kernel(const Running* d_a, const Running* d_b, int n, Running* d_out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Running both = merge(d_a[i], d_b[i]);
    d_out[i] = both;
}

// [launches]
// No numbers make no grid: a launch of 0 blocks is an error.
static int blocks_for(int rows) {
    return rows / warps_a_block + (rows % warps_a_block > 0);
}

extern "C" int merge_pairs(const Running* d_a, const Running* d_b, int n, Running* d_out) {
    merge_pairs_kernel<<<(n + threads - 1) / threads, threads>>>(d_a, d_b, n, d_out);
    return cudaGetLastError();
}

extern "C" int softmax_naive(const float* d_in, int rows, int columns, float* d_out) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    softmax_naive_kernel<<<blocks_for(rows), threads>>>(d_in, rows, columns, d_out);
    return cudaGetLastError();
}

extern "C" int softmax_safe(const float* d_in, int rows, int columns, float* d_out) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    softmax_safe_kernel<<<blocks_for(rows), threads>>>(d_in, rows, columns, d_out);
    return cudaGetLastError();
}

extern "C" int softmax_online(const float* d_in, int rows, int columns, float* d_out) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    softmax_online_kernel<<<blocks_for(rows), threads>>>(d_in, rows, columns, d_out);
    return cudaGetLastError();
}

extern "C" int softmax_long(const float* d_in, int rows, int columns, float* d_out) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    softmax_long_kernel<<<rows, threads>>>(d_in, columns, d_out);
    return cudaGetLastError();
}
// [/launches]

extern "C" int softmax_rows(const float* d_in, int rows, int columns, float* d_out) {
    // >>> TODO: (7) a warp for each row of up to short_row columns, a block for each longer one.
    if (columns <= short_row) return softmax_online(d_in, rows, columns, d_out);
    return softmax_long(d_in, rows, columns, d_out);
    // ===
    //| return cudaSuccess;
    // <<<
}
