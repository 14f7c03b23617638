// fault: async-race; line: 13; with: 12
// The C library's memcpy reads the pinned buffer before the copy into it is done.
#include "host.h"
int main() {
    static int result[n];
    int *h, *d;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream));
    std::memcpy(result, h, bytes);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(true);
}
