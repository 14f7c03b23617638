// Wrong gradients that have a name, so that a failure says what went wrong.
#pragma once

#include <optional>

#include "lessons/22_mlp_backward/grader_faults.h"

namespace lab::lesson_22_mlp_backward {

using lesson_21_mlp_forward::counted;
using lesson_21_mlp_forward::flat;
using lesson_21_mlp_forward::number;
using lesson_21_mlp_forward::went_well;

// What somebody else would have written into element (row, column).
struct Slip {
    std::function<double(int row, int column)> element;
    std::string cause, next;
};

// True: all elements are what one of the slips gives, and not all are right.
inline bool told_about(Trial& trial, const std::string& name, std::span<const float> got,
                       const Gradient& right, const std::vector<Slip>& slips) {
    const Tolerance near = right.tolerance();
    size_t wrong = 0;
    while (wrong < got.size() && detail::near(double(got[wrong]), right.values[wrong], near)) ++wrong;
    if (wrong == got.size()) return false;
    for (const Slip& slip : slips) {
        bool fits = true;
        for (int row = 0; row < right.rows && fits; ++row)
            for (int column = 0; column < right.columns && fits; ++column) {
                const double value = slip.element(row, column);
                const double room = 4 * near.absolute + 8 * rounding * std::fabs(value);
                fits = std::fabs(got[at(row, right.columns, column)] - value) <= room;
            }
        if (!fits) continue;
        const size_t columns = size_t(right.columns);
        const std::string place = right.rows > 1 ? " (row " + std::to_string(wrong / columns) + ", column " +
                                                       std::to_string(wrong % columns) + ")"
                                                 : "";
        fail(trial,
             name + "[" + std::to_string(wrong) + "]" + place + " is " + number(got[wrong]) + ", expected " +
                 number(right.values[wrong]) + ". " + slip.cause,
             slip.next, LAB_HERE);
        return true;
    }
    return false;
}

// Row-major element i of a matrix read as if it had `columns` columns and lay the other way round.
inline double turned(const Gradient& g, int row, int column) {
    const size_t place = at(row, g.columns, column);
    return g.of(int(place) % g.rows, int(place) / g.rows);
}

inline std::vector<Slip> dlogits_slips(const Floats& p, const Labels& labels, const Gradient& right) {
    const int batch = right.rows, classes = right.columns;
    const auto prob = [&p, classes](int row, int c) { return double(p[at(row, classes, c)]); };
    const auto wanted = [&labels](int row, int c) { return c == labels[size_t(row)] ? 1.0 : 0.0; };
    const auto scaled = [&right](double by) {
        return [&right, by](int row, int c) { return by * right.of(row, c); };
    };
    const std::string mean =
        "The loss is a mean over the batch, so a picture has 1 / batch of a say: divide by batch.";
    return {
        {scaled(batch), "It was not divided by the batch: these are the gradients of the sum of the losses.",
         mean},
        {scaled(-1), "The sign is turned: that is the way down, wanted - probability.",
         "A gradient says in which direction the loss grows: probability - wanted."},
        {scaled(-batch), "The sign is turned, and nothing was divided by the batch.",
         "(probability - wanted) / batch."},
        {scaled(double(batch) / classes), "It was divided by the number of classes.", mean},
        {scaled(1.0 / classes), "It was divided by batch * classes.", mean},
        {[=](int row, int c) { return prob(row, c) / batch; },
         "The label is missing: that is the probability by batch.",
         "Take 1 off where c is the row's label, and divide then: 1 / batch, of two ints, is 0."},
        {[=](int row, int c) { return prob(row, c) - wanted(row, c) / batch; },
         "Only the 1 was divided by the batch, not the probability.",
         "Brackets: (probability - wanted) / batch."},
        {[=](int row, int c) { return prob(row, c) / batch - wanted(row, c); },
         "Only the probability was divided by the batch, not the 1.",
         "Brackets: (probability - wanted) / batch."},
        {[=](int row, int c) { return (prob(row, c) - wanted(0, c)) / batch; },
         "Every row was given the label of row 0.",
         "Each row has a label of its own: labels[row], with row = i / classes."},
        {[=](int row, int c) { return wanted(row, c) == 0 ? 0 : -1 / prob(row, c); },
         "That is -1 / p for the label: how fast the loss grows with the probability, not with the logit.",
         "The logit is one step further back, and the softmax lies between: together they give (probability "
         "- wanted) / "
         "batch, for every class."},
        {[=](int row, int c) { return wanted(row, c) == 0 ? 0 : -1 / prob(row, c) / batch; },
         "That is -1 / p for the label, by batch: how fast the loss grows with the probability, not with the "
         "logit.",
         "The logit is one step further back, and the softmax lies between: together they give (probability "
         "- wanted) / "
         "batch, for every class."},
        {[=, &right](int row, int c) { return wanted(row, c) == 0 ? 0 : right.of(row, c); },
         "Only the label's class has a gradient, and the others 0.",
         "A larger logit of another class takes probability from the label: there, wanted is 0, and "
         "(probability - 0) / "
         "batch is left."},
        {[=](int row, int c) { return prob(row, c) * (1 - prob(row, c)) / batch; },
         "That is p (1 - p): how fast a probability grows with its own logit.",
         "The loss is behind it, and brings the label in: (probability - wanted) / batch."},
        {[=](int row, int c) { return (std::log(prob(row, c)) - wanted(row, c)) / batch; },
         "A logarithm is in it.", "The logarithm has cancelled: (probability - wanted) / batch."},
        {[=](int row, int c) { return (prob(row, c) - 1) / batch; }, "1 was taken off every class.",
         "Only the label's class was wanted: take 1 off where c == labels[row]."},
    };
}

inline std::vector<Slip> dw_slips(const Floats& x, const Floats& dy, const Shape& s, const Gradient& right) {
    const auto term = [&x, &dy, s](int k, int col, int row) {
        return double(x[at(row, s.in, k)]) * double(dy[at(row, s.out, col)]);
    };
    return {
        {[&right](int k, int col) { return turned(right, k, col); },
         "dw lies transposed: it was written with a row for each output.",
         "dw has the shape of w, in x out: dw[k * out + col]."},
        {[=](int k, int col) { return term(k, col, 0); }, "That is the first row of the batch alone.",
         "Every picture has its part in it: add up over all rows of the batch."},
        {[=](int k, int col) { return term(k, col, s.batch - 1); },
         "That is the last row of the batch alone.",
         "Add up in a variable that starts at 0 in front of the loop, with +=."},
        {[=, &right](int k, int col) { return right.of(k, col) - term(k, col, s.batch - 1); },
         "The last row of the batch is missing.", "row runs from 0 to batch - 1."},
        {[=, &right](int k, int col) { return right.of(k, col) / s.batch; },
         "It was divided by the batch once more.",
         "dlogits has been divided by batch already, and all that comes of it, too. Here it is only added "
         "up."},
        {[=, &x, &dy](int k, int col) {
             double sum = 0;
             for (int row = 0; row < s.batch; ++row)
                 sum += double(x[at(k, s.batch, row)]) * double(dy[at(row, s.out, col)]);
             return sum;
         },
         "x was read by columns, x[k * batch + row].",
         "x is as the forward pass had it, a picture a row: x[row * in + k]. Nobody transposes it; you run "
         "down its columns."},
        {[=, &x, &dy](int k, int col) {
             double sum = 0;
             for (int row = 0; row < s.batch; ++row)
                 sum += double(x[at(row, s.in, k)]) * flat(dy, at(row, s.in, col));
             return sum;
         },
         "dy was read as if a row of it had `in` numbers.", "dy is batch x out: dy[row * out + col]."},
        {[=, &x, &dy](int k, int col) {
             double sum = 0;
             for (int row = 0; row < s.batch; ++row)
                 sum += flat(x, at(row, s.out, k)) * double(dy[at(row, s.out, col)]);
             return sum;
         },
         "x was read as if a row of it had `out` numbers.", "x is batch x in: x[row * in + k]."},
        {[=, &x, &dy](int k, int) {
             double sum = 0;
             for (int row = 0; row < s.batch; ++row)
                 sum += double(x[at(row, s.in, k)]) * flat(dy, at(row, s.out, k));
             return sum;
         },
         "All columns of dw have the same number: dy was read at column k.",
         "w[k][col] goes from input k to output col: x[row * in + k] * dy[row * out + col]."},
    };
}

inline std::vector<Slip> db_slips(const Floats& dy, const Shape& s, const Gradient& right) {
    const auto term = [&dy, s](int row, int col) { return double(dy[at(row, s.out, col)]); };
    const std::string next = "Each picture moved the bias: db[col] is the sum of dy[row][col] over all rows.";
    return {
        {[=](int, int col) { return term(0, col); }, "That is row 0 of dy, and not the sum of its rows.",
         next},
        {[=](int, int col) { return term(s.batch - 1, col); }, "That is the last row of dy alone.",
         "Add up with +=, in a variable that starts at 0."},
        {[=, &right](int, int col) { return right.of(0, col) / s.batch; },
         "That is the mean of the column, not its sum.",
         "dlogits has been divided by batch already: only add up here."},
        {[=, &right](int, int col) { return right.of(0, col) - term(s.batch - 1, col); },
         "The last row of the batch is missing.", "row runs from 0 to batch - 1."},
        {[=](int, int col) {
             if (col >= s.batch) return -1e30;
             double sum = 0;
             for (int c = 0; c < s.out; ++c) sum += term(col, c);
             return sum;
         },
         "That is the sum of a row, over the outputs.", next},
        {[=, &dy](int, int col) {
             double sum = 0;
             for (int row = 0; row < s.batch; ++row) sum += flat(dy, at(row, s.batch, col));
             return sum;
         },
         "dy was read as if a row of it had `batch` numbers.",
         "A row of dy has `out` numbers: dy[row * out + col]."},
        {[=, &dy](int, int col) {
             double sum = 0;
             for (int row = 0; row < s.batch; ++row) sum += flat(dy, at(col, s.batch, row));
             return sum;
         },
         "dy was read with row and column exchanged.",
         "dy is batch x out, a picture a row: dy[row * out + col]."},
    };
}

inline std::vector<Slip> dx_slips(const Floats& dy, const Floats& w, const Shape& s, const Gradient& right) {
    const auto term = [&dy, &w, s](int row, int k, int col) {
        return double(dy[at(row, s.out, col)]) * double(w[at(k, s.out, col)]);
    };
    return {
        {[=, &dy, &w](int row, int k) {
             double sum = 0;
             for (int col = 0; col < s.out; ++col)
                 sum += double(dy[at(row, s.out, col)]) * double(w[at(col, s.in, k)]);
             return sum;
         },
         "w was read as if it were out x in: w[col * in + k].",
         "w is as the forward pass had it, in x out. dy w^T goes along row k of w: w[k * out + col]."},
        {[&right](int row, int k) { return turned(right, row, k); }, "dx lies transposed.",
         "dx has the shape of x, a picture a row: dx[row * in + k]."},
        {[=, &right](int row, int k) { return right.of(row, k) - term(row, k, s.out - 1); },
         "The last output is missing from every sum.", "col runs from 0 to out - 1."},
        {[=](int row, int k) { return term(row, k, 0); }, "That is the first output alone.",
         "An input goes to all outputs, and has its part in all of them: add up over col."},
        {[=](int row, int k) {
             double sum = 0;
             for (int col = s.out - 1; col >= 0 && col >= (s.out - 1) / 32 * 32; --col)
                 sum += term(row, k, col);
             return sum;
         },
         "That is the last tile of w alone.",
         "The sum goes on from tile to tile: set it to 0 once, in front of the loop."},
        {[=](int row, int k) {
             double sum = 0;
             for (int col = 0; col < std::min(32, s.out); ++col) sum += term(row, k, col);
             return sum;
         },
         "That is the first 32 outputs alone.",
         "There may be more of them than a tile has columns: go on to the next tile."},
        {[=, &right](int row, int k) { return right.of(row, k) / s.batch; },
         "It was divided by the batch once more.",
         "dlogits has been divided by batch already: only add up here."},
        {[=, &dy, &w](int row, int k) {
             double sum = 0;
             for (int col = 0; col < s.out; ++col)
                 sum += flat(dy, at(row, s.in, col)) * double(w[at(k, s.out, col)]);
             return sum;
         },
         "dy was read as if a row of it had `in` numbers.", "dy is batch x out: dy[row * out + col]."},
        {[=, &dy, &w](int row, int k) {
             double sum = 0;
             for (int col = 0; col < s.out; ++col) {
                 const int i = k / 32 * 32 + col % 32, of = col / 32 * 32 + k % 32;
                 if (i < s.in && of < s.out)
                     sum += double(dy[at(row, s.out, col)]) * double(w[at(i, s.out, of)]);
             }
             return sum;
         },
         "The tile was read along its rows, as it was loaded.",
         "Lane k needs row k of w, one number after the other: tile[threadIdx.x][c], down the columns for "
         "the warp."},
    };
}

// y: what the ReLU gave; before: the gradient that came to it.
inline std::vector<Slip> mask_slips(const Floats& y, const Floats& before) {
    const auto kept = [&before](size_t i, bool keep) { return keep ? double(before[i]) : 0.0; };
    const std::string next = "Keep the gradient where y, what the ReLU gave, is above zero: d_y[i] > 0.";
    return {
        {[=](int, int i) { return kept(size_t(i), true); },
         "Nothing was cut off: every gradient went through.",
         "y is never below zero behind a ReLU, so y >= 0 is always true. " + next},
        {[=, &before](int, int i) { return kept(size_t(i), before[size_t(i)] > 0); },
         "The gradient itself was tested, and not y.", "A gradient may well be negative. " + next},
        {[=, &y](int, int i) { return kept(size_t(i), !(y[size_t(i)] > 0)); },
         "The mask is the wrong way round.", next},
        {[=, &y, &before](int, int i) { return double(y[size_t(i)]) * double(before[size_t(i)]); },
         "It was multiplied by y.", "The ReLU's slope is 1 where y is above zero, not y. " + next},
        {[=, &y, &before](int, int i) { return y[size_t(i)] > 0 ? 1.0 : double(before[size_t(i)]); },
         "1 was written where y is above zero, and the rest was left as it came.",
         "Where the ReLU let through, the gradient stays as it is; where it cut, it becomes 0. " + next},
        {[=, &y](int, int i) { return y[size_t(i)] > 0 ? 1.0 : 0.0; },
         "That is the ReLU's own slope, 1 or 0.",
         "It has to be multiplied by what came from behind: by dy. " + next},
        {[=, &y, &before](int, int i) {
             return i < 1024 ? kept(size_t(i), y[size_t(i)] > 0) : double(before[size_t(i)]);
         },
         "Everything from dy[1024] on was left as it was.",
         "There are 1024 threads for all sizes: each goes on by blockDim.x * gridDim.x until it is past n."},
    };
}

}  // namespace lab::lesson_22_mlp_backward
