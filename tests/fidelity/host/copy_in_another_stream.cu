// fault: stream-race; line: 14; with: 13
// The input arrives in one stream, and the kernel that reads it runs in another.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    cudaStream_t copies, kernels;
    CHECK(cudaStreamCreate(&copies));
    CHECK(cudaStreamCreate(&kernels));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    CHECK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, copies));
    twice<<<1, n, 0, kernels>>>(d_out, d);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return say(true);
}
