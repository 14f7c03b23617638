// What exercise 14 defines, its grader calls, and both share.
#pragma once

constexpr int most_grains = 3;  // a cell with more topples: it gives one grain to each of its four neighbours

// The sum of every `tile_size` numbers.
//   d_in       n numbers, device memory
//   n          1 or more
//   tile_size  4, 8, 16 or 32
//   d_sums     one sum for each tile: d_sums[t] is that of d_in[tile_size * t] and those behind it; the last may have fewer
// Returns cudaSuccess (0) or the error of the first call that failed.
extern "C" int sum_tiles(const int* d_in, int n, int tile_size, int* d_sums);

// The places of all cells that topple: d_peaks[0 .. d_count[0] - 1], in any order. What lies behind stays as it was.
//   d_pile   the grains of n cells
//   d_peaks  room for n places
//   d_count  one number, with anything in it before
extern "C" int list_peaks(const int* d_pile, int n, int* d_peaks, int* d_count);

// How many blocks of `threads` threads of settle's kernel the current device holds at the same time.
extern "C" int blocks_at_once(int threads);

// Lets a pile of sand topple until no cell does, or for max_rounds rounds, in one launch. In a round, all cells topple
// twice, all at once each time: a cell with g grains keeps g % 4 and gives g / 4 to each neighbour; at the edge, grains fall off.
//   d_pile      width * height grains, row by row; the pile as it ends up
//   d_spare     room for as many; anything in it
//   d_toppled   max_rounds numbers, anything in them before; d_toppled[r]: how often a cell toppled in round r, 0 from the
//               round on in which none did
//   threads     a block has so many: a multiple of 32, 1024 at most
extern "C" int settle(int* d_pile, int* d_spare, int width, int height, int* d_toppled, int max_rounds,
                      int threads);
