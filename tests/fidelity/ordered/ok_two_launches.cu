// correct
// The next launch reads and overwrites what the one before wrote.
#include "ordered.h"

__global__ void step(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[n - 1 - i] = values[n - 1 - i] * 2 + 1;
}

__global__ void shift(const int* from, int* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[(i + 1) % n];
}

int main() {
    const int n = 300;
    int *a = zeros<int>(n), *b = zeros<int>(n);
    for (int r = 0; r < 4; ++r) {
        step<<<5, 64>>>(a, n);
        shift<<<5, 64>>>(a, b, n);
        shift<<<10, 32>>>(b, a, n);
    }
    return verdict(fetch(a, n) == std::vector<int>(n, 15));
}
