// fault: wrong-device; line: 9; with: 16
// devices: 2
// Peer access does not count for memory of a pool: the pool itself gives access.
#include "devices.h"

__global__ void change(int* x) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    x[i] = i;
}

int main() {
    int* d;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocAsync(&d, bytes, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaSetDevice(1));
    CHECK(cudaDeviceEnablePeerAccess(0, 0));
    change<<<1, n>>>(d);
    CHECK(cudaDeviceSynchronize());
    return say(true);
}
