// correct
// One warp polls for another block; a __syncthreads then lets all of its block read.
#include "ordered.h"

__global__ void pass(int* data, int* flag, int* out) {
    if (blockIdx.x == 0) {
        for (int i = threadIdx.x; i < 256; i += blockDim.x) data[i] = i ^ 5;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
        return;
    }
    if (threadIdx.x == 33) {
        while (atomicCAS(flag, 1, 1) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) out[i] = data[255 - i];
}

int main() {
    int *data = zeros<int>(256), *flag = zeros<int>(1), *out = zeros<int>(256);
    pass<<<2, 96>>>(data, flag, out);
    const auto got = fetch(out, 256);
    bool right = true;
    for (int i = 0; i < 256; ++i) right = right && got[i] == ((255 - i) ^ 5);
    return verdict(right);
}
