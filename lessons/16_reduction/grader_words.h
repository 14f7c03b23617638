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

// A table of slips is asked in order: the first whose sum is the one that came out.
struct Slip {
    long long sum;
    Words words;
};

inline Words first_fit(long long got, long long right, const std::vector<Slip>& slips) {
    for (const Slip& slip : slips) {
        const long long room =
            std::llabs(slip.sum) < 1 << 24 ? 0 : std::llabs(slip.sum) / 100000;  // floats round
        if (slip.sum != right && std::llabs(got - slip.sum) <= room) return slip.words;
    }
    return {};
}

// Numbers that a thread of step 2 takes, where block b begins at `begin(b)` and a thread's second number lies `apart` behind
// its first.
template <class Begin>
long long sum_of_pairs(const Numbers& values, Begin begin, size_t apart) {
    const auto value = [&](size_t i) { return i < values.size() ? values[i] : 0; };
    long long sum = 0;
    for (size_t block = 0; block * 2 * threads < values.size(); ++block)
        for (size_t t = 0; t < threads; ++t) sum += value(begin(block) + t) + value(begin(block) + t + apart);
    return sum;
}

inline std::vector<Slip> slips_of_first_add(const Numbers& values) {
    const auto right_begin = [](size_t block) { return block * 2 * threads; };
    const size_t n = values.size();
    const auto partner_is_there = [n](size_t i) {
        return i % (2 * threads) < threads ? i + threads < n : i < n;
    };
    std::vector<Slip> slips{
        {sum_where(values, [](size_t i) { return i % (2 * threads) < threads; }),
         {"Of each block's 256 numbers, only the first 128 are in it.",
          "A thread takes two numbers: number t of the block's, and the one blockDim.x further on."}},
        {sum_where(values, partner_is_there),
         {"Where a thread's second number lies past the end, its first is missing as well.",
          "Give each of the two a guard of its own: the first counts if it is below n, whatever the second "
          "does."}},
        {sum_of_pairs(
             values, [](size_t) { return size_t{0}; }, threads),
         {"Every block took the first block's numbers, and nobody those of the others.",
          "Block b begins behind the blocks before it: at b * 2 * blockDim.x. Add that to threadIdx.x."}},
    };
    for (const size_t each : {size_t{1}, size_t{2}, threads, 4 * threads})
        slips.push_back(
            {sum_of_pairs(
                 values, [each](size_t block) { return block * each; }, threads),
             {each < 2 * threads ? "Neighbouring blocks take the same numbers: each begins " +
                                       std::to_string(each) + " after the one before, and takes 256."
                                 : "Each block begins 512 numbers after the one before, and takes 256.",
              "A block takes 2 * blockDim.x numbers, so block b begins at b * 2 * blockDim.x."}});
    for (const size_t apart :
         {size_t{0}, size_t{1}, lanes, threads / 2, threads - 1, threads + 1, 2 * threads})
        slips.push_back(
            {sum_of_pairs(values, right_begin, apart),
             {apart == 0 ? "A thread takes its first number twice."
                         : "A thread's second number lies " + std::to_string(apart) +
                               " behind its first: some are taken twice and others never.",
              "The block's 128 threads take 128 numbers side by side, then the next 128: the second "
              "lies blockDim.x behind the first."}});
    return slips;
}

