// fault: async-race; line: 16; with: 14
// The event that the host waits for stands before the copy.
#include "host.h"
int main() {
    int *h, *d;
    cudaStream_t stream;
    cudaEvent_t done;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&done));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaEventRecord(done, stream));
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaEventSynchronize(done));
    if (h[0] != 1) std::puts("wrong");
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return 0;
}
