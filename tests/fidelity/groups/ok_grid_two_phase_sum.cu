// correct
// Sums of blocks, then the sum of the sums by the first block of the same launch.
#include "groups.h"

constexpr int n = 5000, threads = 128;

__global__ void sum(const int* in, int* of_blocks, int* total) {
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    __shared__ int of_warps[threads / 32];
    int mine = 0;
    for (auto i = grid.thread_rank(); i < n; i += grid.size()) mine += in[i];
    mine = cg::reduce(warp, mine, cg::plus<int>());
    if (warp.thread_rank() == 0) of_warps[warp.meta_group_rank()] = mine;
    cg::sync(block);
    if (block.thread_rank() == 0) {
        int all = 0;
        for (unsigned w = 0; w < warp.meta_group_size(); w++) all += of_warps[w];
        of_blocks[grid.block_rank()] = all;
    }
    grid.sync();
    if (grid.thread_rank() != 0) return;
    int all = 0;
    for (unsigned b = 0; b < grid.num_blocks(); b++) all += of_blocks[b];
    *total = all;
}

int main() {
    int in[n], got = 0, wanted = 0;
    for (int i = 0; i < n; i++) wanted += in[i] = i % 17;
    int *d_in, *d_of_blocks, *d_total;
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_of_blocks, 10 * sizeof(int)));
    CHECK(cudaMalloc(&d_total, sizeof(int)));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    void* arguments[] = {&d_in, &d_of_blocks, &d_total};
    CHECK(cudaLaunchCooperativeKernel(sum, 10, threads, arguments));
    CHECK(cudaMemcpy(&got, d_total, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_of_blocks));
    CHECK(cudaFree(d_total));
    return say(got == wanted);
}
