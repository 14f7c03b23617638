// What a wrong sum tells: which numbers it has, which it has twice, and what that comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "lessons/16_reduction/interface.h"

namespace lab::lesson_16_reduction {

constexpr size_t threads = 128, lanes = 32;

using Numbers = std::vector<long long>;

inline std::string number(double value) {
    return std::to_string(static_cast<long long>(value));
}

inline long long sum_of(const Numbers& values) {
    long long sum = 0;
    for (const long long value : values) sum += value;
    return sum;
}

// Of the numbers of which `has(i)` is true.
template <class Has>
long long sum_where(const Numbers& values, Has has) {
    long long sum = 0;
    for (size_t i = 0; i < values.size(); ++i) sum += has(i) ? values[i] : 0;
    return sum;
}

inline std::vector<int> counting_up(int n) {
    std::vector<int> values(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) values[static_cast<size_t>(i)] = i + 1;
    return values;
}

// n numbers from 1 to 4999, which look like no row: each part of them has a sum of its own. 2051 of them are below 2^24, so
// that floats add them up exactly in any order.
inline std::vector<int> mixed(size_t n) {
    std::vector<int> values(n);
    uint32_t random = 16;
    for (int& value : values) {
        random = random * 1664525u + 1013904223u;
        value = static_cast<int>((random >> 8) % 4999) + 1;
    }
    return values;
}

enum class Tree { shared, shuffles, grid_stride };
struct Shape {
    size_t each;  // numbers that a block takes; grid_stride: threads of the grid
    Tree tree;
};

struct Words {
    std::string what, next;  // empty: the sum tells nothing
};

// A tree over the block's threads that leaves steps out: their sum is in `missing`.
inline Words words_for_steps(long long got, const Numbers& values, size_t first_step, const char* next) {
    const size_t all = 2 * first_step - 1;
    for (size_t missing = 1; missing <= all; ++missing) {
        if (sum_where(values, [&](size_t i) { return (i & missing) == 0; }) != got) continue;
        std::string steps;
        for (size_t step = first_step; step > 0; step /= 2)
            if ((missing & step) != 0) steps += (steps.empty() ? "" : ", ") + std::to_string(step);
        if (missing == all)
            return {"Of each block, only what thread 0 loaded is in it: nobody has added anything to that.",
                    next};
        const bool one = (missing & (missing - 1)) == 0;
        return {"The tree's " + std::string(one ? "step" : "steps") + " of " + steps +
                    (one ? " is" : " are") + " missing: what those threads hold reaches nobody.",
                next};
    }
    return {};
}

inline Words words_for_block(long long got, const Numbers& values, Shape shape) {
    if (shape.each > threads && sum_where(values, [&](size_t i) { return i % shape.each < threads; }) == got)
        return {"Of each block's 256 numbers, only the first 128 are in it.",
                "A thread takes two numbers: number t of the block's, and the one blockDim.x further on."};
    if (shape.each > threads) {
        long long overlapping = 0;  // block b takes 128 * b to 128 * b + 255
        for (size_t block = 0; block * shape.each < values.size(); ++block)
            overlapping += sum_where(
                values, [&](size_t i) { return i >= block * threads && i < block * threads + shape.each; });
        if (overlapping == got)
            return {
                "Neighbouring blocks take the same numbers: some are in it twice, and the last ones not at "
                "all.",
                "A block takes 2 * blockDim.x numbers, so block b begins at b * 2 * blockDim.x."};
    }
    if (shape.tree == Tree::shuffles &&
        sum_where(values, [](size_t i) { return i % threads < lanes; }) == got)
        return {"Of each block, only the first warp's numbers are in it.",
                "Each warp leaves its sum in of_warp; after a barrier, the first warp adds those up."};
    return shape.tree == Tree::shared
               ? words_for_steps(got, values, threads / 2,
                                 "The distances are blockDim.x / 2 and its halves, down to 1: in each round, "
                                 "the threads below s "
                                 "add part[t + s] to part[t].")
               : words_for_steps(got, values, threads / 2,
                                 "A warp's steps are 16, 8, 4, 2 and 1; the first warp makes them once more "
                                 "over the sums of the warps.");
}

inline Words words_for_stride(long long got, const Numbers& values, Shape shape) {
    const size_t whole = values.size() / 4 * 4, all = shape.each;
    const long long right = sum_of(values),
                    rest = right - sum_where(values, [&](size_t i) { return i < whole; });
    if (rest != 0 && got == right - rest)
        return {"The last " + std::to_string(values.size() - whole) +
                    " numbers are missing: n / 4 float4s do not "
                    "reach them.",
                "Let single threads of the grid take what is left over of n / 4."};
    if (rest != 0 && got > right && (got - right) % rest == 0)
        return {"The numbers behind the last whole float4 are in it " +
                    std::to_string((got - right) / rest + 1) + " times.",
                "Each of them belongs to one thread of the whole grid, not to one of each block."};
    if (all < values.size() && sum_where(values, [&](size_t i) { return i < 4 * all; }) == got)
        return {"Each thread took one float4 and stopped.",
                "Let each thread go on by the number of threads of the grid until n / 4 is reached."};
    const long long each_all = right * static_cast<long long>(all / threads);
    if (all > threads && std::llabs(got - each_all) <= each_all / 100000)  // so large, floats round
        return {"Each block added up all of the numbers.",
                "Begin at the thread's number in the grid, and go on by gridDim.x * blockDim.x."};
    return {};
}

// Why the sum may have come out as `got`; empty words: no guess fits.
inline Words words_for(long long got, const Numbers& values, Shape shape) {
    const long long right = sum_of(values), garbage = 1000003;
    if (got == garbage)
        return {"That is what was there before: nobody wrote it.",
                "The sum's memory has to be zeroed, and each block adds to it."};
    if (got == right + garbage)
        return {"What was in d_sum before the call is still in it.",
                "Zero it before the launch: cudaMemset(d_sum, 0, ...)."};
    if (got == 0 && right != 0)
        return {"The blocks added nothing.",
                "See that what the block's threads hold comes down to thread 0."};
    const Words words = shape.tree == Tree::grid_stride ? words_for_stride(got, values, shape)
                                                        : words_for_block(got, values, shape);
    if (!words.what.empty() || got == right) return words;
    if (got == 0)
        return {"The blocks added nothing.",
                "See that what the block's threads hold comes down to thread 0."};
    if (got > right)
        return {
            "It is too large: some numbers are in it more than once.",
            "Ask of each number which one thread takes it, in particular where one thread's part ends and "
            "the next one's begins."};
    return {
        "It is too small: some numbers are not in it.",
        "Ask of each number which one thread takes it, in particular the last one of each thread's part."};
}

}  // namespace lab::lesson_16_reduction
