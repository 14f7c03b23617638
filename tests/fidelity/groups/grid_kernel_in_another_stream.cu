// fault: stream-race; line: 29
#include "groups.h"

__global__ void rounds(int* x) {
    const auto grid = cg::this_grid();
    for (int round = 0; round < 5; round++) {
        x[(grid.thread_rank() + round) % grid.size()] = round;
        grid.sync();
    }
}

__global__ void read_all(const int* x, int* out) {
    out[threadIdx.x] = x[threadIdx.x];
}

int main() {
    int *d_x, *d_out;
    CHECK(cudaMalloc(&d_x, 64 * sizeof(int)));
    CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
    CHECK(cudaMemset(d_x, 0, 64 * sizeof(int)));
    cudaStream_t first, second;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreate(&second));
    CHECK(cudaDeviceSynchronize());
    void* arguments[] = {&d_x};
    void* more[] = {&d_x, &d_out};
    CHECK(cudaLaunchCooperativeKernel((void*)rounds, 2, 32, arguments, 0, first));
    // No event: the second stream does not wait for the first.
    CHECK(cudaLaunchKernel((void*)read_all, 1, 64, more, 0, second));
    CHECK(cudaDeviceSynchronize());
    return 0;
}
