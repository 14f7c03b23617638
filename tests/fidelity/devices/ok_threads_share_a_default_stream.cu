// correct
// default-stream: legacy
// The same in the legacy default stream, which all threads share.
#include "devices.h"

int main() {
    int *d_in, *d_out;
    std::vector<int> h(n);
    CHECK(cudaMalloc(&d_in, bytes));
    std::thread other([=] { number<<<1, n>>>(d_in);
    });
    other.join();
    CHECK(cudaMalloc(&d_out, bytes));
    twice<<<1, n>>>(d_out, d_in);
    CHECK(cudaMemcpy(h.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return say(holds(h.data(), 2, 0));
}
