// fault: async-race; line: 40; with: 12
// The host waits, but for the wrong stream.
#include "host.h"
int main() {
    int *h, *d;
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n, 0, a>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, a));
    CHECK(cudaStreamSynchronize(b));
    const bool right = holds(h, 1, 0);
    CHECK(cudaStreamSynchronize(a));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(right);
}
