// What exercise 06, its solution and its grader agree on.
//
// Both functions return a cudaError_t as an int: 0 (cudaSuccess), or the first error that CUDA reported. Pointers that begin
// with d_ lead to device memory, those that begin with h_ to host memory. Counts are at least 1. When a function returns,
// nothing that it allocated is left.
#pragma once

constexpr int max_radius = 32;

// d_out[i] = the sum over k, from 0 to 2 * radius, of h_weights[k] * d_in[i + k - radius], for n numbers. Beyond its ends
// the array goes on with its first and its last number: d_in[-3] means d_in[0]. A radius from 0 to max_radius; a larger
// one is an error (cudaErrorInvalidValue), and nothing is launched. The weights lie in constant memory while the kernel runs.
extern "C" int smooth(const float* d_in, float* d_out, int n, const float* h_weights, int radius);

// A rectangle of a picture, in fractions of it: {0, 0, 1, 1} is the whole picture, {-1, 0, 3, 1} is three pictures wide,
// with the picture in the middle.
struct View {
    float left, top, width, height;
};

// What lies beyond the picture's edges, numbered as cudaTextureAddressMode numbers it: the picture again, its outermost
// texels, its mirror image, or zeros.
enum Edge { edge_wrap, edge_clamp, edge_mirror, edge_border };

// h_out, a picture of out_cols by out_rows floats, shows the view of h_picture, cols by rows floats, both row by row. Each
// pixel has the value that lies under its middle: the mean of the four nearest texels, weighted by how near they are.
extern "C" int zoom(const float* h_picture, int cols, int rows, View view, int edge, float* h_out,
                    int out_cols, int out_rows);
