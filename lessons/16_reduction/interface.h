// What exercise 16 defines, its grader calls, and both share.
#pragma once

#include <cstddef>

// The steps of the ladder: *d_sum becomes the sum of d_in[0 .. n - 1], whatever was in it before.
//   d_in  n numbers, device memory
//   n     0 or more; the sum fits into an int
// Each returns cudaSuccess (0) or the error of the first call that failed.
extern "C" int sum_interleaved(const int* d_in, int n, int* d_sum);
extern "C" int sum_packed(const int* d_in, int n, int* d_sum);
extern "C" int sum_sequential(const int* d_in, int n, int* d_sum);
extern "C" int sum_first_add(const int* d_in, int n, int* d_sum);
extern "C" int sum_shuffled(const int* d_in, int n, int* d_sum);

// The last step: *d_sum becomes the sum of d_in[first .. first + n - 1], whatever was in it before.
//   d_in    device memory; &d_in[first] lies on a multiple of 16 bytes
//   first   0 or more. The array may be longer than an int can count
//   n       0 or more
//   blocks  of the grid, 1 or more: a thread takes as many numbers as it has to
extern "C" int sum_grid_stride(const float* d_in, size_t first, size_t n, float* d_sum, int blocks);
