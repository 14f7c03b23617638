// The weights that a training begins with.
#pragma once

#include <cmath>

#include "lessons/21_mlp_forward/numbers.h"

namespace lab::lesson_23_mlp_train {

using lesson_21_mlp_forward::at;
using lesson_21_mlp_forward::Floats;
using lesson_21_mlp_forward::numbers;

struct Sizes {
    int in, hidden, out;
};

template <class Number>
struct Weights {
    std::vector<Number> w1, b1, w2, b2;
};

// As networks begin: small numbers, the smaller the more of them are added up; biases at zero.
// spread: 3 keeps the scale of an input; more makes up for pictures that are mostly paper.
inline Weights<float> fresh_weights(const Sizes& s, uint32_t seed, float spread = 3) {
    return {numbers(at(s.in, s.hidden, 0), seed, std::sqrt(spread / float(s.in))),
            Floats(static_cast<size_t>(s.hidden), 0),
            numbers(at(s.hidden, s.out, 0), seed + 1, std::sqrt(3.0f / float(s.hidden))),
            Floats(static_cast<size_t>(s.out), 0)};
}

constexpr uint32_t seed_of_the_pad = 41;  // of the network that the pad trains

}  // namespace lab::lesson_23_mlp_train
