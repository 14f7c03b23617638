// Lesson 13: the lanes of a warp talk to each other.
//
// Add up 32 numbers without any memory, keep the positive numbers of an array with one atomic a warp, and send all lanes of a
// warp the same way. The three places marked TODO are yours. Save after each; the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/13_warp_intrinsics/interface.h"

constexpr int threads = 128;
constexpr unsigned int all_lanes = 0xffffffff;

// [sums]
// One number a thread, one sum a warp.
__global__ void sums_kernel(const int* d_in, int n, int* d_sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % warpSize;
    // TODO: (1) add up the warp's numbers by shuffles; one lane writes d_sums[i / warpSize]. n may end within a warp.
}
// [/sums]

extern "C" int sum_warps(const int* d_in, int n, int* d_sums) {
    sums_kernel<<<(n + threads - 1) / threads, threads>>>(d_in, n, d_sums);
    return cudaGetLastError();
}

// [keep]
// Copies the numbers above zero, and leaves no gaps.
__global__ void keep_kernel(const int* d_in, int n, int* d_out, int* d_count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % warpSize;
    // TODO: (2) vote on who keeps its number; one lane reserves room for all of them; each finds its own place.
}
// [/keep]

extern "C" int keep_positive(const int* d_in, int n, int* d_out, int* d_count) {
    cudaError_t status = cudaMemset(d_count, 0, sizeof(int));
    if (status != cudaSuccess) return status;
    keep_kernel<<<(n + threads - 1) / threads, threads>>>(d_in, n, d_out, d_count);
    return cudaGetLastError();
}

// [sensors]
// A thermometer: a polynomial.
__device__ float by_curve(float x, const float* d_curve) {
    float y = 0;
    for (int k = 0; k < curve_terms; ++k) y = y * x + d_curve[k];
    return y;
}

// A pressure gauge: a line that bends at every knot.
__device__ float by_knots(float x, const float* d_knots) {
    float y = 0;
    for (int k = 0; k < knot_count; ++k) y += fabsf(x - d_knots[k]);
    return y;
}
// [/sensors]

// [calibrate]
// The two sensors take turns: readings 0, 2, 4 are the thermometer's, readings 1, 3, 5 the gauge's.
__global__ void calibrate_kernel(const float* d_raw, int n, const float* d_curve, const float* d_knots,
                                 float* d_out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: (3) half of every warp waits while the other half works. Give each warp readings of one sensor only.
    if (i >= n) return;
    if (i % 2 == 0) {
        d_out[i] = by_curve(d_raw[i], d_curve);
    } else {
        d_out[i] = by_knots(d_raw[i], d_knots);
    }
}
// [/calibrate]

extern "C" int calibrate(const float* d_raw, int n, const float* d_curve, const float* d_knots, float* d_out) {
    calibrate_kernel<<<(n + threads - 1) / threads, threads>>>(d_raw, n, d_curve, d_knots, d_out);
    return cudaGetLastError();
}
