// Not a lesson: CUDA words in one place, for tests/house/editor.sh. It only has to parse.
#include <cuda_runtime.h>
#include <cub/cub.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <mma.h>
#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

__constant__ float weights[16];
__device__ int counter;

__device__ float wave(float x) {
    return sinf(x) + sqrtf(x) + fabsf(x) + fminf(x, 1.0f);
}
__host__ __device__ inline int round_up(int a, int b) {
    return (a + b - 1) / b;
}

template <int N, typename T>
__global__ void __launch_bounds__(256) kernel(const T* __restrict__ in, T* __restrict__ out, int n) {
    __shared__ T tile[32][33];
    extern __shared__ float dynamic[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i >= 0);
    if (i >= n) return;
    tile[threadIdx.y][threadIdx.x] = in[i] * weights[N];
    dynamic[threadIdx.x] = wave(in[i]);
    __syncthreads();
    unsigned mask = __ballot_sync(0xffffffffu, in[i] > 0);
    float other = __shfl_down_sync(0xffffffffu, dynamic[threadIdx.x], 1);
    __syncwarp();
    if (__syncthreads_count(i < n) == 0) return;
    atomicAdd(&counter, 1);
    out[i] = tile[threadIdx.x][threadIdx.y] + other + __popc(mask) + max(i, N) + round_up(i, N);
    printf("%d of %d\n", i, gridDim.x);
}

__global__ void vectors(float4* d_data, uint2* d_pairs) {
    float4 v = d_data[threadIdx.x];
    v.x += v.w;
    d_data[threadIdx.x] = make_float4(v.x, v.y, v.z, 1.0f);
    d_pairs[threadIdx.x] = make_uint2(1u, warpSize);
}

static bool check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return true;
    std::cerr << what << ": " << cudaGetErrorString(error) << " (" << cudaGetErrorName(error) << ")\n";
    return false;
}

int main() {
    std::vector<float> host(100, 1.0f);
    float *d_in = nullptr, *d_out = nullptr;
    if (!check(cudaMalloc(&d_in, 400), "d_in") || !check(cudaMalloc(&d_out, 400), "d_out")) return 1;
    check(cudaMemcpy(d_in, host.data(), 400, cudaMemcpyHostToDevice), "copy");
    check(cudaMemcpyToSymbol(weights, host.data(), sizeof(weights)), "symbol");
    dim3 grid(round_up(100, 32)), block(32, 1);
    cudaStream_t stream;
    cudaEvent_t event;
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    kernel<3><<<grid, block, 128>>>(d_in, d_out, 100);
    kernel<4, float><<<grid, block, 128, stream>>>(d_in, d_out, 100);
    vectors<<<1, 4>>>(nullptr, nullptr);
    cudaEventRecord(event, stream);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "run");
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    std::sort(host.begin(), host.end());
    auto owned = std::make_unique<std::map<std::string, int>>();
    (*owned)[properties.name] = static_cast<int>(std::chrono::steady_clock::now().time_since_epoch().count());
    std::cout << host[0] << " " << owned->size() << "\n";
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}

__global__ void libraries(float* d_out) {
    using BlockReduce = cub::BlockReduce<float, 128>;
    __shared__ typename BlockReduce::TempStorage memory;
    curandState state;
    curand_init(1, threadIdx.x, 0, &state);
    const float sum = BlockReduce(memory).Sum(curand_uniform(&state));
    if (threadIdx.x == 0) *d_out = sum;
}

__global__ void sixteen(half* d_half, nv_bfloat162* d_pairs) {
    const half x = d_half[threadIdx.x];
    d_half[threadIdx.x] = __hfma(x, half(2.0f), hexp(x)) + __float2half(0.5f);
    const nv_bfloat162 v = d_pairs[threadIdx.x];
    d_pairs[threadIdx.x] = __hadd2(v * v, __shfl_xor_sync(0xffffffffu, v, 1));
    atomicAdd(d_half, x);
    if (x < half(1) && __hgt(v.x, v.y)) d_half[0] = __low2float(v);
}

__global__ void product(const half* d_a, const half* d_b, float* d_c) {
    namespace wmma = nvcuda::wmma;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2];
    wmma::fill_fragment(sums[0], 0.0f);
    wmma::load_matrix_sync(a, d_a, 16);
    wmma::load_matrix_sync(b, d_b, 16);
    wmma::mma_sync(sums[0], a, b, sums[0]);
    for (int i = 0; i < sums[0].num_elements; ++i) sums[0].x[i] *= 2;
    wmma::store_matrix_sync(d_c, sums[0], 16, wmma::mem_row_major);
}
