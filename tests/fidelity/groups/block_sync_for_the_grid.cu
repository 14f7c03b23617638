// fault: global-race; line: 7
#include "groups.h"

__global__ void turn(int* x, int* out) {
    const auto block = cg::this_thread_block();
    const int n = static_cast<int>(gridDim.x * blockDim.x), i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    x[i] = i;
    block.sync();
    out[i] = x[n - 1 - i];
}

int main() {
    int *d_x, *d_out;
    CHECK(cudaMalloc(&d_x, 128 * sizeof(int)));
    CHECK(cudaMalloc(&d_out, 128 * sizeof(int)));
    turn<<<4, 32>>>(d_x, d_out);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
