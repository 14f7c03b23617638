// Lesson 09 on a real H200: what stands in the buffer before the wait, in 1000 runs; pinned, then pageable.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
__global__ void answer(int* d_value) { *d_value = 42; }
int main() {
    int *h_value, *d_value;
    cudaMallocHost(&h_value, sizeof(int)); cudaMalloc(&d_value, sizeof(int));
    cudaStream_t stream; cudaStreamCreate(&stream);
    int old_values = 0, pageable_old = 0;
    std::vector<int> out(1, 0);
    for (int run = 0; run < 1000; ++run) {
        *h_value = 0; cudaMemset(d_value, 0, sizeof(int)); cudaDeviceSynchronize();
        answer<<<1, 1, 0, stream>>>(d_value);
        cudaMemcpyAsync(h_value, d_value, sizeof(int), cudaMemcpyDeviceToHost, stream);
        old_values += *(volatile int*)h_value == 0;
        cudaStreamSynchronize(stream);
        out[0] = 0; cudaMemset(d_value, 0, sizeof(int)); cudaDeviceSynchronize();
        answer<<<1, 1, 0, stream>>>(d_value);
        cudaMemcpyAsync(out.data(), d_value, sizeof(int), cudaMemcpyDeviceToHost, stream);
        pageable_old += *(volatile int*)out.data() == 0;
        cudaStreamSynchronize(stream);
    }
    printf("pinned: the old value before the wait in %d of 1000 runs; pageable: %d\n", old_values, pageable_old);
}
