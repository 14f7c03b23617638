// correct
// Lane 0 tells lane 1, lane 1 tells lane 2: each pair by a mask of two lanes.
#include "ordered.h"

__global__ void pass_on(int* out) {
    __shared__ int s;
    const int t = threadIdx.x;
    if (t == 0) {
        s = 5;
        __syncwarp(0x3);
    } else if (t == 1) {
        __syncwarp(0x3);
        __syncwarp(0x6);
    } else if (t == 2) {
        __syncwarp(0x6);
        *out = s;
    }
}

int main() {
    int* out = zeros<int>(1);
    pass_on<<<1, 32>>>(out);
    return verdict(fetch(out, 1)[0] == 5);
}
