// fault: shfl-mask; line: 8
// Half of the lanes have returned, and the others name all 32 in the mask.
#include "tricky.h"

__global__ void sum(int* out) {
    int value = threadIdx.x;
    if (threadIdx.x >= 16) return;
    value += __shfl_down_sync(0xffffffff, value, 8);
    out[threadIdx.x] = value;
}

int main() {
    int* out = zeros<int>(32);
    sum<<<1, 32>>>(out);
    return verdict(true);
}
