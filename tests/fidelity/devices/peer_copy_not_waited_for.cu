// fault: stream-race; line: 17; with: 15
// devices: 2
// The copy is in a stream of device 0, the kernel that reads what it brings in one of device 1.
#include "devices.h"

int main() {
    int *d_from, *d_to, *d_out;
    cudaStream_t copies;
    CHECK(cudaStreamCreate(&copies));
    CHECK(cudaMalloc(&d_from, bytes));
    number<<<1, n, 0, copies>>>(d_from);
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&d_to, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpyPeerAsync(d_to, 1, d_from, 0, bytes, copies));

    twice<<<1, n>>>(d_out, d_to);
    CHECK(cudaStreamSynchronize(copies));
    CHECK(cudaDeviceSynchronize());
    return say(true);
}
