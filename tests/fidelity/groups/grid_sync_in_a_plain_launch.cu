// fault: trap; line: 7
#include "groups.h"

__global__ void meet(int* x) {
    const auto grid = cg::this_grid();
    x[grid.thread_rank()] = 1;
    grid.sync();
    x[grid.thread_rank()] += 1;
}

int main() {
    int* d_x;
    CHECK(cudaMalloc(&d_x, 64 * sizeof(int)));
    meet<<<2, 32>>>(d_x);
    cudaDeviceSynchronize();
    return 0;
}
