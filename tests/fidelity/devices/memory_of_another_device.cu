// fault: wrong-device; line: 9; with: 14
// devices: 2
// The buffer is allocated before the device is chosen that runs the kernel.
#include "devices.h"

__global__ void halve(int* x) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    x[i] /= 2;
}

int main() {
    int* d;
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMemset(d, 0, bytes));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(1));
    halve<<<1, n>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return say(true);
}
