// What exercise 05, its solution and its grader agree on.
//
// d_in is a matrix of rows * cols floats, row by row: element (row, col) is number row * cols + col.
// d_out gets its transpose, a matrix of cols * rows floats: element (col, row) of it is number col * rows +
// row. Any rows and cols from 1 up. Global memory is read and written along rows, and with tiles of side 32
// and one float of padding no visit to the tile meets a bank conflict. Both functions return a cudaError_t as an int: 0 (cudaSuccess),
// or the error of a launch that CUDA refused.
#pragma once

// Tiles of 32 x 32, one thread an element, in shared memory whose size the compiler knows.
extern "C" int transpose_static(const float* d_in, float* d_out, int rows, int cols);

// Tiles of side x side, one thread an element, in shared memory whose size the launch gives. Any side; CUDA
// refuses more than 32, because a block holds at most 1024 threads. A row of the tile takes side + padding floats,
// padding from 0 up.
extern "C" int transpose_dynamic(const float* d_in, float* d_out, int rows, int cols, int side, int padding);