// Loops of the tree in shared memory that go the wrong way, and shuffles that do not end in lane 0.
inline std::vector<Slip> slips_of_tree(const Numbers& values, Shape shape) {
    const auto of_thread = [&](auto has) {  // number i goes to thread i % threads of its block
        return sum_where(values, [&](size_t i) { return has(i % threads); });
    };
    if (shape.tree == Tree::shared)
        return {
            {of_thread([](size_t t) { return (t & (t - 1)) == 0; }),
             {"Of each block, only what threads 0, 1, 2, 4, 8 and so on loaded is in it: s goes up, and a "
              "thread adds what its partner has not gathered yet.",
              "Begin with the upper half and go down: s is blockDim.x / 2, then half of it, down to 1."}}};
    const long long right = sum_of(values), first_threads = of_thread([](size_t t) { return t == 0; });
    const Words too_far{
        "It is too large by a factor of 2 or 4: where a shuffle points past the end of the warp, a lane gets "
        "its own "
        "number back, and adds it.",
        "A warp's steps are 16, 8, 4, 2 and 1. A step of 32 leaves the warp."};
    return {{of_thread([](size_t t) { return t < lanes; }),
             {"Of each block, only the first warp's numbers are in it.",
              "Each warp leaves its sum in of_warp; after a barrier, the first warp adds those up."}},
            {1024 * first_threads,
             {"It is made of thread 0's own numbers, added to themselves: nobody is below lane 0, so a "
              "shuffle up "
              "gives it its own number back.",
              "The sum has to come down to lane 0: __shfl_down_sync, from lane + step."}},
            {2 * right, too_far},
            {4 * right, too_far}};
}

inline Words words_for_block(long long got, const Numbers& values, Shape shape) {
    const long long right = sum_of(values);
    if (shape.each > threads)
        if (const Words words = first_fit(got, right, slips_of_first_add(values)); !words.what.empty())
            return words;
    if (const Words words = first_fit(got, right, slips_of_tree(values, shape)); !words.what.empty())
        return words;
    return words_for_steps(got, values, threads / 2,
                           shape.tree == Tree::shared ? "The distances are blockDim.x / 2 and its halves, "
                                                        "down to 1: in each round, the threads below s "
                                                        "add part[t + s] to part[t]."
                                                      : "A warp's steps are 16, 8, 4, 2 and 1; the first "
                                                        "warp makes them once more over the sums of the "
                                                        "warps.");
}

// What threads of the last step take, of the whole float4s alone: thread g begins at begin(g) and goes on by `stride`.
template <class Begin>
long long sum_of_walks(const Numbers& values, size_t all, Begin begin, size_t stride) {
    const size_t fours = values.size() / 4;
    long long sum = 0;
    for (size_t g = 0; g < all; ++g)
        for (size_t i = begin(g); i < fours; i += stride)
            sum += values[4 * i] + values[4 * i + 1] + values[4 * i + 2] + values[4 * i + 3];
    return sum;
}

inline std::vector<Slip> slips_of_walk(const Numbers& values, size_t all) {
    const size_t fours = values.size() / 4, whole = 4 * fours, blocks = all / threads;
    const auto of_grid = [](size_t g) { return g; };
    const auto of_block = [](size_t g) { return g % threads; };
    const auto of_whole = [&](auto has) {
        return sum_where(values, [&](size_t i) { return i < whole && has(i); });
    };
    const Words ends_too_soon{"Each thread took one float4 and stopped.",
                              "Let i go on by the number of threads of the grid until n / 4 is reached: i "
                              "counts float4s, not floats."};
    std::vector<Slip> slips{
        {of_whole([&](size_t i) { return i < 4 * all; }), ends_too_soon},
        {sum_of_walks(values, all, of_block, threads),
         {"Each block added up all of the numbers.",
          "Begin at the thread's number in the grid, and go on by gridDim.x * blockDim.x."}},
        {sum_of_walks(values, all, of_block, all),
         {"Every block begins at the first float4: the first 128 of each round are in it more than once, the "
          "others "
          "never.",
          "A thread begins at its number in the grid: blockIdx.x * blockDim.x + threadIdx.x."}},
        {sum_of_walks(values, all, of_grid, threads),
         {"Each block goes on by its own 128 threads, over the numbers of the blocks behind it: those are in "
          "it more "
          "than once.",
          "Go on by the threads of the whole grid: gridDim.x * blockDim.x."}},
        {sum_of_walks(values, all, of_grid, blocks),
         {"Threads go on by the number of blocks, " + std::to_string(blocks) +
              ": one walks over what its neighbours take, and numbers are in it more than once.",
          "Go on by the threads of the whole grid: gridDim.x * blockDim.x."}},
        {of_whole([](size_t i) { return i / 4 % 4 == 0; }),
         {"Only every fourth float4 is in it.",
          "i counts float4s already: begin at the thread's number, go on by the number of threads, and read "
          "d_four[i]."}},
        {of_whole([&](size_t i) { return i / 4 + all >= fours; }),
         {"Of each thread, only its last float4 is in it: each round threw the sum of those before away.",
          "Add to the sum in every round: sum += ..."}},
        {sum_of_walks(
             values, all, [&](size_t g) { return g % threads == 0 ? g : fours; }, all),
         {"Of each block, only what its thread 0 took is in it.",
          "All 128 threads have a sum by now. Let block_sum add them up before thread 0 carries the result "
          "away."}}};
    constexpr const char* names = "xyzw";
    for (unsigned mask = 1; mask < 15; ++mask) {
        std::string left_out;
        for (unsigned c = 0; c < 4; ++c)
            if ((mask >> c & 1) == 0) left_out += (left_out.empty() ? "" : ", ") + std::string(1, names[c]);
        slips.push_back({of_whole([&](size_t i) { return (mask >> i % 4 & 1) != 0; }),
                         {"Of each float4, the component " + left_out + " is missing.",
                          "Four numbers come in a float4: add up x, y, z and w."}});
        if (left_out.size() > 1) slips.back().words.what = "Of each float4, " + left_out + " are missing.";
    }
    return slips;
}

