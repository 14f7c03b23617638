// correct
// Copies from and to pageable memory: the source may change at once, and the result is there at once.
#include "host.h"
int main() {
    static int h[n];
    int* d;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&d, bytes));
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    CHECK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream));
    for (int i = 0; i < n; ++i) h[i] = 0;
    add_one<<<1, n, 0, stream>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream));
    const bool right = holds(h, 1, 1);
    CHECK(cudaFree(d));
    return say(right);
}
