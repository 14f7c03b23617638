// correct
// devices: 2
// Device 1 reads the memory of device 0 in place, in the order that an event gives.
#include "devices.h"

int main() {
    int *d_in, *d_out, can = 0;
    cudaEvent_t ready;
    std::vector<int> h(n);
    CHECK(cudaDeviceCanAccessPeer(&can, 1, 0));
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    number<<<1, n>>>(d_in);
    CHECK(cudaEventRecord(ready));
    CHECK(cudaSetDevice(1));
    CHECK(cudaDeviceEnablePeerAccess(0, 0));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaStreamWaitEvent(0, ready, 0));
    twice<<<1, n>>>(d_out, d_in);
    CHECK(cudaMemcpy(h.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceDisablePeerAccess(0));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return say(can == 1 && holds(h.data(), 2, 0));
}
