// The training once more, in double, and what it comes to when one thing in it is wrong.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lessons/21_mlp_forward/grader_basics.h"
#include "lessons/23_mlp_train/first_weights.h"
#include "lessons/23_mlp_train/interface.h"

namespace lab::lesson_23_mlp_train {

using lesson_21_mlp_forward::Doubles;
using Ints = std::vector<int>;
using Bytes = std::vector<uint8_t>;

// What is learned from, and how.
struct Task {
    Sizes sizes;
    Weights<float> start;
    Bytes pixels;  // count x in
    Ints labels;
    Plan plan;

    int count() const { return static_cast<int>(labels.size()); }
    int steps() const { return steps_of(count(), plan.batch); }  // of an epoch
};

// One thing that somebody does wrong; as it stands, nothing.
struct Slip {
    const char* cause = "";
    const char* next = "";
    double rate = 1;           // times the rate
    bool sum = false;          // the gradient of the sum of the losses
    bool full = false;         // divided by the batch in the smaller step, too
    bool same_batch = false;   // every step has the first one's samples
    bool first_order = false;  // every epoch has the first one's order
    bool no_order = false;     // the samples as they lie
    bool no_rest = false;      // the smaller step is left out
    bool rest_once = false;    // it comes once, behind the last epoch
    bool w2_first = false;     // w2 is changed before the hidden gradient is made from it
    bool one_step = false;     // the first step, and no more
    bool one_epoch = false;    // the first epoch, and no more
};

struct Trained {
    Weights<double> weights;
    Doubles losses;
};

class Reference {
  public:
    Reference(const Task& task, const Ints& order, const Slip& slip)
        : task_(task), order_(order), slip_(slip) {
        const auto wide = [](const Floats& v) { return Doubles(v.begin(), v.end()); };
        now_.weights = {wide(task.start.w1), wide(task.start.b1), wide(task.start.w2), wide(task.start.b2)};
    }

    Trained train(int most_steps = std::numeric_limits<int>::max()) {
        const int batch = task_.plan.batch, epochs = slip_.one_epoch ? 1 : task_.plan.epochs;
        if (slip_.one_step) most_steps = std::min(most_steps, 1);
        for (int epoch = 0; epoch < epochs; ++epoch)
            for (int first = 0; first < task_.count(); first += batch) {
                const int rows = std::min(batch, task_.count() - first);
                const bool left_out = slip_.no_rest || (slip_.rest_once && epoch + 1 < epochs);
                if (rows < batch && left_out) continue;
                if (done_++ >= most_steps) return now_;
                step(rows);
                next_ += rows;
            }
        return now_;
    }

  private:
    // In row `row` of the step.
    int sample(int row) const {
        int place = slip_.same_batch ? row : next_ + row;
        if (slip_.first_order || slip_.no_order) place %= task_.count();
        return slip_.no_order ? place : order_[static_cast<size_t>(place)];
    }

    void step(int rows) {
        Weights<double> change;
        for (const auto& [to, from] : {std::pair{&change.w1, &now_.weights.w1},
                                       {&change.b1, &now_.weights.b1},
                                       {&change.w2, &now_.weights.w2},
                                       {&change.b2, &now_.weights.b2}})
            to->assign(from->size(), 0);
        double loss = 0;
        std::vector<Doubles> hidden, dlogits;
        Ints samples;
        for (int row = 0; row < rows; ++row) {
            samples.push_back(sample(row));
            loss += forward(samples.back(), hidden.emplace_back(), dlogits.emplace_back());
        }
        now_.losses.push_back(loss / rows);
        const double rate =
            task_.plan.rate * slip_.rate * (slip_.sum ? 1.0 : 1.0 / (slip_.full ? task_.plan.batch : rows));
        for (int row = 0; row < rows; ++row)
            for (int k = 0; k < task_.sizes.hidden; ++k)
                for (int c = 0; c < task_.sizes.out; ++c)
                    change.w2[at(k, task_.sizes.out, c)] +=
                        hidden[size_t(row)][size_t(k)] * dlogits[size_t(row)][size_t(c)];
        if (slip_.w2_first) apply(now_.weights.w2, change.w2, rate);
        for (int row = 0; row < rows; ++row)
            backward(samples[size_t(row)], hidden[size_t(row)], dlogits[size_t(row)], change);
        if (!slip_.w2_first) apply(now_.weights.w2, change.w2, rate);
        apply(now_.weights.w1, change.w1, rate);
        apply(now_.weights.b1, change.b1, rate);
        apply(now_.weights.b2, change.b2, rate);
    }

