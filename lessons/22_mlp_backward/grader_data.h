// The networks that go in, the gradients that have to come out (in double), and how far a float may lie from them.
#pragma once

#include <functional>

#include "lessons/21_mlp_forward/grader_data.h"
#include "workbench/data/network.h"

namespace lab::lesson_22_mlp_backward {

using lesson_21_mlp_forward::add_samples;
using lesson_21_mlp_forward::at;
using lesson_21_mlp_forward::Doubles;
using lesson_21_mlp_forward::Floats;
using lesson_21_mlp_forward::index_of_sample;
using lesson_21_mlp_forward::Labels;
using lesson_21_mlp_forward::labels_of;
using lesson_21_mlp_forward::numbers;
using lesson_21_mlp_forward::rounding;
using lesson_21_mlp_forward::scaled_pixels;
using lesson_21_mlp_forward::Shape;

inline Floats floats_of(const Doubles& values) {
    return Floats(values.begin(), values.end());
}

// A matrix of results and the largest sum of the sizes of an element's terms: no way to add them up rounds by more
// than a rounding of that for each.
struct Gradient {
    int rows = 0, columns = 0, terms = 0;
    double largest = 0;
    Doubles values;

    double of(int row, int column) const { return values[at(row, columns, column)]; }
    Tolerance tolerance() const {
        return lab::tolerance((terms + 3) * rounding * largest, 2 * rounding,
                              "a float rounds each of " + std::to_string(terms) + " additions");
    }
};

// Element (row, column) is the sum of term(row, column, i) for i below terms.
template <class Term>
Gradient gradient_of(int rows, int columns, int terms, Term term) {
    Gradient g{rows, columns, terms, 0, {}};
    g.values.reserve(at(rows, columns, 0));
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            double sum = 0, sizes = 0;
            for (int i = 0; i < terms; ++i) {
                const double value = term(row, column, i);
                sum += value;
                sizes += std::fabs(value);
            }
            g.values.push_back(sum);
            g.largest = std::max(g.largest, sizes);
        }
    return g;
}

template <class P>
Gradient dlogits_of(const P& probabilities, const Labels& labels, int classes) {
    const int batch = int(labels.size());
    return gradient_of(batch, classes, 2, [&](int row, int c, int i) {
        const double part =
            i == 0 ? double(probabilities[at(row, classes, c)]) : (c == labels[size_t(row)] ? -1.0 : 0.0);
        return part / batch;
    });
}
template <class X, class Y>
Gradient dw_of(const X& x, const Y& dy, const Shape& s) {
    return gradient_of(s.in, s.out, s.batch, [&](int k, int col, int row) {
        return double(x[at(row, s.in, k)]) * double(dy[at(row, s.out, col)]);
    });
}
template <class Y>
Gradient db_of(const Y& dy, const Shape& s) {
    return gradient_of(1, s.out, s.batch,
                       [&](int, int col, int row) { return double(dy[at(row, s.out, col)]); });
}
template <class Y>
Gradient dx_of(const Y& dy, const Floats& w, const Shape& s) {
    return gradient_of(s.batch, s.in, s.out, [&](int row, int k, int col) {
        return double(dy[at(row, s.out, col)]) * double(w[at(k, s.out, col)]);
    });
}
// Where y is 0 or less, nothing is left.
inline void mask(Gradient& g, const Floats& y) {
    for (size_t i = 0; i < y.size(); ++i)
        if (!(y[i] > 0)) g.values[i] = 0;
}

// A network, its pictures, and what they show.
struct Question {
    Floats x;
    Labels labels;
    LearnedNetwork network;
    Shape first() const { return {int(labels.size()), network.in, network.hidden}; }
    Shape second() const { return {int(labels.size()), network.hidden, network.out}; }
};

inline LearnedNetwork made_up(int in, int hidden, int out) {
    const auto some = [](int rows, int columns, uint32_t seed) {
        return numbers(at(rows, columns, 0), seed);
    };
    return {in, hidden, out, some(in, hidden, 1), some(1, hidden, 2), some(hidden, out, 3), some(1, out, 4)};
}

// What the forward pass leaves behind, in double.
struct Passed {
    Doubles hidden, logits, probabilities, losses;
    double mean = 0;
};

inline Passed forward_of(const Question& q) {
    const LearnedNetwork& net = q.network;
    Passed passed;
    passed.hidden = lesson_21_mlp_forward::linear_of(q.x, net.w1, net.b1, q.first()).values;
    for (double& value : passed.hidden) value = std::max(value, 0.0);
    passed.logits = lesson_21_mlp_forward::linear_of(passed.hidden, net.w2, net.b2, q.second()).values;
    auto answers = lesson_21_mlp_forward::answers_of(passed.logits, q.labels, net.out);
    passed.probabilities = std::move(answers.probabilities);
    passed.losses = std::move(answers.losses);
    passed.mean = answers.mean;
    return passed;
}

// The loss with one weight moved either way, as a slope. No ReLU may change sides in between: there the loss has a
// corner, and no slope.
struct Nudge {
    double slope = 0;
    bool corner = false;
};

inline Nudge nudged(const Question& q, Floats LearnedNetwork::*weights, size_t i) {
    constexpr float by = 0x1p-10f;
    Question up = q, down = q;
    float& above = (up.network.*weights)[i];
    float& below = (down.network.*weights)[i];
    above += by;
    below -= by;
    const Passed high = forward_of(up), low = forward_of(down);
    Nudge nudge{(high.mean - low.mean) / (double(above) - double(below)), false};
    for (size_t k = 0; k < high.hidden.size(); ++k)
        nudge.corner |= (high.hidden[k] > 0) != (low.hidden[k] > 0);
    return nudge;
}

}  // namespace lab::lesson_22_mlp_backward
