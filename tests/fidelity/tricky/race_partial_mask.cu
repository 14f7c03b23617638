// fault: warp-race; line: 11; with: 7
// __syncwarp of the lower half orders nothing for what the upper half has written.
#include "tricky.h"

__global__ void pass(int* out) {
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 16) {
        __syncwarp(0x0000ffff);
        // Lane 0 reads what lane 31 wrote.
        out[threadIdx.x] = s[31 - threadIdx.x];
    }
}

int main() {
    int* out = zeros<int>(32);
    pass<<<1, 32>>>(out);
    return verdict(true);
}
