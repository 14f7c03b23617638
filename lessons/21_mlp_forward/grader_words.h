// Wrong results that have a name, so that a failure says what went wrong.
#pragma once

#include <optional>

#include "lessons/21_mlp_forward/grader_faults.h"

namespace lab::lesson_21_mlp_forward {

// Element (row, col) of a linear layer as somebody wrote it.
struct LinearSlip {
    double (*element)(const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col);
    const char* cause;
    const char* next;
};

inline double dot(const Floats& x, const Floats& w, const Shape& s, int row, int col) {
    double sum = 0;
    for (int k = 0; k < s.in; ++k) sum += double(x[at(row, s.in, k)]) * double(w[at(k, s.out, col)]);
    return sum;
}

constexpr LinearSlip linear_slips[] = {
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         double sum = b[size_t(col)];
         for (int k = 0; k < s.in; ++k) sum += double(x[at(row, s.in, k)]) * double(w[at(col, s.in, k)]);
         return sum;
     },
     "w was read as if it were out x in: w[col * in + k].",
     "w has a row for each input and a column for each output: w[k * out + col]."},
    {[](const Floats& x, const Floats& w, const Floats&, const Shape& s, int row, int col) {
         return dot(x, w, s, row, col);
     },
     "That is the product without the bias.", "Start the sum at b[col] in place of 0."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         return b[size_t(row % s.out)] + dot(x, w, s, row, col);
     },
     "The bias of the row was added: b[row].",
     "A bias belongs to an output, so its index is the column: b[col]. Every row gets the same."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         return s.in * double(b[size_t(col)]) + dot(x, w, s, row, col);
     },
     "The bias was added once for every k.", "Add b[col] once, before the loop or after it."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         return std::max(0.0, double(b[size_t(col)]) + dot(x, w, s, row, col));
     },
     "Everything below zero has become zero: there is a ReLU in this layer.",
     "A linear layer leaves negative numbers alone, and logits may be negative. The one ReLU stands between "
     "the two layers."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         return double(b[size_t(col)]) + dot(x, w, s, row, col) -
                double(x[at(row, s.in, s.in - 1)]) * double(w[at(s.in - 1, s.out, col)]);
     },
     "The last input is missing from every sum.", "k runs from 0 to in - 1: k < in."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         return double(b[size_t(col)]) + dot(x, w, s, row, col) -
                double(x[at(row, s.in, 0)]) * double(w[at(0, s.out, col)]);
     },
     "The first input is missing from every sum.", "k runs from 0 to in - 1."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int, int col) {
         return double(b[size_t(col)]) + dot(x, w, s, 0, col);
     },
     "Every row has the answer to row 0.", "Each row of y comes from its own row of x: x[row * in + k]."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         double sum = b[size_t(col)];
         for (int k = 0; k < s.in; ++k) sum += double(x[at(k, s.batch, row)]) * double(w[at(k, s.out, col)]);
         return sum;
     },
     "x was read by columns, x[k * batch + row]: the rows are mixed.",
     "A picture is a row of x, `in` numbers side by side: x[row * in + k]."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         const int place = row * s.out + col;  // of element (place % batch, place / batch)
         return double(b[size_t(place / s.batch)]) + dot(x, w, s, place % s.batch, place / s.batch);
     },
     "The result lies transposed: y[col * batch + row].",
     "y has a row for each picture: y[row * out + col]."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         double sum = b[size_t(col)];
         for (int k = 0; k < s.in; ++k) sum += double(x[at(row, s.in, k)]) * flat(w, at(k, s.in, col));
         return sum;
     },
     "w was read as if a row of it had `in` numbers: w[k * in + col].",
     "w has a row for each input and a column for each output: w[k * out + col]."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         double sum = b[size_t(col)];
         for (int k = 0; k < s.in; ++k) sum += flat(x, at(row, s.out, k)) * double(w[at(k, s.out, col)]);
         return sum;
     },
     "x was read as if a row of it had `out` numbers: x[row * out + k].",
     "A row of x is a picture, `in` numbers: x[row * in + k]."},
    {[](const Floats& x, const Floats& w, const Floats&, const Shape& s, int row, int col) {
         return double(x[at(row, s.in, s.in - 1)]) * double(w[at(s.in - 1, s.out, col)]);
     },
     "That is the last product alone: each round threw the sum before it away.",
     "Add to the sum in every round, with +=."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         return b[0] + dot(x, w, s, row, col);
     },
     "Every column was given the first bias.", "Each output has a bias of its own: b[col]."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         return dot(x, w, s, row, col) - double(b[size_t(col)]);
     },
     "The bias was taken off.", "The bias is what the sum starts from: + b[col]."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         double sum = dot(x, w, s, row, col);
         for (int k = 0; k < s.in; ++k) sum += flat(b, size_t(k));
         return sum;
     },
     "A bias was added for every input, b[k].", "A bias belongs to an output: add b[col], once."},
    {[](const Floats& x, const Floats& w, const Floats& b, const Shape& s, int row, int col) {
         double sum = b[size_t(col)];
         for (int k = 0; k < s.in; ++k) sum += double(x[at(row, s.in, k)]) + double(w[at(k, s.out, col)]);
         return sum;
     },
     "x and w were added.", "An input is multiplied by its weight: x[row * in + k] * w[k * out + col]."},
};

