// What exercise 17 defines, its grader calls, and both share.
//
// All three are exclusive scans of whole numbers: out[i] is the sum of in[0] to in[i - 1], and out[0] is 0.
// Each returns cudaSuccess (0) or the error of the first call that failed.
#pragma once

// By one block, a thread for each number, in doubling steps.
//   threads  of the block: a power of two, 2 to 1024
//   n        1 to threads
extern "C" int scan_in_steps(const int* d_in, int n, int threads, int* d_out);

// By one block, two numbers for each thread, in sweeps up and down a tree.
//   threads  of the block: a power of two, 1 to 1024
//   n        1 to 2 * threads
extern "C" int scan_in_sweeps(const int* d_in, int n, int threads, int* d_out);

// Of any length, by as many blocks as it takes.
//   n        0 or more; nothing is read or written where it is 0
//   threads  of a block: a multiple of 32, to 1024
//   d_out    may be d_in
extern "C" int scan(const int* d_in, int n, int threads, int* d_out);
