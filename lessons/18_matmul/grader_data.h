// Matrices to multiply, their product, and products that come out of known mistakes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lesson_18 {

constexpr int tile = 32, side = 128, depth = 8;  // as the solution has them

// Small whole numbers everywhere: sums stay below 2^24, so every order of adding gives the same floats.
struct Problem {
    int m, n, k;
    std::vector<float> a, b;

    Problem(int rows, int columns, int inner) : m(rows), n(columns), k(inner) {
        a = numbers(m, k, 7u);
        b = numbers(k, n, 5u);
    }
    double multiply_adds() const { return double(m) * n * k; }
    // Of columns from .. to - 1 of A and these rows of B; all: the product.
    std::vector<float> product(int from, int to) const {
        std::vector<float> c(size_t(m) * size_t(n), 0);
        for (int row = 0; row < m; ++row)
            for (int i = std::max(from, 0); i < std::min(to, k); ++i)
                for (int column = 0; column < n; ++column)
                    c[at(row, column, n)] += a[at(row, i, k)] * b[at(i, column, n)];
        return c;
    }
    std::vector<float> product() const { return product(0, k); }
    static size_t at(int row, int column, int columns) {
        return size_t(row) * size_t(columns) + size_t(column);
    }

  private:
    // 1 to 9, without a pattern that a shift by a row or a tile repeats.
    static std::vector<float> numbers(int rows, int columns, unsigned random) {
        std::vector<float> values(size_t(rows) * size_t(columns));
        for (float& value : values) {
            random = random * 1664525u + 1013904223u;
            value = static_cast<float>(1 + (random >> 16) % 9);
        }
        return values;
    }
};

// What a mistake with a name would give.
struct Guess {
    std::vector<float> values;
    const char* cause;
    const char* next;
};

inline std::vector<float> transposed(const Problem& p, const std::vector<float>& c) {
    std::vector<float> turned(c.size());
    for (int row = 0; row < p.m; ++row)
        for (int column = 0; column < p.n; ++column)
            turned[p.at(column, row, p.m)] = c[p.at(row, column, p.n)];
    return turned;
}

// step: how many columns of A a step of the kernel takes.
inline std::vector<Guess> guesses(const Problem& p, int step) {
    const int last = (p.k - 1) / step * step;
    std::vector<Guess> all{
        {std::vector<float>(size_t(p.m) * size_t(p.n), 0),
         "Every element is 0: nothing was added up, or each product threw the sum before it away.",
         step == tile ? "In each step, each thread adds to its sum the products of all that the tiles hold: "
                        "+=. (What lies "
                        "outside of the matrix is 0, so the last product is 0 here.)"
                      : "In each step, each thread adds 64 products for each of the 8 lines: +=. If it does, "
                        "look at what "
                        "load_four returns where `columns` is a multiple of 4."},
        {p.product(0, p.k / step * step),
         "The products of the last columns of A and rows of B are missing: k is no multiple of the step.",
         "Round the number of steps up, and put 0 into the part of a tile that sticks out of the matrix."},
        {p.product(last, p.k), "That is the product of the last tiles alone: each step began its sum again.",
         "Set the sum to 0 once, before the first step, and add to it in every step."},
        {p.product(0, step), "That is the product of the first tiles alone.",
         "Go on by one tile in each step, to the right in A and down in B, until k is reached."},
        {transposed(p, p.product()), "C came out with rows and columns exchanged.",
         "A row of C has n elements: d_c[row * n + column]. x counts columns, y counts rows."},
    };
    return all;
}

}  // namespace lesson_18
