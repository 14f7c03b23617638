// Lesson 16 on a GPU: what each step of the ladder reads a second at 2^28 numbers, beside a copy; how the last step's blocks
// and a few relatives of it do.
//   nvcc -std=c++20 -O3 -arch=sm_90 -I. tests/bench/reduction_rates.cu -o reduction_rates && ./reduction_rates
#include "solutions/16_reduction.cu"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr size_t n = size_t{1} << 28;

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(1);
}

// 0 to 6 in turn: whole numbers, so that a float's sum of a few thousand of them is exact.
template <class T>
__global__ void fill(T* d, size_t count) {
    const size_t stride = size_t{gridDim.x} * blockDim.x;
    for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) d[i] = T(i % 7);
}

double right_sum() {
    return double(n / 7) * 21 + double((n % 7) * (n % 7 - 1) / 2);
}

// `unroll` float4s a thread and round, each with a sum of its own.
template <int unroll, int size>
__global__ void __launch_bounds__(size) reduce_unrolled(const float* d_in, size_t count, float* d_sum) {
    __shared__ float of_warp[size / 32];
    const float4* d_four = reinterpret_cast<const float4*>(d_in);
    const size_t stride = size_t{gridDim.x} * size, fours = count / 4;
    size_t i = size_t{blockIdx.x} * size + threadIdx.x;
    float part[unroll] = {};
    for (; i + (unroll - 1) * stride < fours; i += unroll * stride) {
        float4 four[unroll];
#pragma unroll
        for (int k = 0; k < unroll; ++k) four[k] = d_four[i + k * stride];
#pragma unroll
        for (int k = 0; k < unroll; ++k) part[k] += (four[k].x + four[k].y) + (four[k].z + four[k].w);
    }
    float sum = 0;
    for (int k = 0; k < unroll; ++k) sum += part[k];
    for (; i < fours; i += stride) sum += (d_four[i].x + d_four[i].y) + (d_four[i].z + d_four[i].w);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(all_lanes, sum, step);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = threadIdx.x < size / 32 ? of_warp[threadIdx.x] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(all_lanes, sum, step);
    if (threadIdx.x == 0) atomicAdd(d_sum, sum);
}

// One number at a time.
__global__ void reduce_scalar(const float* d_in, size_t count, float* d_sum) {
    const size_t stride = size_t{gridDim.x} * blockDim.x;
    float sum = 0;
    for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) sum += d_in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(d_sum, sum);
}

// One atomic for each number, as lesson 12 would.
__global__ void reduce_atomics(const float* d_in, size_t count, float* d_sum) {
    const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(d_sum, d_in[i]);
}

// The median of `runs`, in milliseconds, after two to warm up.
template <class Work>
float median(Work work, int runs = 20) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    std::vector<float> took;
    for (int i = -2; i < runs; ++i) {
        check(cudaEventRecord(begin));
        work();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin, end));
        if (i >= 0) took.push_back(milliseconds);
    }
    check(cudaGetLastError());
    std::sort(took.begin(), took.end());
    return took[took.size() / 2];
}

// Times `sum`, which leaves its result in d_sum, and compares it with what is right.
template <class T, class Sum>
void rate(const char* name, const T* d_sum, Sum sum, int runs = 20) {
    const float took = median(sum, runs);
    T got;
    check(cudaMemcpy(&got, d_sum, sizeof(T), cudaMemcpyDeviceToHost));
    const double off = std::fabs(double(got) - right_sum()) / right_sum();
    std::printf("%-44s %8.3f ms  %7.1f GB/s  %s (off by %.1e)\n", name, took, n * sizeof(T) / took * 1e-6,
                off < 1e-4 ? "right" : "WRONG", off);
}

template <int unroll, int size>
void rate_unrolled(const float* d_in, float* d_sum, int sms) {
    for (const int threads_of_sm : {1024, 2048}) {
        const int blocks = sms * threads_of_sm / size;
        char name[80];
        std::snprintf(name, sizeof name, "float4 x %d, %d threads, %d blocks", unroll, size, blocks);
        rate(name, d_sum, [=] {
            check(cudaMemsetAsync(d_sum, 0, sizeof(float)));
            reduce_unrolled<unroll, size><<<blocks, size>>>(d_in, n, d_sum);
        });
    }
}

void rate_ladder(const int* d_in, int* d_sum) {
    using Step = int (*)(const int*, int, int*);
    const std::pair<const char*, Step> steps[] = {{"interleaved", sum_interleaved},
                                                  {"packed", sum_packed},
                                                  {"sequential", sum_sequential},
                                                  {"first add", sum_first_add},
                                                  {"shuffled", sum_shuffled}};
    for (const auto& [name, step] : steps) rate(name, d_sum, [=, run = step] { run(d_in, int(n), d_sum); });
}

}  // namespace

int main() {
    int sms = 0;
    check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    void *d_numbers, *d_copy, *d_result;
    check(cudaMalloc(&d_numbers, n * sizeof(float)));
    check(cudaMalloc(&d_copy, n * sizeof(float)));
    check(cudaMalloc(&d_result, sizeof(float)));
    fill<<<4096, 256>>>(static_cast<int*>(d_numbers), n);
    rate_ladder(static_cast<int*>(d_numbers), static_cast<int*>(d_result));

    auto* d_in = static_cast<float*>(d_numbers);
    auto* d_sum = static_cast<float*>(d_result);
    fill<<<4096, 256>>>(d_in, n);
    for (const int of_sm : {1, 2, 4, 8, 16, 32, 64, 256}) {
        char name[80];
        std::snprintf(name, sizeof name, "grid stride, %d blocks (%d a multiprocessor)", of_sm * sms, of_sm);
        rate(name, d_sum, [=] { sum_grid_stride(d_in, 0, n, d_sum, of_sm * sms); });
    }
    for (const int of_sm : {8, 32, 256}) {
        char name[80];
        std::snprintf(name, sizeof name, "one float at a time, %d blocks", of_sm * sms);
        rate(name, d_sum, [=] {
            check(cudaMemsetAsync(d_sum, 0, sizeof(float)));
            reduce_scalar<<<of_sm * sms, threads>>>(d_in, n, d_sum);
        });
    }
    rate_unrolled<1, 512>(d_in, d_sum, sms);
    rate_unrolled<2, 256>(d_in, d_sum, sms);
    rate_unrolled<4, 256>(d_in, d_sum, sms);
    rate_unrolled<4, 512>(d_in, d_sum, sms);
    rate_unrolled<8, 256>(d_in, d_sum, sms);
    rate_unrolled<4, 1024>(d_in, d_sum, sms);
    std::printf(
        "(one atomic a number, one run: floats that large drop what is added, so its sum is wrong)\n");
    rate(
        "one atomic for each number", d_sum,
        [=] {
            check(cudaMemsetAsync(d_sum, 0, sizeof(float)));
            reduce_atomics<<<n / 256, 256>>>(d_in, n, d_sum);
        },
        3);
    const float copy = median(
        [&] { check(cudaMemcpyAsync(d_copy, d_numbers, n * sizeof(float), cudaMemcpyDeviceToDevice)); });
    std::printf("copy, device to device: %.3f ms, %.1f GB/s read and written\n", copy,
                2 * n * sizeof(float) / copy * 1e-6);
    return 0;
}
