// fault: barrier-divergence; line: 7
#include "groups.h"

__global__ void two_kinds(int* x) {
    const auto grid = cg::this_grid();
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        grid.sync();
    }
    x[grid.thread_rank()] = 1;
}

int main() {
    int* d_x;
    CHECK(cudaMalloc(&d_x, 128 * sizeof(int)));
    void* arguments[] = {&d_x};
    CHECK(cudaLaunchCooperativeKernel((void*)two_kinds, 2, 64, arguments));
    cudaDeviceSynchronize();
    return 0;
}