inline bool told_about_linear(Trial& trial, std::span<const float> got, const Floats& x, const Floats& w,
                              const Floats& b, const Shape& s, const std::string& name) {
    const Sums right = linear_of(x, w, b, s);
    const double margin = 2 * tolerance_of(right, s).absolute;
    for (const LinearSlip& slip : linear_slips) {
        size_t wrong = got.size();
        bool fits = true;
        for (int row = 0; row < s.batch && fits; ++row)
            for (int col = 0; col < s.out && fits; ++col) {
                const size_t i = at(row, s.out, col);
                fits = std::fabs(got[i] - slip.element(x, w, b, s, row, col)) <= margin;
                if (wrong == got.size() && std::fabs(got[i] - right.values[i]) > margin) wrong = i;
            }
        if (!fits || wrong == got.size()) continue;
        fail(trial,
             name + "[" + std::to_string(wrong) + "] (row " + std::to_string(wrong / size_t(s.out)) +
                 ", column " + std::to_string(wrong % size_t(s.out)) + ") is " + number(got[wrong]) +
                 ", expected " + number(right.values[wrong]) + ". " + slip.cause,
             slip.next, LAB_HERE);
        return true;
    }
    return false;
}

// Not a number, or no end of it, where all logits are fine.
inline bool told_about_overflow(Trial& trial, std::span<const float> got, const char* name, int columns) {
    for (size_t i = 0; i < got.size(); ++i) {
        if (std::isfinite(got[i])) continue;
        const std::string where = std::string(name) + "[" + std::to_string(i) + "] (row " +
                                  std::to_string(i / size_t(columns)) + ") is " + number(got[i]) + ". ";
        const bool loss = std::string(name) == "losses";
        if (loss)
            fail(
                trial, where + "The label's probability was rounded to 0, and its logarithm has no end.",
                "Never take the logarithm of a probability: the loss is log(sum) - (logit[label] - maximum).",
                LAB_HERE);
        else
            fail(trial, where + "exp of a logit above 88.7 does not fit into a float.",
                 "Take the row's maximum off every logit first: exp(logit - maximum) is 1 at most.",
                 LAB_HERE);
        return true;
    }
    return false;
}

// All classes alike, or all rows, where they should not be.
inline bool told_about_same_probabilities(Trial& trial, std::span<const float> got, const Answers& right,
                                          int classes) {
    const auto differ = [&](size_t a, size_t b) {
        return std::fabs(right.probabilities[a] - right.probabilities[b]) > 1e-3 && got[a] == got[b];
    };
    for (size_t row = 0; row < right.losses.size(); ++row) {
        const size_t first = row * size_t(classes);
        bool classes_alike = classes > 1, rows_alike = row > 0, wrong = false, wrong_row = false;
        for (size_t c = 0; c < size_t(classes); ++c) {
            classes_alike = classes_alike && got[first + c] == got[first];
            wrong |= differ(first, first + c);
            rows_alike = rows_alike && got[first + c] == got[c];
            wrong_row |= row > 0 && differ(c, first + c);
        }
        if (rows_alike && wrong_row) {
            fail(trial, "Row " + std::to_string(row) + " has the probabilities of row 0.",
                 "Each warp reads its own row: logits[row * classes + c].", LAB_HERE);
            return true;
        }
        if (!classes_alike || !wrong) continue;
        fail(trial,
             "All classes of row " + std::to_string(row) + " have the probability " + number(got[first]) +
                 ": each lane took its own logit off, and not the maximum of the row.",
             "Hand the maximum round, by fmaxf and __shfl_xor_sync in five steps, before anybody takes it "
             "off.",
             LAB_HERE);
        return true;
    }
    return false;
}

// Probability c of a row, by a slip: `logit(c)` and the row's maximum are given.
struct ProbabilitySlip {
    double (*probability)(const Doubles& logits, double most, size_t c);
    const char* cause;
    const char* next;
};

inline double sum_of_exps(const Doubles& logits, double most, size_t first, size_t stride) {
    double sum = 0;
    for (size_t c = first; c < logits.size(); c += stride) sum += std::exp(logits[c] - most);
    return sum;
}

