// What the grader of lesson 17 says: what a finding means here, and what wrong sums have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab::lesson_17_scan {

using Numbers = std::vector<int>;

inline Numbers sums_before(const Numbers& values) {
    Numbers sums(values.size());
    int sum = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        sums[i] = sum;
        sum += values[i];
    }
    return sums;
}

// For findings of `kind` (empty: any race) at `buffer` (empty: any) whose message has `part`.
struct Advice {
    std::string_view kind, buffer, part;
    std::string what;  // goes before the machine's own sentence
    const char* next;
};
inline const Advice advices[] = {
    {"", "sums", "", "In a step, a number is read by one thread and changed by another: ",
     "Two barriers a step: one when all have read what stands to their left, one when all have written. One "
     "more "
     "goes before the first step."},
    {"", "tree", "", "A sum of the tree is used before its thread has written it: ",
     "Each step of a sweep needs what other threads wrote in the step before, and so does the end: a "
     "__syncthreads() "
     "before each step and one after the last."},
    {"", "warp_sums", "", "A warp's sum is used while another warp may still be writing it: ",
     "One barrier when every warp has left its sum, one more when these sums are scanned."},
    {"global-race", "", "", "Two blocks meet at one number: ",
     "Within a kernel no block may count on what another has written. Write the tiles in one launch and add "
     "what "
     "stands before them in the next, or pass it on by atomics with a state."},
    {"shfl-mask", "", "", "A shuffle is for all lanes that its mask names: ",
     "Let all 32 lanes make the call; the condition decides who adds what it got."},
    {"oob-shared", "", "", "A number stands behind the room that the launch asked for: ",
     "With a place left free after every 32 numbers, the tree takes numbers + numbers / 32 places. A step "
     "must not "
     "reach past the last number either."},
    {"barrier-divergence", "", "", "Some threads of the block never come to this barrier: ",
     "Take __syncthreads() out of the condition. Threads with nothing to add still wait with the others."},
};

struct Cause {
    std::string what, next;  // empty: not known, or nothing is wrong
};

namespace detail {

inline std::string at(size_t i) {
    return "out[" + std::to_string(i) + "]";
}

inline bool is_inclusive(std::span<const int> got, const Numbers& right, const Numbers& values) {
    for (size_t i = 0; i < got.size(); ++i)
        if (got[i] != right[i] + values[i]) return false;
    return got.size() > 1;
}

// How many numbers before it each has added up, where that is the same for all; 0: it is not.
inline size_t window_of(std::span<const int> got, const Numbers& right) {
    for (size_t window = 1; window < got.size(); window *= 2) {
        bool fits = true;
        for (size_t i = 0; i < got.size() && fits; ++i)
            fits = got[i] == right[i] - (i > window ? right[i - window] : 0);
        if (fits) return window;
    }
    return 0;
}

// Where `from` and the seven behind it are off by the same amount: that amount.
inline bool is_off_alike(std::span<const int> got, const Numbers& right, size_t from) {
    const int off = got[from] - right[from];
    for (size_t i = from; i < std::min(got.size(), from + 8); ++i)
        if (got[i] - right[i] != off) return false;
    return true;
}

}  // namespace detail

// What the wrong sums have in common. `got` and `right` are as long as `values`.
inline Cause cause_of(std::span<const int> got, const Numbers& right, const Numbers& values) {
    using detail::at;
    size_t wrong = 0;
    while (wrong < got.size() && got[wrong] == right[wrong]) ++wrong;
    if (wrong == got.size()) return {};
    const std::string begins =
        at(wrong) + " is " + std::to_string(got[wrong]) + ", expected " + std::to_string(right[wrong]) + ". ";
    if (detail::is_inclusive(got, right, values))
        return {begins + "Every sum has the number itself in it: that is the inclusive scan.",
                "Exclusive is what stands before it: take the sum of the one to the left, or take the number "
                "off again. out[0] is 0."};
    if (const size_t window = detail::window_of(got, right); window > 0)
        return {
            begins + "Each has the sum of the " + std::to_string(window) + " numbers before it, and no more.",
            "A step doubles how many numbers a sum holds. Go on for as long as the step is smaller than the "
            "block."};
    if (!detail::is_off_alike(got, right, wrong)) return {};
    const int missing = right[wrong] - got[wrong];
    for (size_t k = 1; k <= wrong; ++k)
        if (right[k] == missing)
            return {begins + "From " + at(wrong) + " on, the sum of in[0.." + std::to_string(k - 1) +
                        "] is missing" + (k == wrong ? ": the sums begin again at 0." : "."),
                    "To each tile, add the sum of all tiles before it: scan the sums of the tiles, whatever "
                    "their "
                    "number, and of the warps within a tile."};
    for (size_t k = wrong + 1; k < right.size(); ++k)
        if (right[k] - right[wrong] == -missing)
            return {begins + "From " + at(wrong) + " on, in[" + std::to_string(wrong) + ".." +
                        std::to_string(k - 1) + "] was added though it does not stand before it.",
                    "What a tile or a warp adds must stop before its own numbers: the exclusive scan of the "
                    "sums."};
    if (wrong > 0 && missing == values[wrong - 1])
        return {begins + "in[" + std::to_string(wrong - 1) + "], the number before it, is missing in it.",
                "What a part adds up to has its last number in it: the inclusive sum of the last thread."};
    return {begins + "From there on, several are off by the same amount, " + std::to_string(-missing) + ".",
            "Within that part the sums are right; what stands before the part is not. There may be more sums "
            "of tiles "
            "than a block has threads: scan them like any other array."};
}

}  // namespace lab::lesson_17_scan
