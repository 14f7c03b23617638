// fault: launch-config; line: 19
// devices: 2
// A kernel's attributes are set for the current device alone.
#include "devices.h"

extern __shared__ int big[];

__global__ void through_shared(int* out) {
    big[threadIdx.x] = static_cast<int>(threadIdx.x) + 1;
    out[threadIdx.x] = big[threadIdx.x];
}

int main() {
    int* d;
    constexpr int wanted = 100 * 1024;
    CHECK(cudaFuncSetAttribute(through_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, wanted));
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&d, bytes));
    through_shared<<<1, n, wanted>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return say(true);
}
