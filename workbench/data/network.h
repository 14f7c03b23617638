// A small network that has learned, as a file of assets/networks: what lessons look at before the reader has trained
// one of their own. assets/networks/README.md defines the file and says how well each network does.
#pragma once

#include <string>
#include <vector>

#include "workbench/lessons/lesson.h"

namespace lab {

// Two linear layers with a ReLU between them, row-major. Inputs are pixels from 0 (paper) to 1 (full ink).
struct LearnedNetwork {
    int in = 0, hidden = 0, out = 0;
    std::vector<float> w1, b1;  // in x hidden, hidden
    std::vector<float> w2, b2;  // hidden x out, out
};

inline constexpr const char* digit_network = "digits_784_64_10";

// assets/networks/NAME.net. Throws std::runtime_error with a sentence: it is not there, or not whole.
LearnedNetwork load_network(const Home& home, const std::string& name);

// The content of such a file. Throws the same; `name` is what the sentence calls it.
LearnedNetwork parse_network(const std::string& content, const std::string& name);

// The reverse. Weights are rounded to 255 steps a column, so what parse_network gives back is a little off.
std::string network_content(const LearnedNetwork& network);

// The logits of one picture.
std::vector<float> logits_of(const LearnedNetwork& network, const std::vector<float>& x);

}  // namespace lab
