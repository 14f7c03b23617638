// correct
// All read a neighbour's element before the barrier, and write their own after it.
#include "ordered.h"

__global__ void shift(int* values, int rounds) {
    const int t = threadIdx.x, n = blockDim.x;
    for (int r = 0; r < rounds; ++r) {
        const int v = values[blockIdx.x * n + (t + 1) % n];
        __syncthreads();
        values[blockIdx.x * n + t] = v;
        __syncthreads();
    }
}

int main() {
    std::vector<int> start(4 * 100);
    for (int i = 0; i < 400; ++i) start[i] = i % 100;
    int* values = upload(start);
    shift<<<4, 100>>>(values, 3);
    const auto got = fetch(values, 400);
    bool right = true;
    for (int i = 0; i < 400; ++i) right = right && got[i] == (i % 100 + 3) % 100;
    return verdict(right);
}
