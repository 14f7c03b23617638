// Lesson 18: two matrices, multiplied four times over.
//
// Two kernels are given, and slow. Write the third, whose blocks share what they read, finish the fourth, whose threads do
// too, and let it load four floats at once. The three places marked TODO are yours. Save after each; the verdict says what to
// mend next.
#include <cuda_runtime.h>

#include "lessons/18_matmul/interface.h"

constexpr int tile = 32;

static int blocks_for(int elements, int each) {
    return (elements + each - 1) / each;
}

// [naive]
// One thread an element of C.
__global__ void matmul_naive(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += d_a[row * k + i] * d_b[i * n + column];
    d_c[row * n + column] = sum;
}
// [/naive]

extern "C" int multiply_naive(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    dim3 block(tile, tile), grid(blocks_for(m, tile), blocks_for(n, tile));
    matmul_naive<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
    return cudaGetLastError();
}

// [coalesced]
// The same, with x and y exchanged.
__global__ void matmul_coalesced(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += d_a[row * k + i] * d_b[i * n + column];
    d_c[row * n + column] = sum;
}
// [/coalesced]

extern "C" int multiply_coalesced(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    dim3 block(tile, tile), grid(blocks_for(n, tile), blocks_for(m, tile));
    matmul_coalesced<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
    return cudaGetLastError();
}

// [tiled]
// A block of 32 x 32 threads walks over A and B, one tile of each at a time.
__global__ void matmul_tiled(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    __shared__ float a[tile][tile], b[tile][tile];
    int row = blockIdx.y * tile + threadIdx.y;
    int column = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < k; first += tile) {
        // >>> TODO: (1) fetch columns `first` and on of A, rows `first` and on of B, with 0 for what lies outside; add up.
        int across = first + threadIdx.x, down = first + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < m && across < k ? d_a[row * k + across] : 0;
        b[threadIdx.y][threadIdx.x] = down < k && column < n ? d_b[down * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        __syncthreads();  // nobody fetches the next tiles while somebody still reads these
        // <<<
    }
    if (row < m && column < n) d_c[row * n + column] = sum;
}
// [/tiled]

extern "C" int multiply_tiled(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    dim3 block(tile, tile), grid(blocks_for(n, tile), blocks_for(m, tile));
    matmul_tiled<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
    return cudaGetLastError();
}

// The fourth kernel: a block makes 128 x 128 elements of C, and each of its 256 threads 8 x 8 of them.
constexpr int side = 128, depth = 8, threads = 256;

// [four]
// Row `row`, columns `column` to `column + 3` of a matrix, with 0 for what lies outside of it. `column` is a multiple of 4.
__device__ float4 load_four(const float* d_matrix, int rows, int columns, int row, int column) {
    float4 four = {0, 0, 0, 0};
    if (row >= rows) return four;
    const float* d_from = d_matrix + row * columns + column;
    // >>> TODO: (3) one load of 16 bytes instead of four, where every row begins at a multiple of 16 bytes.
    if (columns % 4 == 0) {
        if (column < columns) four = *reinterpret_cast<const float4*>(d_from);
        return four;
    }
    // <<<
    if (column < columns) four.x = d_from[0];
    if (column + 1 < columns) four.y = d_from[1];
    if (column + 2 < columns) four.z = d_from[2];
    if (column + 3 < columns) four.w = d_from[3];
    return four;
}

// The same way out; what would lie outside is left out.
__device__ void store_four(float* d_matrix, int rows, int columns, int row, int column, float4 four) {
    if (row >= rows) return;
    float* d_to = d_matrix + row * columns + column;
    // >>> TODO: (3) and one store of 16 bytes instead of four, on the same condition.
    if (columns % 4 == 0) {
        if (column < columns) *reinterpret_cast<float4*>(d_to) = four;
        return;
    }
    // <<<
    if (column < columns) d_to[0] = four.x;
    if (column + 1 < columns) d_to[1] = four.y;
    if (column + 2 < columns) d_to[2] = four.z;
    if (column + 3 < columns) d_to[3] = four.w;
}
// [/four]

// [eight]
// A thread's eight rows of the block (and its eight columns) are four neighbours, and four more half a side further on.
constexpr int half_side = side / 2;

struct Eight {
    float of[8];
};
struct Sums {
    float of[8][8];
};

// Out of shared memory, by two loads of 16 bytes.
__device__ Eight eight_from(const float* line, int at) {
    float4 close = *reinterpret_cast<const float4*>(line + at);
    float4 far = *reinterpret_cast<const float4*>(line + at + half_side);
    return {close.x, close.y, close.z, close.w, far.x, far.y, far.z, far.w};
}
// [/eight]

// [blocked]
__global__ void __launch_bounds__(threads)
    matmul_blocked(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    // A's tile is turned: a[i] is a column of it. Four floats more a row keep its stores free of bank conflicts.
    __shared__ __align__(16) float a[depth][side + 4];
    __shared__ __align__(16) float b[depth][side];
    int top = blockIdx.y * side, left = blockIdx.x * side;
    int my_row = threadIdx.x / 16 * 4, my_column = threadIdx.x % 16 * 4;
    // What this thread fetches in a step: four floats of a row of either tile. It asks for those of the next step before it
    // multiplies, and they come meanwhile.
    int row = threadIdx.x / 2, i = threadIdx.x % 2 * 4;
    int down = threadIdx.x / 32, across = threadIdx.x % 32 * 4;
    float4 next_a = load_four(d_a, m, k, top + row, i);
    float4 next_b = load_four(d_b, k, n, down, left + across);
    Sums sum = {};
    for (int first = 0; first < k; first += depth) {
        a[i][row] = next_a.x;
        a[i + 1][row] = next_a.y;
        a[i + 2][row] = next_a.z;
        a[i + 3][row] = next_a.w;
        *reinterpret_cast<float4*>(&b[down][across]) = next_b;
        next_a = load_four(d_a, m, k, top + row, first + depth + i);
        next_b = load_four(d_b, k, n, first + depth + down, left + across);
        // >>> TODO: (2) for each of the `depth` lines: eight floats of a, eight of b, 64 products. And who waits for whom?
        __syncthreads();
#pragma unroll
        for (int line = 0; line < depth; ++line) {
            Eight x = eight_from(a[line], my_row), y = eight_from(b[line], my_column);
#pragma unroll
            for (int r = 0; r < 8; ++r)
#pragma unroll
                for (int c = 0; c < 8; ++c) sum.of[r][c] += x.of[r] * y.of[c];
        }
        __syncthreads();
        // <<<
    }
#pragma unroll
    for (int r = 0; r < 8; ++r) {
        int c_row = top + my_row + (r < 4 ? r : half_side + r - 4), c_column = left + my_column;
        const float* of = sum.of[r];
        store_four(d_c, m, n, c_row, c_column, {of[0], of[1], of[2], of[3]});
        store_four(d_c, m, n, c_row, c_column + half_side, {of[4], of[5], of[6], of[7]});
    }
}
// [/blocked]

extern "C" int multiply_blocked(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    dim3 grid(blocks_for(n, side), blocks_for(m, side));
    matmul_blocked<<<grid, threads>>>(d_a, d_b, d_c, m, n, k);
    return cudaGetLastError();
}
