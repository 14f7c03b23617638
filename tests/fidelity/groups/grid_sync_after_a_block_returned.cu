// fault: barrier-divergence; line: 9
#include "groups.h"

__global__ void guarded(int* x, int* out, int n) {
    const auto grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
    if (i >= n) return;
    x[i] = i;
    grid.sync();
    out[i] = x[n - 1 - i];
}

int main() {
    int *d_x, *d_out, n = 90;
    CHECK(cudaMalloc(&d_x, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    void* arguments[] = {&d_x, &d_out, &n};
    CHECK(cudaLaunchCooperativeKernel((void*)guarded, 4, 32, arguments));
    cudaDeviceSynchronize();
    return 0;
}
