// fault: barrier-divergence; line: 7
#include "groups.h"

__global__ void lower_half(int* out) {
    const auto block = cg::this_thread_block();
    if (block.thread_rank() < 32) {
        block.sync();
    }
    out[threadIdx.x] = 1;
}

int main() {
    int* d_out;
    CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
    lower_half<<<1, 64>>>(d_out);
    cudaDeviceSynchronize();
    return 0;
}
