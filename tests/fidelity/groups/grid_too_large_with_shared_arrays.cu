// fault: launch-config; line: 17
#include "groups.h"

// Only four blocks with so much shared memory are on a multiprocessor of an H200 at once.
__global__ void fill(int* x) {
    __shared__ int part[12000];
    part[threadIdx.x] = 1;
    cg::this_grid().sync();
    x[cg::this_grid().thread_rank()] = part[threadIdx.x];
}

int main() {
    const int blocks = 600;
    int* d_x;
    CHECK(cudaMalloc(&d_x, blocks * 32 * sizeof(int)));
    void* arguments[] = {&d_x};
    cudaLaunchCooperativeKernel((void*)fill, blocks, 32, arguments);
    cudaDeviceSynchronize();
    return 0;
}
