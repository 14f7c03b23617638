// What a card reaches when it does nothing else: the ceilings that an exercise's times stand beside. Compiled and run
// once a card by `cudalab grade --backend cuda`. Prints two lines:
//   copy BYTES        a second, read and written, of a copy within device memory (1 GiB, or what there is room for)
//   product FLOPS     a second, of the FP32 product of two 4096 x 4096 matrices by cuBLAS; TF32 is off, as it is by
//                     default. Only with -DWITH_CUBLAS
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>
#ifdef WITH_CUBLAS
#include <cublas_v2.h>
#endif

namespace {

// Seconds of one call: the median of 20, after 3 that warm up.
template <class Call>
double seconds_of(Call call) {
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    std::vector<float> times;
    for (int i = 0; i < 23; ++i) {
        cudaEventRecord(from);
        call();
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, from, to);
        if (i >= 3) times.push_back(milliseconds);
    }
    cudaEventDestroy(from);
    cudaEventDestroy(to);
    std::sort(times.begin(), times.end());
    return times[times.size() / 2] / 1000.0;
}

void measure_copy() {
    size_t bytes = size_t{1} << 30;
    char *source = nullptr, *target = nullptr;
    while (bytes > (1 << 20) &&
           (cudaMalloc(&source, bytes) != cudaSuccess || cudaMalloc(&target, bytes) != cudaSuccess)) {
        cudaFree(source);
        source = nullptr;
        bytes /= 2;
        cudaGetLastError();
    }
    cudaMemset(source, 1, bytes);
    const double seconds =
        seconds_of([&] { cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice); });
    if (cudaDeviceSynchronize() == cudaSuccess) std::printf("copy %.6g\n", 2.0 * double(bytes) / seconds);
    cudaFree(source);
    cudaFree(target);
}

#ifdef WITH_CUBLAS
void measure_product() {
    const int n = 4096;
    const size_t bytes = sizeof(float) * n * n;
    float *a = nullptr, *b = nullptr, *c = nullptr;
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return;
    if (cudaMalloc(&a, bytes) != cudaSuccess || cudaMalloc(&b, bytes) != cudaSuccess ||
        cudaMalloc(&c, bytes) != cudaSuccess)
        return;
    const std::vector<float> ones(size_t{n} * n, 0.5f);
    cudaMemcpy(a, ones.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, ones.data(), bytes, cudaMemcpyHostToDevice);
    const float one = 1, zero = 0;
    const double seconds = seconds_of(
        [&] { cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n); });
    if (cudaDeviceSynchronize() == cudaSuccess) std::printf("product %.6g\n", 2.0 * n * n * n / seconds);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cublasDestroy(handle);
}
#endif

}  // namespace

int main() {
    measure_copy();
#ifdef WITH_CUBLAS
    measure_product();
#endif
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