constexpr ProbabilitySlip probability_slips[] = {
    {[](const Doubles& logits, double most, size_t c) {
         return std::exp(logits[c] - most) / sum_of_exps(logits, most, c % 32, 32);
     },
     "Each lane divides by what it has added up itself, not by the sum of the row.",
     "Hand the sum round first, in five steps of __shfl_xor_sync: then all lanes have the whole of it, and "
     "divide."},
    {[](const Doubles& logits, double most, size_t c) {
         return std::exp(logits[c]) / sum_of_exps(logits, most, 0, 1);
     },
     "The maximum was taken off in the sum, and not above it.", "exp(logit - maximum) in both places."},
    {[](const Doubles& logits, double most, size_t c) {
         return std::exp(logits[c] - most) / sum_of_exps(logits, 0, 0, 1);
     },
     "The maximum was taken off above the sum, and not in it.", "exp(logit - maximum) in both places."},
    {[](const Doubles& logits, double most, size_t c) {
         return std::exp(logits[c] - most) / sum_of_exps(logits, most, 0, 1) / 32;
     },
     "It is 32 times too small: every lane added up all classes, and then the shuffles added up the lanes.",
     "The lanes share the classes: c begins at lane and goes on by warpSize."},
    {[](const Doubles& logits, double, size_t c) {
         if (logits.size() > 32) return -1.0;
         double sum = 0, mine = 0;  // lane c has the maximum of classes c and up
         for (size_t other = logits.size(); other-- > 0;) {
             const double most = *std::max_element(logits.begin() + ptrdiff_t(other), logits.end());
             sum += std::exp(logits[other] - most);
             if (other == c) mine = std::exp(logits[c] - most);
         }
         return mine / sum;
     },
     "The lanes took different maxima off: after shuffles down, only lane 0 has the maximum of all.",
     "All lanes need the same maximum: __shfl_xor_sync hands it to every one of them."},
};

inline bool told_about_probability_slip(Trial& trial, std::span<const float> got,
                                        std::span<const float> logits, const Answers& right, int classes) {
    const Tolerance near = tolerance_of_probabilities(right, classes);
    const size_t columns = size_t(classes);
    for (const ProbabilitySlip& slip : probability_slips) {
        bool fits = true;
        size_t wrong = got.size();
        for (size_t i = 0; i < got.size() && fits; ++i) {
            const auto first = logits.begin() + ptrdiff_t(i / columns * columns);
            const Doubles row(first, first + classes);
            const double value =
                slip.probability(row, *std::max_element(row.begin(), row.end()), i % columns);
            fits = std::fabs(got[i] - value) <= 4 * near.relative * std::fabs(value) + near.absolute;
            if (wrong == got.size() && !detail::near(double(got[i]), right.probabilities[i], near)) wrong = i;
        }
        if (!fits || wrong == got.size()) continue;
        fail(trial,
             "probabilities[" + std::to_string(wrong) + "] is " + number(got[wrong]) + ", expected " +
                 number(right.probabilities[wrong]) + ". " + slip.cause,
             slip.next, LAB_HERE);
        return true;
    }
    return false;
}

inline bool told_about_probabilities(Trial& trial, std::span<const float> got, std::span<const float> logits,
                                     const Answers& right, int classes) {
    const Tolerance near = tolerance_of_probabilities(right, classes);
    if (told_about_probability_slip(trial, got, logits, right, classes)) return true;
    if (told_about_same_probabilities(trial, got, right, classes)) return true;
    for (size_t row = 0; row < right.losses.size(); ++row) {
        double sum = 0, wanted_wrong = 0;
        for (size_t c = 0; c < size_t(classes); ++c) {
            const size_t i = row * size_t(classes) + c;
            sum += got[i];
            wanted_wrong += !detail::near(double(got[i]), right.probabilities[i], near);
        }
        if (wanted_wrong == 0 || std::fabs(sum - 1) < 1e-3) continue;
        fail(trial,
             "The probabilities of row " + std::to_string(row) + " add up to " + number(sum) + ", not to 1.",
             sum < 1 && sum > 0
                 ? "Divide by the sum over this row alone, all of its classes and no others."
                 : "Divide each exp(logit - maximum) by the sum of them over the row, which all lanes know "
                   "after the butterfly of shuffles.",
             LAB_HERE);
        return true;
    }
    return false;
}

