// correct
// default-stream: per-thread
// cudaStreamLegacy is still there, and waits for the threads' default streams, as they do for it.
#include "devices.h"

int main() {
    int *d, *d_out;
    std::vector<int> h(n);
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    std::thread other([=] { number<<<1, n>>>(d); });
    other.join();
    twice<<<1, n, 0, cudaStreamLegacy>>>(d_out, d);
    CHECK(cudaMemcpy(h.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    return say(holds(h.data(), 2, 0));
}
