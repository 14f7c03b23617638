// fault: async-race; line: 15; with: 12
// devices: 2
// cudaDeviceSynchronize waits for the current device, which the kernel does not run on.
#include "devices.h"

int main() {
    int* h;
    CHECK(cudaMallocHost(&h, bytes));
    std::memset(h, 0, bytes);
    CHECK(cudaSetDevice(1));
    CHECK(cudaDeviceSynchronize());
    number<<<1, n>>>(h);
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceSynchronize());
    const bool right = h[n - 1] == n;
    return say(right);
}
