// correct
// Tiles of 8 threads turn their part of shared memory round, each for itself.
#include "groups.h"

__global__ void turn(int* out) {
    __shared__ int part[64];
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const unsigned first = tile.meta_group_rank() * tile.size(), me = tile.thread_rank();
    for (int round = 0; round < 3; round++) {
        part[first + me] = round * 100 + static_cast<int>(me);
        tile.sync();
        out[first + me] = part[first + 7 - me];
        tile.sync();
    }
}

int main() {
    int out[64], *d_out;
    CHECK(cudaMalloc(&d_out, sizeof out));
    turn<<<1, 64>>>(d_out);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_out));
    bool right = true;
    for (int i = 0; i < 64; i++) right = right && out[i] == 207 - i % 8;
    return say(right);
}
