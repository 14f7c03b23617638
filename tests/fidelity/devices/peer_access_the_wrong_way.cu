// fault: wrong-device; line: 8; with: 13
// devices: 2
// Device 0 may reach device 1's memory, and it is device 1 that reaches for device 0's.
#include "devices.h"

__global__ void sum_of(int* out, const int* in) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = out[i] + in[i];
}

int main() {
    int *d_near, *d_far;
    CHECK(cudaMalloc(&d_far, bytes));
    number<<<1, n>>>(d_far);
    CHECK(cudaDeviceEnablePeerAccess(1, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&d_near, bytes));
    number<<<1, n>>>(d_near);
    sum_of<<<1, n>>>(d_near, d_far);
    CHECK(cudaDeviceSynchronize());
    return say(true);
}
