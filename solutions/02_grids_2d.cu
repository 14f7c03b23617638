// Lesson 02: a thread for every pixel.
//
// A colour picture goes grey, then soft. Two kernels, each over a two-dimensional grid.
// The four places marked TODO are yours. Save after each; the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/02_grids_2d/interface.h"

// [grey]
// One thread, one pixel: red, green and blue in, one byte out.
// grey = (77 * red + 150 * green + 29 * blue) / 256
__global__ void grey_kernel(const unsigned char* d_rgb, unsigned char* d_grey, int width, int height) {
    // >>> TODO: (1) find this thread's column and row, and its pixel. Threads outside the picture do nothing.
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= width || row >= height) return;

    int pixel = row * width + col;
    int red = d_rgb[3 * pixel];
    int green = d_rgb[3 * pixel + 1];
    int blue = d_rgb[3 * pixel + 2];
    d_grey[pixel] = (77 * red + 150 * green + 29 * blue) / 256;
    // <<<
}
// [/grey]

extern "C" int to_grey(const unsigned char* d_rgb, unsigned char* d_grey, int width, int height, int block_x,
                       int block_y) {
    dim3 block(block_x, block_y);
    // >>> TODO: (2) how many blocks across, how many down?
    dim3 grid((width + block_x - 1) / block_x, (height + block_y - 1) / block_y);
    // ===
    //| dim3 grid(1, 1);
    // <<<
    grey_kernel<<<grid, block>>>(d_rgb, d_grey, width, height);
    return cudaGetLastError();
}

// One thread, one pixel: the mean of the neighbours that exist.
__global__ void blur_kernel(const unsigned char* d_grey, unsigned char* d_out, int width, int height) {
    // >>> TODO: (3) add up the pixels of the 3x3 neighbourhood that lie inside the picture, and count them.
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= width || row >= height) return;

    int sum = 0;
    int count = 0;
    for (int y = row - 1; y <= row + 1; ++y) {
        for (int x = col - 1; x <= col + 1; ++x) {
            if (x < 0 || x >= width || y < 0 || y >= height) continue;
            sum += d_grey[y * width + x];
            ++count;
        }
    }
    d_out[row * width + col] = sum / count;
    // <<<
}

extern "C" int blur(const unsigned char* d_grey, unsigned char* d_out, int width, int height, int block_x,
                    int block_y) {
    // >>> TODO: (4) the whole host side this time: block, grid, launch, error.
    dim3 block(block_x, block_y);
    dim3 grid((width + block_x - 1) / block_x, (height + block_y - 1) / block_y);
    blur_kernel<<<grid, block>>>(d_grey, d_out, width, height);
    return cudaGetLastError();
    // ===
    //| return cudaSuccess;
    // <<<
}