inline bool told_about_losses(Trial& trial, std::span<const float> got, std::span<const float> logits,
                              const Answers& right, const Labels& labels, int classes) {
    const Tolerance near = tolerance_of_losses(right, classes);
    const auto logit = [&](size_t row) { return double(logits[at(int(row), classes, labels[row])]); };
    const auto most = [&](size_t row) {
        const auto first = logits.begin() + ptrdiff_t(row) * classes;
        return double(*std::max_element(first, first + classes));
    };
    const auto log_of_sum = [&](size_t row) { return right.losses[row] + logit(row) - most(row); };
    const char* whole = "The whole of it is log(sum) - (logit[label] - maximum): mind the brackets.";
    const auto p = [&](size_t row, int c) { return right.probabilities[at(int(row), classes, c)]; };
    struct Slip {
        std::function<double(size_t row)> loss;
        const char* cause;
        const char* next;
    };
    const Slip slips[] = {
        {[&](size_t row) { return -right.losses[row]; }, "The sign is wrong.",
         "A loss is -log of a probability, and never negative: log(sum) - (logit[label] - maximum)."},
        {[&](size_t row) { return -std::log(p(row, 0)); }, "That is the loss of class 0.",
         "The loss asks for the row's label: logit[labels[row]]."},
        {[&](size_t row) { return -std::log(p(row, labels[0])); },
         "That is the loss with the label of row 0.", "Each row has a label of its own: labels[row]."},
        {[&](size_t row) { return p(row, labels[row]); }, "That is the label's probability itself.",
         "The loss is minus its logarithm."},
        {[&](size_t row) { return right.losses[row] / std::log(2.0); }, "That is a logarithm to the base 2.",
         "Use logf: the loss is counted to the base e."},
        {[&](size_t row) { return log_of_sum(row) - logit(row); },
         "The maximum is missing: the logit went in as it was, and the sum without its maximum.", whole},
        {[&](size_t row) { return log_of_sum(row) - logit(row) - most(row); },
         "The maximum was taken off where it should be added: the brackets are missing.", whole},
        {[&](size_t row) { return log_of_sum(row) + logit(row) - most(row); },
         "The label's logit has the wrong sign.", whole},
        {[&](size_t row) { return most(row) - logit(row); }, "The logarithm of the sum is missing.", whole},
        {[&](size_t row) { return std::exp(log_of_sum(row)) - (logit(row) - most(row)); },
         "The sum stands there itself, not its logarithm.", whole},
    };
    for (const Slip& slip : slips) {
        size_t wrong = got.size();
        bool fits = true;
        for (size_t row = 0; row < got.size() && fits; ++row) {
            fits = std::fabs(got[row] - slip.loss(row)) <=
                   2 * near.absolute + 4 * near.relative * std::fabs(slip.loss(row)) + 1e-6;
            if (wrong == got.size() && !detail::near(double(got[row]), right.losses[row], near)) wrong = row;
        }
        if (!fits || wrong == got.size()) continue;
        fail(trial,
             "losses[" + std::to_string(wrong) + "] is " + number(got[wrong]) + ", expected " +
                 number(right.losses[wrong]) + ". " + slip.cause,
             slip.next, LAB_HERE);
        return true;
    }
    return false;
}

// `before`: what the mean held when the function was called.
inline bool told_about_mean(Trial& trial, double got, const Answers& right, int classes, double before) {
    const int batch = static_cast<int>(right.losses.size());
    const Tolerance near = tolerance_of_mean(right, classes, batch);
    if (detail::near(got, right.mean, near)) return false;
    const double sum = right.mean * batch;
    const auto is = [&](double value) {
        return std::fabs(got - value) <= 4 * (near.absolute + near.relative * std::fabs(value)) + 1e-6;
    };
    std::string cause = "";
    const char* next = "Each row adds its loss divided by batch, by an atomicAdd of one lane.";
    if (is(before + right.mean))
        cause = " It still has what was in it before the call.",
        next = "Set the mean to zero before the kernel adds to it: cudaMemset on d_mean, each time.";
    else if (is(sum * 32 / batch))
        cause = " Every lane of a warp added the loss: it is 32 times too large.",
        next = "One lane adds for its row.";
    else if (is(sum))
        cause = " That is the sum of the losses.", next = "Divide by batch.";
    else if (is(sum / classes))
        cause = " That is the sum of the losses by the number of classes.",
        next = "It is a mean over the pictures: divide by batch.";
    else if (is(sum / (batch * classes)))
        cause = " That is the sum of the losses by batch x classes.",
        next = "There is one loss a row: divide by batch.";
    else if (is(sum / ((batch + 3) / 4 * 4)))
        cause = " The sum was divided by the warps that were launched, those past the last row as well.",
        next = "There are batch rows, however many warps the grid has: divide by batch.";
    else
        for (size_t row = 0; row < right.losses.size(); ++row)
            if (is(right.losses[row] / batch) || is(right.losses[row])) {
                cause = " That is row " + std::to_string(row) + " alone: the rows overwrote each other.";
                break;
            }
    fail(trial, "mean[0] is " + number(got) + ", expected " + number(right.mean) + "." + cause, next,
         LAB_HERE);
    return true;
}

}  // namespace lab::lesson_21_mlp_forward
