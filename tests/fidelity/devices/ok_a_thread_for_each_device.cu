// correct
// devices: 4
// The current device belongs to the host thread; a new thread begins with device 0.
#include "devices.h"

void work(int device, int* h, bool* right) {
    int now = -1;
    int* d;
    CHECK(cudaGetDevice(&now));
    *right = now == 0;
    CHECK(cudaSetDevice(device));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n>>>(d, device + 1);
    CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
}

int main() {
    bool begins_right[4] = {};
    std::vector<int> h(4 * n);
    std::vector<std::thread> threads;
    CHECK(cudaSetDevice(2));
    for (int k = 0; k < 4; ++k) threads.emplace_back(work, k, h.data() + k * n, &begins_right[k]);
    for (std::thread& t : threads) t.join();
    int now = -1;
    CHECK(cudaGetDevice(&now));
    bool right = now == 2;
    for (int k = 0; k < 4; ++k) right = right && begins_right[k] && holds(h.data() + k * n, k + 1, 0);
    return say(right);
}
