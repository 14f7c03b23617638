// What exercise 08, its solution and its grader agree on.
//
// All functions return a cudaError_t as an int: 0 (cudaSuccess), or the first error that CUDA reported. Pointers that
// begin with d_ lead to device memory, those that begin with h_ to host memory. Counts are at least 1. When a function
// returns, what it was asked for is done, nothing that it allocated is left, and the caller may change its arrays.
#pragma once

enum Way { by_copy, by_kernel };

// d_out[i] = h_in[i] for n numbers, in `pieces` (1 to n) pieces of nearly the same size. Meanwhile the host makes *h_check,
// the sum of every 32nd number.
//   by_copy    a copy for each piece; h_in is pageable or pinned
//   by_kernel  a kernel for each piece, which reads h_in itself; h_in is pinned
extern "C" int carry(const unsigned* h_in, unsigned* d_out, int n, int pieces, int way, unsigned* h_check);

// d_out[i] = h_raw[i] / 4 - 40, the temperature of reading i, for n readings in `pieces` pieces as above. The host
// calibrates one piece while the last one is on its way. h_raw is pageable.
extern "C" int send_readings(const unsigned short* h_raw, float* d_out, int n, int pieces);

// Turns each pixel p of a rectangle into 1 - p; no other pixel changes. h_image has `columns` pixels a row; the
// rectangle lies wholly in it.
struct Rectangle {
    int left, top, width, height;
};
extern "C" int invert_rectangle(float* h_image, int columns, Rectangle at);

// `count` values that belong at d_table[first], d_table[first + 1], ... A patch may be empty (count 0).
struct Patch {
    const float* h_values;
    int first, count;
};
// One value with its place: d_table[at] = value.
struct Update {
    int at;
    float value;
};
// Brings `patches` patches into the table. No element is in two of them.
//   h_pack, d_pack  room for all their values: pinned host memory, and device memory
extern "C" int update_table(float* d_table, const Patch* h_patches, int patches, Update* h_pack,
                            Update* d_pack);

// *h_count: how many of n values are above the limit.
extern "C" int count_above(const float* d_values, int n, float limit, unsigned* h_count);
