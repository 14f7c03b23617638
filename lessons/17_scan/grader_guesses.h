// What the well-known slips of exercise 17 make of an array: each is played here, and the result compared with the
// learner's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lessons/17_scan/grader_words.h"

namespace lab::lesson_17_scan {

struct Guess {
    Numbers sums;  // as many as there are numbers
    const char* what;
    const char* next;
};

// ---- doubling steps by `threads` threads

inline Numbers stepped(const Numbers& values, size_t threads, size_t first_step, bool leaves_out_the_edge) {
    Numbers sums = values;
    sums.resize(threads, 0);
    for (size_t step = first_step; step < threads; step *= 2) {
        const Numbers before = sums;
        for (size_t t = step + (leaves_out_the_edge ? 1 : 0); t < threads; ++t) sums[t] += before[t - step];
    }
    Numbers out(values.size(), 0);
    for (size_t i = 1; i < out.size(); ++i) out[i] = sums[i - 1];
    return out;
}

inline std::vector<Guess> guesses_for_steps(const Numbers& values, size_t threads) {
    return {{stepped(values, threads, 1, true), "In the step of s, thread s did not add what stands at 0.",
             "Thread t has somebody `step` places to its left where t >= step: thread 1 in the step of 1."},
            {stepped(values, threads, 2, false), "The step of 1 is missing: neighbours were never added.",
             "Begin with step = 1, and double it."}};
}

// ---- sweeps over a tree of `numbers`

struct Sweep {
    size_t up_from = 1, down_from_half = 0;
    bool zeroes_the_root = true, adds_on_the_way_down = true, goes_down_from_one = false;
};

inline Numbers swept(const Numbers& values, size_t numbers, const Sweep& how) {
    Numbers tree = values;
    tree.resize(numbers, 0);
    for (size_t step = how.up_from; step < numbers; step *= 2)
        for (size_t right = 2 * step - 1; right < numbers; right += 2 * step)
            tree[right] += tree[right - step];
    if (how.zeroes_the_root) tree[numbers - 1] = 0;
    std::vector<size_t> steps;
    for (size_t step = numbers / 2 >> how.down_from_half; step > 0; step /= 2) steps.push_back(step);
    if (how.goes_down_from_one) std::reverse(steps.begin(), steps.end());
    for (const size_t step : steps)
        for (size_t right = 2 * step - 1; right < numbers; right += 2 * step) {
            const int left_sum = tree[right - step];
            tree[right - step] = tree[right];
            tree[right] = how.adds_on_the_way_down ? tree[right] + left_sum : left_sum;
        }
    tree.resize(values.size());
    return tree;
}

inline std::vector<Guess> guesses_for_sweeps(const Numbers& values, size_t numbers) {
    return {{swept(values, numbers, {.zeroes_the_root = false}),
             "The sweep down began with the total at the root.",
             "Nothing stands before the whole: put 0 in place of the total, tree[place_of(numbers - 1)]."},
            {swept(values, numbers, {.adds_on_the_way_down = false}),
             "The right child got the left child's sum alone.",
             "Before the right child stands what stands before its parent, and the left child's numbers: "
             "add the two."},
            {swept(values, numbers, {.goes_down_from_one = true}),
             "The sweep down began at the leaves, with the step of 1.",
             "Down begins at the root, with the largest step, blockDim.x, and halves it."},
            {swept(values, numbers, {.down_from_half = 1}),
             "The largest step of the sweep down is missing, the one from the root to its two children.",
             "numbers is 2 * blockDim.x: the first step down is numbers / 2, which is blockDim.x."},
            {swept(values, numbers, {.up_from = 2}),
             "The step of 1 of the sweep up is missing: neighbours were never added.",
             "Begin with step = 1, and double it."}};
}

// ---- tiles of `threads` numbers

struct Tiling {
    bool leaves_out_the_edge = false, takes_from_the_right = false, adds_its_own = false;
    bool first_lane_tells = false, first_thread_tells = false;
    bool warp_sums_stay = false, carry_of_the_tile_before = false;
};

// The 32 numbers from `at`, with what stands before each added as the lanes would.
inline void warp_scanned(Numbers& lanes, size_t at, const Tiling& how) {
    for (size_t step = 1; step < 32; step *= 2) {
        const Numbers before(lanes.begin() + static_cast<ptrdiff_t>(at),
                             lanes.begin() + static_cast<ptrdiff_t>(at + 32));
        for (size_t lane = 0; lane < 32; ++lane) {
            size_t from = lane >= step ? lane - step : lane;
            if (how.takes_from_the_right) from = lane + step < 32 ? lane + step : lane;
            const bool adds = how.adds_its_own || lane > step || (lane == step && !how.leaves_out_the_edge);
            if (adds) lanes[at + lane] += before[from];
        }
    }
}

// Inclusive, over a whole number of warps.
inline void tile_scanned(Numbers& lanes, size_t begin, size_t threads, const Tiling& how) {
    Numbers of_warps(32, 0);
    for (size_t at = begin; at < begin + threads; at += 32) {
        warp_scanned(lanes, at, how);
        of_warps[(at - begin) / 32] = lanes[at + (how.first_lane_tells ? 0 : 31)];
    }
    if (!how.warp_sums_stay) warp_scanned(of_warps, 0, how);
    for (size_t k = 32; k < threads; ++k) lanes[begin + k] += of_warps[k / 32 - 1];
}

inline Numbers tiled(const Numbers& values, size_t threads, const Tiling& how) {
    const size_t tiles = (values.size() + threads - 1) / threads;
    Numbers lanes = values, sums(tiles);
    lanes.resize(tiles * threads, 0);
    for (size_t tile = 0; tile < tiles; ++tile) {
        tile_scanned(lanes, tile * threads, threads, how);
        sums[tile] = lanes[tile * threads + (how.first_thread_tells ? 0 : threads - 1)];
    }
    const Numbers carry = tiles > 1 ? tiled(sums, threads, how) : Numbers(1, 0);
    Numbers out(values.size());
    for (size_t i = 0; i < out.size(); ++i) {
        const size_t tile = i / threads;
        const bool shifted = how.carry_of_the_tile_before && tile > 0;
        out[i] = lanes[i] - values[i] + (tiles > 1 ? carry[shifted ? tile - 1 : tile] : 0);
    }
    return out;
}

inline std::vector<Guess> guesses_for_tiles(const Numbers& values, size_t threads) {
    return {
        {tiled(values, threads, {.leaves_out_the_edge = true}),
         "In the step of s, lane s did not add what comes from lane 0.",
         "A lane has somebody `step` places to its left where lane >= step."},
        {tiled(values, threads, {.takes_from_the_right = true}),
         "The lanes have added what stands behind them.",
         "__shfl_up_sync brings the value of a lane before one's own, __shfl_down_sync of one behind it."},
        {tiled(values, threads, {.adds_its_own = true}),
         "A lane with nobody so far to its left has got its own value back, and has added it.",
         "All lanes make the shuffle, and those with lane >= step add."},
        {tiled(values, threads, {.first_lane_tells = true}),
         "A warp has left the sum of its first lane, which is that lane's own number.",
         "The sum of lane 31 has all 32 numbers in it: it is the one to leave in warp_sums."},
        {tiled(values, threads, {.first_thread_tells = true}),
         "A tile's sum is that of its first thread, which is that thread's own number.",
         "The sum of the block's last thread has all numbers of the tile in it."},
        {tiled(values, threads, {.warp_sums_stay = true}),
         "To each warp, only the sum of the warp just before it was added.",
         "One warp scans warp_sums and writes the result back; then it holds what all warps so far add "
         "up to."},
        {tiled(values, threads, {.carry_of_the_tile_before = true}),
         "Each tile got what stands before its neighbour.",
         "The scan of the sums is exclusive already: d_before[blockIdx.x] is what stands before tile "
         "blockIdx.x."}};
}

// The guess that gives just these wrong sums; nothing: none does.
inline Cause guessed(std::span<const int> got, const Numbers& right, const std::vector<Guess>& guesses) {
    size_t wrong = 0;
    while (wrong < got.size() && got[wrong] == right[wrong]) ++wrong;
    if (wrong == got.size()) return {};
    for (const Guess& guess : guesses)
        if (std::equal(got.begin(), got.end(), guess.sums.begin(), guess.sums.end()))
            return {detail::at(wrong) + " is " + std::to_string(got[wrong]) + ", expected " +
                        std::to_string(right[wrong]) + ". " + guess.what,
                    guess.next};
    return {};
}

}  // namespace lab::lesson_17_scan