    static void apply(Doubles& w, const Doubles& dw, double rate) {
        for (size_t i = 0; i < w.size(); ++i) w[i] -= rate * dw[i];
    }

    // The loss of one sample, what its hidden units say, and the gradient of its logits.
    double forward(int sample, Doubles& hidden, Doubles& dlogits) const {
        const Sizes& s = task_.sizes;
        const Weights<double>& w = now_.weights;
        hidden = w.b1;
        for (int k = 0; k < s.in; ++k) {
            const double x = task_.pixels[at(sample, s.in, k)] / 255.0;
            for (int h = 0; h < s.hidden && x != 0; ++h) hidden[size_t(h)] += x * w.w1[at(k, s.hidden, h)];
        }
        for (double& value : hidden) value = std::max(value, 0.0);
        Doubles logits = w.b2;
        for (int h = 0; h < s.hidden; ++h)
            for (int c = 0; c < s.out; ++c) logits[size_t(c)] += hidden[size_t(h)] * w.w2[at(h, s.out, c)];
        const double most = *std::max_element(logits.begin(), logits.end());
        double sum = 0;
        for (const double logit : logits) sum += std::exp(logit - most);
        const auto label = static_cast<size_t>(task_.labels[size_t(sample)]);
        for (size_t c = 0; c < logits.size(); ++c)
            dlogits.push_back(std::exp(logits[c] - most) / sum - (c == label ? 1 : 0));
        return std::log(sum) - (logits[label] - most);
    }

    void backward(int sample, const Doubles& hidden, const Doubles& dlogits, Weights<double>& change) const {
        const Sizes& s = task_.sizes;
        Doubles dhidden(hidden.size(), 0);
        for (int h = 0; h < s.hidden; ++h)
            for (int c = 0; c < s.out && hidden[size_t(h)] > 0; ++c)
                dhidden[size_t(h)] += dlogits[size_t(c)] * now_.weights.w2[at(h, s.out, c)];
        for (int k = 0; k < s.in; ++k) {
            const double x = task_.pixels[at(sample, s.in, k)] / 255.0;
            for (int h = 0; h < s.hidden && x != 0; ++h)
                change.w1[at(k, s.hidden, h)] += x * dhidden[size_t(h)];
        }
        for (size_t h = 0; h < dhidden.size(); ++h) change.b1[h] += dhidden[h];
        for (size_t c = 0; c < dlogits.size(); ++c) change.b2[c] += dlogits[c];
    }

    const Task& task_;
    const Ints& order_;
    const Slip& slip_;
    Trained now_;
    int next_ = 0, done_ = 0;
};

inline Trained train_in_double(const Task& task, const Ints& order, const Slip& slip = {},
                               int most_steps = std::numeric_limits<int>::max()) {
    return Reference(task, order, slip).train(most_steps);
}

// A float's rounding of some sums, handed on from step to step: a few 1e-7 each. One wrong step is off by a hundred times
// more.
inline Tolerance tolerance_of(const Task& task) {
    const int steps = task.steps() * task.plan.epochs;
    return tolerance(2e-6 * (steps + 4), 2e-6 * (steps + 4),
                     "floats, rounded in each of " + std::to_string(steps) + " steps");
}

}  // namespace lab::lesson_23_mlp_train
