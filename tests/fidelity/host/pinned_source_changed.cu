// fault: async-race; line: 12; with: 11
// The host fills the pinned buffer with the next input while the copy of the last one may still read it.
#include "host.h"
int main() {
    int *h, *d;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    CHECK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream));
    for (int i = 0; i < n; ++i) h[i] = 0;
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(true);
}
