// What exercise 18 defines, its grader calls, and both share.
#pragma once

// C = A B, four times. The matrices lie in device memory row by row, without gaps, each begins at a multiple of 16 bytes
// and has fewer than 2^31 elements.
//   d_a  m rows, k columns: row r, column i is d_a[r * k + i]
//   d_b  k rows, n columns
//   d_c  m rows, n columns, written as a whole; must not overlap d_a or d_b
//   m, n, k  1 or more, and no multiples of anything
// Returns cudaSuccess (0) or the error of the first call that failed.
using Multiply = int(const float* d_a, const float* d_b, float* d_c, int m, int n, int k);

extern "C" Multiply multiply_naive;
extern "C" Multiply multiply_coalesced;
extern "C" Multiply multiply_tiled;
extern "C" Multiply multiply_blocked;
