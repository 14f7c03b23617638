// fault: stream-race; line: 10; with: 9
// cudaMemset in the default stream does not wait, and a non-blocking stream does not wait for it.
#include "host.h"
int main() {
    int* d;
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMemset(d, 0, bytes));
    add_one<<<1, n, 0, stream>>>(d);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    return say(true);
}
