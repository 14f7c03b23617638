// The numbers that go in, what has to come out (in double), and how far a float may lie from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "lessons/21_mlp_forward/grader_basics.h"
#include "workbench/data/digits.h"

namespace lab::lesson_21_mlp_forward {

using Labels = std::vector<int>;

constexpr double rounding = 0x1p-24;  // of one float operation, as a part of its result

// Shapes of one linear layer.
struct Shape {
    int batch, in, out;
    size_t size() const { return static_cast<size_t>(batch) * static_cast<size_t>(out); }
    std::string text() const {
        return std::to_string(batch) + " x " + std::to_string(in) + " by " + std::to_string(in) + " x " +
               std::to_string(out);
    }
};

constexpr uint64_t seed_of_samples = 2;  // not the row that the network has learned from

// Pixels 0 to 255 as the network saw them when it learned: 0 to 1.
inline Floats scaled_pixels(std::span<const uint8_t> pixels) {
    Floats x;
    for (const uint8_t pixel : pixels) x.push_back(float(pixel) / 255.0f);
    return x;
}

// A batch of generated digits, `first` and on, put behind what x and labels hold.
inline void add_samples(uint64_t first, int count, Floats& x, Labels& labels) {
    for (int i = 0; i < count; ++i) {
        const Digit digit = make_digit(seed_of_samples, first + uint64_t(i));
        const Floats pixels = scaled_pixels(digit.pixels);
        x.insert(x.end(), pixels.begin(), pixels.end());
        labels.push_back(digit.label);
    }
}

// The sample that shows this digit: every ten in a row hold each once.
inline uint64_t index_of_sample(int digit, int which) {
    for (uint64_t i = 10 * uint64_t(which); i < 10 * uint64_t(which) + 10; ++i)
        if (make_digit(seed_of_samples, i).label == digit) return i;
    return 0;
}

inline Labels labels_of(int batch, int classes) {
    Labels labels(static_cast<size_t>(batch));
    for (int row = 0; row < batch; ++row) labels[static_cast<size_t>(row)] = (row * 7 + 3) % classes;
    return labels;
}

// What a linear layer gives, and the sum of the sizes of its terms: no way to add them up rounds by more than
// (in + 1) roundings of that.
struct Sums {
    Doubles values;
    double largest = 0;
};

template <class X>
Sums linear_of(const X& x, const Floats& w, const Floats& b, const Shape& s) {
    Sums sums{Doubles(s.size()), 0};
    for (int row = 0; row < s.batch; ++row)
        for (int col = 0; col < s.out; ++col) {
            double sum = b[static_cast<size_t>(col)], sizes = std::fabs(sum);
            for (int k = 0; k < s.in; ++k) {
                const double term = double(x[at(row, s.in, k)]) * double(w[at(k, s.out, col)]);
                sum += term;
                sizes += std::fabs(term);
            }
            sums.values[at(row, s.out, col)] = sum;
            sums.largest = std::max(sums.largest, sizes);
        }
    return sums;
}

inline Tolerance tolerance_of(const Sums& sums, const Shape& s) {
    return tolerance((s.in + 2) * rounding * sums.largest, 0,
                     "a float rounds each of " + std::to_string(s.in + 1) + " additions");
}

// Softmax and losses of every row.
struct Answers {
    Doubles probabilities, losses;
    double mean = 0;
    double spread = 0;  // the largest distance of a logit from its row's maximum
};

template <class Logits>
Answers answers_of(const Logits& logits, const Labels& labels, int classes) {
    Answers answers;
    const int batch = static_cast<int>(labels.size());
    for (int row = 0; row < batch; ++row) {
        double most = -std::numeric_limits<double>::infinity(), sum = 0;
        for (int c = 0; c < classes; ++c) most = std::max(most, double(logits[at(row, classes, c)]));
        for (int c = 0; c < classes; ++c) {
            const double below = double(logits[at(row, classes, c)]) - most;
            sum += std::exp(below);
            answers.spread = std::max(answers.spread, -below);
        }
        for (int c = 0; c < classes; ++c)
            answers.probabilities.push_back(std::exp(double(logits[at(row, classes, c)]) - most) / sum);
        const size_t label = at(row, classes, labels[static_cast<size_t>(row)]);
        answers.losses.push_back(std::log(sum) - (double(logits[label]) - most));
        answers.mean += answers.losses.back() / batch;
    }
    return answers;
}

// exp(x) of a float that is off by a rounding of x is off by x roundings; a fast one by as much again. Probabilities
// too small for a normal float may be zero.
inline Tolerance tolerance_of_probabilities(const Answers& a, int classes) {
    return tolerance(2e-38, (3 * std::min(a.spread, 90.0) + classes + 12) * rounding,
                     "exp of a rounded float, and a sum of " + std::to_string(classes));
}
inline Tolerance tolerance_of_losses(const Answers& a, int classes) {
    return tolerance((3 * std::min(a.spread, 90.0) + classes + 12) * rounding, 4 * rounding,
                     "log of a rounded sum of " + std::to_string(classes));
}
inline Tolerance tolerance_of_mean(const Answers& a, int classes, int batch) {
    Tolerance each = tolerance_of_losses(a, classes);
    each.relative += (batch + 2) * rounding;  // all losses are positive
    each.why += ", and a sum of " + std::to_string(batch) + " losses";
    return each;
}

}  // namespace lab::lesson_21_mlp_forward
