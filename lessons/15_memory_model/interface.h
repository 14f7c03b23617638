// What exercise 15 defines, its grader calls, and both share.
#pragma once

// Two blocks. The first writes a letter, d_letter[i] = 3 * d_in[i]; the second reads it, d_out[i] = d_letter[i] + 1.
//   d_in, d_letter, d_out  n numbers each, device memory
//   n                      1 to 128
//   d_flag                 device memory, 0 before the call; 1 afterwards
// Each function returns cudaSuccess (0) or the error of the first call that failed.
extern "C" int pass_letter(const int* d_in, int n, int* d_letter, int* d_flag, int* d_out);

// *d_sum becomes the sum of d_in[0 .. n - 1], by one kernel, whatever was in it before.
//   d_in        n numbers, device memory
//   n           0 or more
//   d_partials  `blocks` floats of device memory, for the kernel to use
//   d_done      device memory, 0 before the call, and 0 again after it: the next call relies on that
//   blocks      of the grid, 1 or more
extern "C" int sum_once(const float* d_in, int n, float* d_partials, unsigned int* d_done, float* d_sum,
                        int blocks);

// The numbers of d_in[0 .. n - 1] that are not below zero go to d_out, in the order that they had. A block takes 32.
//   d_in     n numbers, device memory
//   n        1 or more; makes (n + 31) / 32 blocks
//   d_out    n numbers; what lies behind the kept ones stays as it was
//   d_count  becomes the number of those kept
//   d_next   for the kernel to use; may hold anything before and after
//   d_ends, d_flags  a number for each block, for the kernel to use; may hold anything before and after
extern "C" int keep_in_order(const int* d_in, int n, int* d_out, int* d_count, unsigned int* d_next,
                             int* d_ends, int* d_flags);
