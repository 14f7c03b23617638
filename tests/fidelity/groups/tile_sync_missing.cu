// fault: warp-race; line: 8
#include "groups.h"

__global__ void turn(int* out) {
    __shared__ int part[32];
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    part[threadIdx.x] = static_cast<int>(threadIdx.x);
    out[threadIdx.x] = part[threadIdx.x / 8 * 8 + 7 - tile.thread_rank()];
}

int main() {
    int* d_out;
    CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
    turn<<<1, 32>>>(d_out);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
