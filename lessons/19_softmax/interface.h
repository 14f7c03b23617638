// What exercise 19 defines, its grader calls, and both share.
#pragma once

// What is known of a part of a row: its largest number, and the sum of exp(x - max) over its numbers x. A part without numbers
// has the sum 0, and a max that no number lies below.
struct Running {
    float max, sum;
};

constexpr int short_row = 1024;  // columns: up to here, a warp takes a row, and the rows keep all warps busy

// Each of these fills d_out with the softmax of each row of d_in: exp(x) / (the sum of the row's exp), whatever the size of x.
//   d_in, d_out  rows * columns numbers, a row after the other, device memory
//   rows         0 or more; columns, too: then nothing is written
// -INFINITY means "not this one": its share is 0. In a row that is -INFINITY throughout, all shares are 0. A row with a NaN
// comes out as NaN throughout, so that somebody sees it; a row with +INFINITY is not promised anything.
// Each returns cudaSuccess (0) or the error of the first call that failed.
extern "C" int softmax_naive(const float* d_in, int rows, int columns,
                             float* d_out);  // numbers from -80 to 80 alone
extern "C" int softmax_safe(const float* d_in, int rows, int columns,
                            float* d_out);  // reads each row three times
extern "C" int softmax_online(const float* d_in, int rows, int columns, float* d_out);  // twice; a warp a row
extern "C" int softmax_long(const float* d_in, int rows, int columns, float* d_out);  // twice; a block a row
extern "C" int softmax_rows(const float* d_in, int rows, int columns,
                            float* d_out);  // as suits the row's length

// d_out[i] becomes what is known of both parts together, d_a[i] and d_b[i]; n pairs, 1 or more. Both parts have numbers.
extern "C" int merge_pairs(const Running* d_a, const Running* d_b, int n, Running* d_out);
