// A strided read on one GPU: 2^26 threads, each reads one float at i * stride, for strides 1, 2, 4, 8, 16, 32 (8 GiB), and offset 1. Prints ms (median of 9), GB/s of wanted bytes.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void read_kernel(const float* d_in, float* d_out, size_t n, size_t stride, size_t offset) {
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    float value = d_in[offset + i * stride];
    if (value == 12345.0f) d_out[0] = value;  // never: the read stays, nothing is written
}

static float median_ms(size_t n, size_t stride, size_t offset, const float* d_in, float* d_out) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<float> times;
    for (int k = 0; k < 10; ++k) {
        cudaEventRecord(begin);
        read_kernel<<<unsigned((n + 255) / 256), 256>>>(d_in, d_out, n, stride, offset);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        if (k > 0) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

int main() {
    const size_t n = size_t(1) << 26;  // 256 MiB wanted; at stride 32 the array is 8 GiB
    float *d_in, *d_out;
    if (cudaMalloc(&d_in, (n * 32 + 64) * sizeof(float)) != cudaSuccess) return 1;
    cudaMalloc(&d_out, sizeof(float));
    cudaMemset(d_in, 0, (n * 32 + 64) * sizeof(float));
    for (size_t stride : {1, 2, 4, 8, 16, 32}) {
        float ms = median_ms(n, stride, 0, d_in, d_out);
        printf("stride %2zu: %.3f ms, %.0f GB/s wanted\n", stride, ms, n * 4.0 / ms / 1e6);
    }
    float ms = median_ms(n, 1, 1, d_in, d_out);
    printf("offset 1, stride 1: %.3f ms, %.0f GB/s wanted\n", ms, n * 4.0 / ms / 1e6);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
