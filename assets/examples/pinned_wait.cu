// A pinned buffer, printed before and after the wait. cudaMemcpyAsync only queues the copy: what stands in the
// buffer before the wait is what stood there before.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* numbers, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) numbers[i] = 100 + i;
}

int main() {
    constexpr int n = 1 << 18;
    int *numbers, *d_numbers;
    cudaMallocHost(&numbers, n * sizeof(int));
    cudaMalloc(&d_numbers, n * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int i = 0; i < n; ++i) numbers[i] = -1;

    fill<<<(n + 255) / 256, 256, 0, stream>>>(d_numbers, n);
    cudaMemcpyAsync(numbers, d_numbers, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    std::printf("before the wait: %d\n", numbers[0]);
    cudaStreamSynchronize(stream);
    std::printf("after the wait:  %d\n", numbers[0]);

    cudaStreamDestroy(stream);
    cudaFree(d_numbers);
    cudaFreeHost(numbers);
}
