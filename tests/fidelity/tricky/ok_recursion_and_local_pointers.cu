// correct
// Local arrays go down a recursion by pointer, and each depth has its own.
#include "tricky.h"

__device__ int fill(int* to, int n, int depth) {
    int here[4] = {depth, depth, depth, depth};
    for (int i = 0; i < n; ++i) to[i] += here[i % 4];
    return depth == 0 ? to[0] : fill(to, n, depth - 1) + here[3];
}

__global__ void run(int* out) {
    int mine[6] = {};
    out[threadIdx.x] = fill(mine, 6, threadIdx.x % 5);
}

int main() {
    int* out = zeros<int>(32);
    run<<<1, 32>>>(out);
    return verdict(fetch(out, 32)[4] == 10 + 10);
}
