// correct
// Whole warps return before a barrier that the others use, which CUDA has allowed since compute capability 7.0.
#include "tricky.h"

__global__ void half(int* out) {
    __shared__ int s[32];
    if (threadIdx.x >= 32) return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}

int main() {
    int* out = zeros<int>(32);
    half<<<1, 64>>>(out);
    return verdict(fetch(out, 32)[0] == 31);
}
