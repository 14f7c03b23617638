// fault: shfl-mask; line: 8
#include "groups.h"

__global__ void neighbours(int* out) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int value = static_cast<int>(threadIdx.x);
    if (threadIdx.x % 2 == 0) {
        value = tile.shfl_down(value, 1);
    }
    tile.sync();
    out[threadIdx.x] = value;
}

int main() {
    int* d_out;
    CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
    neighbours<<<1, 32>>>(d_out);
    cudaDeviceSynchronize();
    return 0;
}
