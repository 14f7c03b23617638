// fault: global-race; line: 7
#include "groups.h"

__global__ void turn(int* x, int* out) {
    const auto grid = cg::this_grid();
    const auto i = grid.thread_rank(), other = grid.size() - 1 - i;
    x[i] = static_cast<int>(i);
    out[i] = x[other];
    grid.sync();
}

int main() {
    int *d_x, *d_out;
    CHECK(cudaMalloc(&d_x, 128 * sizeof(int)));
    CHECK(cudaMalloc(&d_out, 128 * sizeof(int)));
    void* arguments[] = {&d_x, &d_out};
    CHECK(cudaLaunchCooperativeKernel((void*)turn, 4, 32, arguments));
    cudaDeviceSynchronize();
    return 0;
}
