// correct
// Each half of a warp synchronises by a mask of its own.
#include "ordered.h"

__global__ void halves(int* out) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    const unsigned mask = t < 16 ? 0x0000ffffu : 0xffff0000u;
    s[t] = t;
    __syncwarp(mask);
    const int partner = t < 16 ? 15 - t : 47 - t;
    out[t] = s[partner];
}

int main() {
    int* out = zeros<int>(32);
    halves<<<1, 32>>>(out);
    const auto got = fetch(out, 32);
    bool right = true;
    for (int t = 0; t < 32; ++t) right = right && got[t] == (t < 16 ? 15 - t : 47 - t);
    return verdict(right);
}
