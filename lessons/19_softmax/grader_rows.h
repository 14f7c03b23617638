// The rows that exercise 19 is tried with, and what must come out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace lab::lesson_19_softmax {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

struct Rows {
    size_t rows = 0, columns = 0;
    std::vector<float> values{};
    float at(size_t row, size_t column) const { return values[row * columns + column]; }
};

// Fills each number with value(row, column).
template <class Value>
Rows make_rows(size_t rows, size_t columns, Value value) {
    Rows made{rows, columns, {}};
    made.values.reserve(rows * columns);
    for (size_t r = 0; r < rows; ++r)
        for (size_t c = 0; c < columns; ++c) made.values.push_back(value(r, c));
    return made;
}

// From centre - 4 to centre + 4, no two rows alike.
inline Rows mixed(size_t rows, size_t columns, float centre = 0) {
    uint32_t random = 19;
    return make_rows(rows, columns, [&](size_t, size_t) {
        random = random * 1664525u + 1013904223u;
        return centre + static_cast<float>(random >> 15) / static_cast<float>(1 << 14) - 4;
    });
}

// Row 0 rises from -20 to 20, so that each number is the largest so far; row 1 falls; row 2 is the same throughout.
inline Rows slopes(size_t columns) {
    const float step = 40.0f / static_cast<float>(std::max<size_t>(columns - 1, 1));
    return make_rows(3, columns, [&](size_t row, size_t column) {
        const float rising = step * static_cast<float>(column) - 20;
        return row == 0 ? rising : row == 1 ? -rising : 3.25f;
    });
}

// Of each row a part is -INFINITY: none, the even columns, all but the last number, all.
inline Rows masked(size_t columns) {
    Rows rows = mixed(4, columns);
    for (size_t c = 0; c < columns; ++c) {
        if (c % 2 == 0 && columns > 1) rows.values[columns + c] = minus_infinity;
        if (c + 1 < columns) rows.values[2 * columns + c] = minus_infinity;
        rows.values[3 * columns + c] = minus_infinity;
    }
    return rows;
}

// A row's largest number and the sum of exp(x - max), over the numbers that `has(column)` names. Twice as many digits as
// a float has.
struct Total {
    double max = minus_infinity, sum = 0;
};
template <class Has>
Total total_of(const Rows& rows, size_t row, Has has) {
    Total total;
    for (size_t c = 0; c < rows.columns; ++c)
        if (has(c)) total.max = std::max(total.max, static_cast<double>(rows.at(row, c)));
    if (std::isinf(total.max)) return total;
    for (size_t c = 0; c < rows.columns; ++c)
        if (has(c)) total.sum += std::exp(static_cast<double>(rows.at(row, c)) - total.max);
    return total;
}

inline bool all_columns(size_t) {
    return true;
}

inline std::vector<float> softmax_of(const Rows& rows) {
    std::vector<float> shares;
    shares.reserve(rows.values.size());
    for (size_t r = 0; r < rows.rows; ++r) {
        const Total total = total_of(rows, r, all_columns);
        bool has_nan = false;
        for (size_t c = 0; c < rows.columns; ++c) has_nan = has_nan || std::isnan(rows.at(r, c));
        for (size_t c = 0; c < rows.columns; ++c)
            shares.push_back(has_nan ? std::numeric_limits<float>::quiet_NaN()
                             : total.sum == 0
                                 ? 0.0f
                                 : static_cast<float>(std::exp(rows.at(r, c) - total.max) / total.sum));
    }
    return shares;
}

// How far below its row's largest a number lies, at most, as far as it shows: exp(-104) is 0 in a float.
inline double range_of(const Rows& rows) {
    double range = 0;
    for (size_t r = 0; r < rows.rows; ++r) {
        const Total total = total_of(rows, r, all_columns);
        for (size_t c = 0; c < rows.columns; ++c)
            if (const double below = total.max - rows.at(r, c); below < 104) range = std::max(range, below);
    }
    return range;
}

// In parts of the result. Of a difference d, a float keeps d * 2^-24, and expf is as far off again; up to three exps make a
// share. A sum over lanes goes through columns / 32 + 32 roundings.
inline double tolerance_of(const Rows& rows) {
    return std::ldexp(1.0, -24) * (static_cast<double>(rows.columns) / 32 + 32 + 8 * (range_of(rows) + 4));
}

}  // namespace lab::lesson_19_softmax
