// correct
// devices: 3
// A copy between two devices in the default stream waits for what either was told before, and they for it.
#include "devices.h"

int main() {
    int *d_a, *d_b, *d_c;
    std::vector<int> h(n);
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaSetDevice(2));
    CHECK(cudaMalloc(&d_c, bytes));
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&d_a, bytes));
    number<<<1, n>>>(d_a);
    CHECK(cudaMemcpyPeer(d_b, 1, d_a, 0, bytes));
    CHECK(cudaSetDevice(1));
    add_one<<<1, n>>>(d_b);
    CHECK(cudaMemcpy(d_c, d_b, bytes, cudaMemcpyDefault));
    CHECK(cudaSetDevice(2));
    add_one<<<1, n>>>(d_c);
    CHECK(cudaMemcpy(h.data(), d_c, bytes, cudaMemcpyDeviceToHost));
    return say(holds(h.data(), 1, 2));
}
