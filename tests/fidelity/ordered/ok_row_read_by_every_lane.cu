// correct
// A long row of blocks, each a warp, of which every lane reads what the block before has left.
#include "ordered.h"

__global__ void row(int* ends, volatile int* flags) {
    const int b = blockIdx.x;
    int before = 0;
    if (b > 0) {
        if (threadIdx.x == 0) {
            while (flags[b - 1] == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        before = ends[b - 1];
    }
    if (threadIdx.x == 0) ends[b] = before + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        flags[b] = 1;
    }
}

int main() {
    const int blocks = 400;
    int *ends = zeros<int>(blocks), *flags = zeros<int>(blocks);
    row<<<blocks, 32>>>(ends, flags);
    return verdict(fetch(ends, blocks)[blocks - 1] == blocks);
}
