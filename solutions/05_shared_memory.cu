// Lesson 05: a block that remembers.
//
// Transpose a matrix. Each block copies a tile of it to shared memory row by row, waits, and writes the tile
// out with rows and columns exchanged, again row by row. The four places marked TODO are yours. Save after
// each; the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/05_shared_memory/interface.h"

constexpr int tile_side = 32;

// [static]
// A block of 32 x 32 threads moves one tile.
__global__ void transpose_kernel(const float* d_in, float* d_out, int rows, int cols) {
    __shared__ float tile[tile_side][tile_side + 1];

    int row = blockIdx.y * tile_side + threadIdx.y;
    int col = blockIdx.x * tile_side + threadIdx.x;
    if (row < rows && col < cols) {
        tile[threadIdx.y][threadIdx.x] = d_in[row * cols + col];
    }
    // >>> TODO: (1) the next lines read what other threads wrote. Wait until the whole block has written.
    __syncthreads();
    // <<<

    // The tile's place in the output: block (x, y) of the input is block (y, x) of the output.
    int out_row = blockIdx.x * tile_side + threadIdx.y;
    int out_col = blockIdx.y * tile_side + threadIdx.x;
    // >>> TODO: (2) write the element at (out_row, out_col) of the output, if there is one.
    if (out_row < cols && out_col < rows) {
        d_out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
    }
    // <<<
}
// [/static]

extern "C" int transpose_static(const float* d_in, float* d_out, int rows, int cols) {
    dim3 block(tile_side, tile_side);
    dim3 grid((cols + tile_side - 1) / tile_side, (rows + tile_side - 1) / tile_side);
    transpose_kernel<<<grid, block>>>(d_in, d_out, rows, cols);
    return cudaGetLastError();
}

// The same, with tiles of blockDim.x by blockDim.x in memory that the launch asks for. A row of the tile
// takes blockDim.x + padding floats.
__global__ void transpose_any_kernel(const float* d_in, float* d_out, int rows, int cols, int padding) {
    extern __shared__ float any_tile[];
    // >>> TODO: (3) the whole kernel. any_tile has one dimension: number its rows and columns yourself.
    int side = blockDim.x;
    int pitch = side + padding;
    int row = blockIdx.y * side + threadIdx.y;
    int col = blockIdx.x * side + threadIdx.x;
    if (row < rows && col < cols) {
        any_tile[threadIdx.y * pitch + threadIdx.x] = d_in[row * cols + col];
    }
    __syncthreads();

    int out_row = blockIdx.x * side + threadIdx.y;
    int out_col = blockIdx.y * side + threadIdx.x;
    if (out_row < cols && out_col < rows) {
        d_out[out_row * rows + out_col] = any_tile[threadIdx.x * pitch + threadIdx.y];
    }
    // <<<
}

extern "C" int transpose_dynamic(const float* d_in, float* d_out, int rows, int cols, int side, int padding) {
    // >>> TODO: (4) the launch. Its third number is the shared memory of one block, in bytes.
    dim3 block(side, side);
    dim3 grid((cols + side - 1) / side, (rows + side - 1) / side);
    size_t bytes = side * (side + padding) * sizeof(float);
    transpose_any_kernel<<<grid, block, bytes>>>(d_in, d_out, rows, cols, padding);
    return cudaGetLastError();
    // ===
    //| return cudaSuccess;
    // <<<
}
