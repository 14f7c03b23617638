// Lesson 14: groups of threads, with names.
//
// Add up a tile of a warp, let those who happen to be in a branch act as one, and let a whole grid wait for itself. The
// four places marked TODO are yours. Save after each; the verdict says what to mend next.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "lessons/14_cooperative_groups/interface.h"

namespace cg = cooperative_groups;

// [tile_sum]
// What the threads of a tile bring, added up. The first thread of the tile has the sum; what the others have is open.
template <class Tile>
__device__ int tile_sum(const Tile& tile, int value) {
    // >>> TODO: (1) a tree of tile.shfl_down, as in lesson 13. How many steps does it take, for a tile of any size?
    for (int step = tile.num_threads() / 2; step > 0; step /= 2) {
        value += tile.shfl_down(value, step);
    }
    return value;
    // ===
    //| return value;
    // <<<
}
// [/tile_sum]

// [sums]
// One number a thread, one sum a tile.
template <int size>
__global__ void sums_kernel(const int* d_in, int n, int* d_sums) {
    auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    int i = cg::this_grid().thread_rank();
    // >>> TODO: (1) add up the tile's numbers; one thread of it writes its sum. n may end within a tile.
    int sum = tile_sum(tile, i < n ? d_in[i] : 0);
    if (tile.thread_rank() == 0 && i < n) d_sums[i / size] = sum;
    // <<<
}
// [/sums]

extern "C" int sum_tiles(const int* d_in, int n, int tile_size, int* d_sums) {
    constexpr int threads = 128;
    const int blocks = (n + threads - 1) / threads;
    if (tile_size == 4) sums_kernel<4><<<blocks, threads>>>(d_in, n, d_sums);
    if (tile_size == 8) sums_kernel<8><<<blocks, threads>>>(d_in, n, d_sums);
    if (tile_size == 16) sums_kernel<16><<<blocks, threads>>>(d_in, n, d_sums);
    if (tile_size == 32) sums_kernel<32><<<blocks, threads>>>(d_in, n, d_sums);
    return cudaGetLastError();
}

// [peaks]
// Lists the cells that topple, and leaves no gaps.
__global__ void peaks_kernel(const int* d_pile, int n, int* d_peaks, int* d_count) {
    int i = cg::this_grid().thread_rank();
    if (i < n && d_pile[i] > most_grains) {
        // >>> TODO: (2) those who are here form a group. One of them reserves room for all; each stores its i.
        cg::coalesced_group here = cg::coalesced_threads();
        int first = 0;
        if (here.thread_rank() == 0) first = atomicAdd(d_count, here.num_threads());
        d_peaks[here.shfl(first, 0) + here.thread_rank()] = i;
        // <<<
    }
}
// [/peaks]

extern "C" int list_peaks(const int* d_pile, int n, int* d_peaks, int* d_count) {
    constexpr int threads = 128;
    cudaError_t status = cudaMemset(d_count, 0, sizeof(int));
    if (status != cudaSuccess) return status;
    peaks_kernel<<<(n + threads - 1) / threads, threads>>>(d_pile, n, d_peaks, d_count);
    return cudaGetLastError();
}

// [grains]
// How many grains cell i has after every cell of d_pile toppled once.
__device__ int grains_after(const int* d_pile, int i, int width, int height) {
    int x = i % width, y = i / width;
    int grains = d_pile[i] % 4;
    if (x > 0) grains += d_pile[i - 1] / 4;
    if (x + 1 < width) grains += d_pile[i + 1] / 4;
    if (y > 0) grains += d_pile[i - width] / 4;
    if (y + 1 < height) grains += d_pile[i + width] / 4;
    return grains;
}
// [/grains]

// [topple]
// All threads of the grid, for all cells: d_to is d_from with every cell toppled once. Returns how many of the calling
// thread's cells toppled.
__device__ int topple(cg::grid_group grid, const int* d_from, int* d_to, int width, int height) {
    int toppled = 0;
    // >>> TODO: (3) there may be more cells than threads: lesson 03's loop, with the grid's own rank and size.
    int cells = width * height, stride = grid.num_threads();
    for (int i = grid.thread_rank(); i < cells; i += stride) {
        d_to[i] = grains_after(d_from, i, width, height);
        if (d_from[i] > most_grains) ++toppled;
    }
    // <<<
    return toppled;
}
// [/topple]

// [settle]
__global__ void settle_kernel(int* d_pile, int* d_spare, int width, int height, int* d_toppled,
                              int max_rounds) {
    cg::grid_group grid = cg::this_grid();
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    for (int round = 0; round < max_rounds; ++round) {
        int toppled = topple(grid, d_pile, d_spare, width, height);
        // >>> TODO: (3) wait for the grid, topple back into d_pile, add to d_toppled[round] warp by warp; stop at a round without any.
        grid.sync();  // all of d_spare is there
        toppled += topple(grid, d_spare, d_pile, width, height);
        toppled = tile_sum(warp, toppled);
        if (warp.thread_rank() == 0 && toppled > 0) atomicAdd(&d_toppled[round], toppled);
        grid.sync();  // all of d_pile is there, and everybody has counted
        if (d_toppled[round] == 0) break;
        // ===
        //| (void)warp;
        //| (void)toppled;
        //| (void)d_toppled;
        // <<<
    }
}
// [/settle]

// [at_once]
extern "C" int blocks_at_once(int threads) {
    // >>> TODO: (4) how many blocks of settle_kernel fit on one multiprocessor, times how many multiprocessors there are.
    int each = 0, multiprocessors = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, settle_kernel, threads, 0);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    return each * multiprocessors;
    // ===
    //| (void)threads;
    //| return 0;
    // <<<
}
// [/at_once]

// [host]
extern "C" int settle(int* d_pile, int* d_spare, int width, int height, int* d_toppled, int max_rounds,
                      int threads) {
    cudaError_t status = cudaMemset(d_toppled, 0, max_rounds * sizeof(int));
    if (status != cudaSuccess) return status;
    int blocks = (width * height + threads - 1) / threads;
    // >>> TODO: (4) no more blocks than fit. Launch them so that they can wait for each other.
    int most = blocks_at_once(threads);
    if (blocks > most) blocks = most;
    void* arguments[] = {&d_pile, &d_spare, &width, &height, &d_toppled, &max_rounds};
    return cudaLaunchCooperativeKernel(settle_kernel, blocks, threads, arguments);
    // ===
    //| settle_kernel<<<blocks, threads>>>(d_pile, d_spare, width, height, d_toppled, max_rounds);
    //| return cudaGetLastError();
    // <<<
}
// [/host]
