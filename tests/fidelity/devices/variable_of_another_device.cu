// fault: wrong-device; line: 10; with: 6
// devices: 2
// Each device has a copy of the variable; the pointer is to that of device 0.
#include "devices.h"

__device__ int totals[n];

__global__ void raise(int* x) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] += 1;
}

int main() {
    void* address;
    CHECK(cudaGetSymbolAddress(&address, totals));
    CHECK(cudaSetDevice(1));
    raise<<<1, n>>>(static_cast<int*>(address));
    CHECK(cudaDeviceSynchronize());
    return say(true);
}
