// fault: stream-race; line: 15; with: 14
// default-stream: per-thread
// cudaMemcpy is in the thread's default stream, too: it does not wait for a non-blocking stream, nor for another thread's.
#include "devices.h"

int main() {
    int* d;
    std::vector<int> h(n);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMemset(d, 0, bytes));
    CHECK(cudaDeviceSynchronize());
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaMemcpy(h.data(), d, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    return say(true);
}