// The numbers behind the last whole float4.
inline Words words_for_rest(long long got, const Numbers& values) {
    const size_t n = values.size(), whole = n / 4 * 4;
    const auto sum_from = [&](size_t first) {
        return sum_where(values, [&](size_t i) { return i >= first && i < first + (n - whole); });
    };
    const long long right = sum_of(values), rest = sum_from(whole);
    const std::string last =
        n - whole == 1 ? "The last number is" : "The last " + std::to_string(n - whole) + " numbers are";
    const std::string next =
        "Let single threads of the grid take what is left over of n / 4: " +
        std::string("thread 0 of the grid takes number n / 4 * 4, thread 1 the one behind it.");
    if (rest == 0) return {};
    if (got == right - rest)
        return {n < 4
                    ? "n / 4 is 0 here: there is no whole float4, and nobody took the " + std::to_string(n) +
                          (n == 1 ? " number that is left over." : " numbers that are left over.")
                    : last + " missing: n / 4 float4s do not reach them.",
                next};
    if (got == right - rest + sum_from(0))
        return {last + " missing, and as many at the beginning of the share counted twice.",
                "What is left over begins behind the whole float4s: at number n / 4 * 4 of the share."};
    if (got > right && (got - right) % rest == 0)
        return {"The numbers behind the last whole float4 are in it " +
                    std::to_string((got - right) / rest + 1) + " times.",
                "Each of them belongs to one thread of the whole grid, not to one of each block."};
    return {};
}

inline Words words_for_stride(long long got, const Numbers& values, Shape shape) {
    const size_t whole = values.size() / 4 * 4;
    const long long right = sum_of(values), blocks = static_cast<long long>(shape.each / threads),
                    rest = sum_where(values, [&](size_t i) { return i >= whole; });
    if (const Words words = words_for_rest(got, values); !words.what.empty()) return words;
    if (whole == 0) return {};
    const std::vector<Slip> slips = slips_of_walk(values, shape.each);
    for (const long long left_over : {rest, 0LL, blocks * rest})  // with the rest as it should be, or not
        if (const Words words = first_fit(got - left_over, right - rest, slips); !words.what.empty())
            return words;
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
    if (got > right && got < right + garbage && got >= right + garbage - 255)
        return {"Part of what was in d_sum before the call is still in it.",
                "cudaMemset counts bytes, not numbers: sizeof(float) of them."};
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
