// fault: stream-race; line: 14; with: 11
// devices: 2
// Each device has a default stream of its own: nothing makes the second kernel wait for the first.
#include "devices.h"

int main() {
    int *d_in, *d_out, *h;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaDeviceSynchronize());
    number<<<1, n>>>(d_in);
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&d_out, bytes)); CHECK(cudaDeviceEnablePeerAccess(0, 0));
    twice<<<1, n>>>(d_out, d_in);
    CHECK(cudaMemcpy(h, d_out, bytes, cudaMemcpyDeviceToHost));
    return say(true);
}
