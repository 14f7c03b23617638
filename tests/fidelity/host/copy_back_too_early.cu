// fault: stream-race; line: 12; with: 11
// The result is copied in a stream that does not wait for the kernel.
#include "host.h"
int main() {
    int *h, *d;
    cudaStream_t work, copies;
    CHECK(cudaStreamCreate(&work));
    CHECK(cudaStreamCreate(&copies));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n, 0, work>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, copies));
    CHECK(cudaStreamSynchronize(copies));
    CHECK(cudaStreamSynchronize(work));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(true);
}
