// correct
#include "host.h"
int main() {
    int *h, *d;
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream));
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {
    }
    const bool right = holds(h, 1, 0);
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(right);
}
