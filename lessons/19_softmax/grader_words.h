// What a wrong row tells: what its sum was, and what that comes from.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>

#include "lessons/19_softmax/grader_rows.h"

namespace lab::lesson_19_softmax {

constexpr size_t lanes = 32, threads = 256;

struct Words {
    std::string what, next;  // empty: the row tells nothing
};

inline constexpr const char* start_below_all =
    "The maximum starts below all numbers, with -FLT_MAX, and not at 0; then the largest of the row gives "
    "exp(0). FLT_MIN will not do: it is the smallest float above 0.";

// A sum that threads may have ended up with, `threads` of them sharing the row: thread t takes columns t, t + threads, ...
struct Guess {
    double sum;
    Words words;
};

// Each thread's sum is right for its own maximum, and they are added as they are.
inline double sums_as_they_are(const Rows& rows, size_t row, size_t sharing) {
    double sum = 0;
    for (size_t t = 0; t < std::min(sharing, rows.columns); ++t)
        sum += total_of(rows, row, [&](size_t c) { return c % sharing == t; }).sum;
    return sum;
}

// Each thread adds exp(x - the largest so far) and leaves what it had; threads are merged as they should be.
inline double never_rescaled(const Rows& rows, size_t row, size_t sharing) {
    const double most = total_of(rows, row, all_columns).max;
    double sum = 0;
    for (size_t t = 0; t < std::min(sharing, rows.columns); ++t) {
        double max = minus_infinity, own = 0;
        for (size_t c = t; c < rows.columns; c += sharing) {
            max = std::max(max, static_cast<double>(rows.at(row, c)));
            if (!std::isinf(max)) own += std::exp(rows.at(row, c) - max);
        }
        if (!std::isinf(max)) sum += own * std::exp(max - most);
    }
    return sum;
}

// Over some of the columns, against the maximum of the whole row.
template <class Has>
double sum_where(const Rows& rows, size_t row, Has has) {
    const double most = total_of(rows, row, all_columns).max;
    const Total part = total_of(rows, row, has);
    return std::isinf(part.max) ? 0 : part.sum * std::exp(part.max - most);
}

inline std::vector<Guess> guesses_for(const Rows& rows, size_t row) {
    const size_t n = rows.columns;
    const std::string rescale =
        "A sum of exp(x - old maximum) becomes one of exp(x - new maximum) when it is multiplied by "
        "exp(old - new).";
    const double most = total_of(rows, row, all_columns).max, sum = total_of(rows, row, all_columns).sum;
    std::vector<Guess> guesses{
        {sum * std::exp(-most),
         {"The sum was taken against the row's maximum, and the shares were not.",
          "Both in the same way: exp(x - max) in the sum, and exp(x - max) in share."}},
        {sum * std::exp(most),
         {"The shares were taken against the row's maximum, and the sum was not.",
          "Both in the same way: exp(x - max) in share, and exp(x - max) in the sum."}}};
    for (const size_t sharing : {lanes, threads}) {
        const std::string who = sharing == lanes ? "lanes of a warp" : "threads of the block";
        guesses.push_back({sums_as_they_are(rows, row, sharing),
                           {"The " + who +
                                " each took their sum against a maximum of their own, and the sums "
                                "were added as they are.",
                            rescale}});
        guesses.push_back({never_rescaled(rows, row, sharing),
                           {"When a larger number came, the sum so far stayed as it was.", rescale}});
        guesses.push_back({sum_where(rows, row, [&](size_t c) { return c < sharing; }),
                           {fmt::format("Only the first {} numbers of the row are in the sum.", sharing),
                            "Each lane goes on by the number of lanes that share the row, until its end."}});
        guesses.push_back(
            {sum_where(rows, row, [&](size_t c) { return c < n / sharing * sharing; }),
             {fmt::format("The last {} numbers of the row are not in the sum.", n % sharing),
              fmt::format("The row's length is no multiple of {}. Let the loop run for as long as the column "
                          "is below `columns`.",
                          sharing)}});
        guesses.push_back({sum_where(rows, row, [&](size_t c) { return c % sharing == 0; }),
                           {"Only the numbers of the first of the " + who + " are in the sum.",
                            "What each of them knows has to come together: five shuffles in a warp."}});
    }
    guesses.push_back(
        {sum_where(rows, row, [&](size_t c) { return c % threads < lanes; }),
         {"Only the numbers that the block's first warp has read are in the sum.",
          "Each warp leaves its pair in shared memory; after a barrier, all of them are merged."}});
    return guesses;
}

inline Words words_for_sum(const Rows& rows, size_t row, double used, double right) {
    for (const Guess& guess : guesses_for(rows, row))
        if (std::fabs(guess.sum - used) <= 1e-4 * used && std::fabs(guess.sum - right) > 1e-3 * right)
            return guess.words;
    const double times = used / right;
    if (times > 1.5 && std::fabs(times - std::round(times)) < 1e-3)
        return {fmt::format("Each number is in the sum {:.0f} times.", times),
                "Ask of each number which one thread takes it, and of each thread's pair how often it is "
                "merged."};
    return {"The sum that all of its numbers were divided by is wrong.",
            "Look at every place where two sums meet: both have to be taken against the same maximum."};
}

// For a row with numbers that are no numbers.
inline Words words_for_nan(const Rows& rows, size_t row) {
    const double most = total_of(rows, row, all_columns).max;
    if (std::isinf(most))
        return {
            "Every number of this row is -INFINITY, and -INFINITY - -INFINITY is not a number, nor is 0 / 0.",
            "Start the maximum with -FLT_MAX, the lowest number there is, and give 0 where the sum is 0."};
    if (most > 88)
        return {
            fmt::format("The row has numbers up to {:g}. exp(89) is more than a float can hold: infinity, "
                        "and infinity by infinity is not a number.",
                        most),
            "Take the row's largest number off each of them, in the sum and in the shares: exp then gives 1 "
            "at most."};
    if (most < -87)
        return {fmt::format(
                    "The row has numbers up to {:g}, and exp of each of them is 0 in a float: 0 by 0.", most),
                start_below_all};
    return {"Somewhere on the way an infinity was taken from an infinity, or 0 divided by 0.",
            rows.columns < threads
                ? "A thread that has no number has a maximum, too. If that is -INFINITY, two of "
                  "them make exp(-INFINITY - -INFINITY). Start with -FLT_MAX instead."
                : "Look at exp(old - new) where both are -INFINITY: start with -FLT_MAX."};
}

// For a row whose numbers are finite.
inline Words words_for_shares(const Rows& rows, size_t row, std::span<const float> got,
                              std::span<const float> right) {
    const size_t n = rows.columns;
    const Total total = total_of(rows, row, all_columns);
    const size_t top = static_cast<size_t>(std::max_element(right.begin(), right.end()) - right.begin());
    const bool all_zero = std::all_of(got.begin(), got.end(), [](float x) { return x == 0; });
    if (all_zero && total.max < -87)
        return {
            fmt::format(
                "The row has numbers up to {:g}, and exp of each of them is 0 in a float: so is their sum.",
                total.max),
            start_below_all};
    if (all_zero && total.max > 80)
        return {"All shares are 0: the sum was infinity.",
                "Take the row's largest number off each of them before exp, in the sum and in the shares."};
    const auto ratio = [&](size_t c) { return static_cast<double>(got[c]) / right[c]; };
    bool same = true, same_by_lane = true;
    for (size_t c = 0; c < n; ++c) {
        if (right[c] < 1e-30f || std::isnan(got[c])) continue;
        same = same && std::fabs(ratio(c) - ratio(top)) <= 2e-3 * std::fabs(ratio(top));
        if (c >= lanes && right[c % lanes] >= 1e-30f)
            same_by_lane =
                same_by_lane && std::fabs(ratio(c) - ratio(c % lanes)) <= 2e-3 * std::fabs(ratio(c % lanes));
    }
    if (same && ratio(top) > 0) return words_for_sum(rows, row, total.sum / ratio(top), total.sum);
    if (n > lanes && same_by_lane)
        return {"Each lane has divided by a sum of its own: the lanes do not know the same.",
                "All lanes need the row's pair. After a tree with __shfl_down_sync only lane 0 has it; "
                "__shfl_xor_sync gives it to all."};
    if (n > 1 && n <= lanes)
        return {"Its numbers were not divided by one and the same sum.",
                "All lanes need the row's pair. After a tree with __shfl_down_sync only lane 0 has it; "
                "__shfl_xor_sync gives it to all."};
    return {
        "Its numbers were not divided by one and the same sum, or not taken against one and the same "
        "maximum.",
        "In one row, every share needs the same pair: the maximum and the sum of the whole row."};
}

// Why row `row` may have come out as `got`.
inline Words words_for(const Rows& rows, size_t row, std::span<const float> got,
                       std::span<const float> right) {
    const bool got_nan = std::any_of(got.begin(), got.end(), [](float x) { return std::isnan(x); });
    if (std::any_of(right.begin(), right.end(), [](float x) { return std::isnan(x); }))
        return {"The row has a NaN in it, and it has vanished: whoever made it will never hear of it.",
                "Give 0 only where the sum is 0 (sum == 0): a NaN is neither 0, nor above it, nor below. And "
                "let no test in "
                "merge drop it: fmaxf(-INFINITY, NaN) is -INFINITY."};
    if (got_nan) return words_for_nan(rows, row);
    return words_for_shares(rows, row, got, right);
}

}  // namespace lab::lesson_19_softmax
