// What exercise 20 is given, and what should come out, worked out with doubles.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace lab::lesson_20_libraries {

using Floats = std::vector<float>;

// Small whole numbers: products and sums of them are exact in floats.
inline Floats whole_numbers(size_t count, unsigned seed) {
    Floats values(count);
    for (size_t i = 0; i < count; ++i) {
        unsigned x = static_cast<unsigned>(i) * 2654435761u + seed * 40503u;
        x = (x ^ x >> 15) * 0x2c1b3c6du;
        values[i] = static_cast<float>(static_cast<int>((x >> 17) % 9) - 4);
    }
    return values;
}

// Rows of a model with a constant, a slope, and more columns that have little to do with each other.
inline Floats measured_at(int m, int n) {
    Floats a = whole_numbers(static_cast<size_t>(m) * static_cast<size_t>(n), 20);
    for (int r = 0; r < m; ++r) {
        float* row = a.data() + static_cast<size_t>(r) * static_cast<size_t>(n);
        row[0] = 1;
        if (n > 1) row[1] = static_cast<float>(r % 16) / 4 - 2;
    }
    return a;
}

// What row times (1, 2, 3, ...) gives, and up to 2 beside it.
inline Floats measured(const Floats& a, int m, int n) {
    Floats y(static_cast<size_t>(m));
    for (size_t r = 0; r < y.size(); ++r) {
        float sum = static_cast<float>(static_cast<int>(r * 7 % 9) - 4) / 2;
        for (size_t c = 0; c < static_cast<size_t>(n); ++c)
            sum += a[r * static_cast<size_t>(n) + c] * static_cast<float>(c + 1);
        y[r] = sum;
    }
    return y;
}

// How a wrong call reads and writes a matrix: element (i, j) lies at i * across + j * down.
struct Steps {
    size_t across, down;
};

// Of m rows and n columns, in which `to` is where an element of c lies.
inline Floats product(const Floats& a, const Floats& b, size_t m, size_t n, size_t k, Steps in_a, Steps in_b,
                      Steps to) {
    Floats c(m * n);
    for (size_t i = 0; i < m; ++i)
        for (size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (size_t l = 0; l < k; ++l)
                sum += double(a[i * in_a.across + l * in_a.down]) * b[l * in_b.across + j * in_b.down];
            c[i * to.across + j * to.down] = static_cast<float>(sum);
        }
    return c;
}
inline Floats product(const Floats& a, const Floats& b, size_t m, size_t n, size_t k) {
    return product(a, b, m, n, k, {k, 1}, {n, 1}, {n, 1});
}

// Transpose of a times b: n x columns.
inline std::vector<double> transposed_times(const Floats& a, const Floats& b, size_t m, size_t n,
                                            size_t columns) {
    std::vector<double> c(n * columns);
    for (size_t r = 0; r < m; ++r)
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < columns; ++j)
                c[i * columns + j] += double(a[r * n + i]) * b[r * columns + j];
    return c;
}

// The fit of y by a, by Gauss's elimination with pivots on the normal equations.
inline std::vector<double> fit_of(const Floats& a, const Floats& y, size_t m, size_t n) {
    std::vector<double> g = transposed_times(a, a, m, n, n), x = transposed_times(a, y, m, n, 1);
    for (size_t j = 0; j < n; ++j) {
        size_t pivot = j;
        for (size_t i = j + 1; i < n; ++i)
            if (std::fabs(g[i * n + j]) > std::fabs(g[pivot * n + j])) pivot = i;
        for (size_t k = 0; k < n; ++k) std::swap(g[j * n + k], g[pivot * n + k]);
        std::swap(x[j], x[pivot]);
        for (size_t i = j + 1; i < n; ++i) {
            const double factor = g[i * n + j] / g[j * n + j];
            for (size_t k = j; k < n; ++k) g[i * n + k] -= factor * g[j * n + k];
            x[i] -= factor * x[j];
        }
    }
    for (size_t j = n; j-- > 0;) {
        for (size_t k = j + 1; k < n; ++k) x[j] -= g[j * n + k] * x[k];
        x[j] /= g[j * n + j];
    }
    return x;
}

struct Moments {
    double mean = 0, deviation = 0;
};
inline Moments moments_of(const Floats& values) {
    Moments m;
    for (const float v : values) m.mean += v;
    m.mean /= static_cast<double>(values.size());
    for (const float v : values) m.deviation += (v - m.mean) * (v - m.mean);
    m.deviation = std::sqrt(m.deviation / static_cast<double>(values.size()));
    return m;
}

}  // namespace lab::lesson_20_libraries
