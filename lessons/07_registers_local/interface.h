// What exercise 07 defines, its grader calls, and both share.
#pragma once

constexpr int window_length = 8;  // samples of a moving sum
constexpr int levels = 2048;      // a sample that is classified is 0 to levels - 1
constexpr int classes = 8;

// Sample t of channel c is d_in[t * channels + c].

// For each sample the sum of it and the window_length - 1 before it in its channel; in front of the first sample there
// are zeros.
//   d_in, d_out  steps * channels numbers, device memory; steps and channels are 1 or more
// Returns cudaSuccess (0) or the error of the first call that failed.
extern "C" int moving_sums(const int* d_in, int channels, int steps, int* d_out);

// Counts the samples of each channel by class.
//   d_class_of  levels numbers: the class of a sample s is d_class_of[s], 0 to classes - 1
//   d_counts    d_counts[k * channels + c] becomes the number of samples of class k in channel c
extern "C" int count_classes(const int* d_in, int channels, int steps, const int* d_class_of, int* d_counts);
