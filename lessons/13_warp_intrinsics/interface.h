// What exercise 13 defines, its grader calls, and both share.
#pragma once

constexpr int curve_terms = 4, knot_count = 6;

// The sum of every 32 numbers.
//   d_in    n numbers, device memory
//   d_sums  one sum for each 32 numbers: d_sums[w] is that of d_in[32 * w] and the 31 behind it; the last may have fewer
//   n       1 or more
// Returns cudaSuccess (0) or the error of the first call that failed.
extern "C" int sum_warps(const int* d_in, int n, int* d_sums);

// Copies the numbers above zero to d_out[0 .. d_count[0] - 1]; what lies behind stays as it was.
//   d_out    room for n numbers. The kept ones of each 32 neighbours (0 to 31, 32 to 63, ...) stay side by side and in
//            order; which 32 come first is open
//   d_count  one number, with anything in it before
extern "C" int keep_positive(const int* d_in, int n, int* d_out, int* d_count);

// Corrects readings of two sensors that take turns: each even one by the curve, each odd one by the knots.
//   d_curve  curve_terms coefficients, the highest power first
//   d_knots  knot_count places where the line bends
extern "C" int calibrate(const float* d_raw, int n, const float* d_curve, const float* d_knots, float* d_out);
