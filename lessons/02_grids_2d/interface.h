// What exercise 02, its solution and its grader agree on.
//
// A picture lies in memory row by row: pixel (col, row) of a picture `width` wide is number row * width +
// col. d_rgb holds three bytes a pixel (red, green, blue), d_grey and d_out one. Both functions launch blocks
// of block_x times block_y threads, x along a row and y down the rows, one thread a pixel, and return a
// cudaError_t as an int: 0 (cudaSuccess), or the error of a launch that CUDA refused.
#pragma once

// grey = (77 * red + 150 * green + 29 * blue) / 256, in whole numbers.
extern "C" int to_grey(const unsigned char* d_rgb, unsigned char* d_grey, int width, int height, int block_x,
                       int block_y);

// Each pixel becomes the mean, rounded down, of those pixels of its 3x3 neighbourhood that lie inside the
// picture: nine in the middle, six at an edge, four in a corner.
extern "C" int blur(const unsigned char* d_grey, unsigned char* d_out, int width, int height, int block_x,
                    int block_y);
