// What exercise 03, its solution and its grader agree on.
//
// Both functions compute y[i] = a * x[i] + y[i], each element once, with a grid that is shared out evenly: whatever
// the number of blocks, all of them work, and neighbours in a warp take neighbours in memory. Both return a
// cudaError_t as an int: 0 (cudaSuccess), or the error of a launch that CUDA refused.
#pragma once

#include <stddef.h>

// A part of two long arrays: elements first to last - 1. d_x and d_y point to element 0 of the whole arrays; what lies
// outside of the part belongs to somebody else. Any first and last with first <= last, also beyond 2^32, but no more
// than 2147483647 elements in one part; and any launch: `blocks` blocks of `threads_per_block` threads, as many as the elements or not.
extern "C" int saxpy(float a, const float* d_x, float* d_y, size_t first, size_t last, int blocks,
                     int threads_per_block);

// The whole of two arrays of n floats, n from 0 to 2147483647, with as many blocks of `threads_per_block` threads as the card can
// hold at once (on all of its multiprocessors together); with fewer where fewer give each element a thread.
extern "C" int saxpy_on_card(float a, const float* d_x, float* d_y, size_t n, int threads_per_block);
