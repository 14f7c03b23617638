// fault: barrier-divergence; line: 7
#include "groups.h"

__global__ void lower_half(int* x) {
    const auto grid = cg::this_grid();
    x[grid.thread_rank()] = 1;
    if (blockIdx.x < 2) grid.sync();
    x[grid.thread_rank()] += 1;
}

int main() {
    int* d_x;
    CHECK(cudaMalloc(&d_x, 128 * sizeof(int)));
    void* arguments[] = {&d_x};
    CHECK(cudaLaunchCooperativeKernel((void*)lower_half, 4, 32, arguments));
    cudaDeviceSynchronize();
    return 0;
}
