// fault: warp-race; line: 10
// The mask of __syncwarp leaves out the lanes whose values are read.
#include "ordered.h"

__global__ void swap_halves(int* out) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = t;
    __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
    out[t] = s[t ^ 16];
}

int main() {
    int* out = zeros<int>(32);
    swap_halves<<<1, 32>>>(out);
    return verdict(fetch(out, 32)[3] == 19);
}
