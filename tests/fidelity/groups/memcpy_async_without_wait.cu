// fault: shared-race; line: 8
#include "groups.h"

__global__ void turn(const int* in, int* out) {
    __shared__ int tile[64];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    out[block.thread_rank()] = tile[63 - block.thread_rank()];
}

int main() {
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, 64 * sizeof(int)));
    CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
    CHECK(cudaMemset(d_in, 0, 64 * sizeof(int)));
    turn<<<1, 64>>>(d_in, d_out);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
