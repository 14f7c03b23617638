// correct
// Lanes swap values through shared memory with __syncwarp between.
#include "ordered.h"

__global__ void reverse(int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x, base = t / 32 * 32;
    for (int round = 0; round < 3; ++round) {
        s[t] = round * 100 + t;
        __syncwarp();
        const int got = s[base + 31 - t % 32];
        __syncwarp();
        out[round * 64 + t] = got;
    }
}

int main() {
    int* out = zeros<int>(3 * 64);
    reverse<<<1, 64>>>(out);
    const auto got = fetch(out, 3 * 64);
    bool right = true;
    for (int i = 0; i < 3 * 64; ++i) right = right && got[i] == i / 64 * 100 + i % 64 / 32 * 32 + 31 - i % 32;
    return verdict(right);
}
