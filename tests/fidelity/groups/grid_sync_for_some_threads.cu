// fault: barrier-divergence; line: 7
#include "groups.h"

__global__ void first_half(int* x) {
    const auto grid = cg::this_grid();
    x[grid.thread_rank()] = 1;
    if (threadIdx.x < 16) grid.sync();
}

int main() {
    int* d_x;
    CHECK(cudaMalloc(&d_x, 128 * sizeof(int)));
    void* arguments[] = {&d_x};
    CHECK(cudaLaunchCooperativeKernel((void*)first_half, 4, 32, arguments));
    cudaDeviceSynchronize();
    return 0;
}
