// fault: uninit-local; line: 7
// A function sums an array that its caller filled but for the last element.
#include "tricky.h"

__device__ int sum(const int* values, int n) {
    int total = 0;
    for (int i = 0; i < n; ++i) total += values[i];
    return total;
}
__global__ void run(int* out, int n) {
    int mine[8];
    for (int i = 0; i < n - 1; ++i) mine[i] = i;
    out[threadIdx.x] = sum(mine, n);
}

int main() {
    int* out = zeros<int>(32);
    run<<<1, 32>>>(out, 8);
    return verdict(true);
}
