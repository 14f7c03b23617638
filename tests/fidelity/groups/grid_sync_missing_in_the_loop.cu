// fault: global-race; line: 10
#include "groups.h"

__global__ void rounds(int* x) {
    const auto grid = cg::this_grid();
    const auto i = grid.thread_rank(), other = (i + 1) % grid.size();
    for (int round = 0; round < 3; round++) {
        const int seen = x[other];
        grid.sync();
        x[i] = seen + 1;
    }
}

int main() {
    int* d_x;
    CHECK(cudaMalloc(&d_x, 128 * sizeof(int)));
    CHECK(cudaMemset(d_x, 0, 128 * sizeof(int)));
    void* arguments[] = {&d_x};
    CHECK(cudaLaunchCooperativeKernel((void*)rounds, 4, 32, arguments));
    cudaDeviceSynchronize();
    return 0;
}
