// The network that has learned here, where it came from, and what it says of digits that it has not seen.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/model/run_bundle.h"
#include "workbench/data/dataset.h"
#include "workbench/data/network.h"

namespace lab::lesson_23_mlp_train {

constexpr int side = 28, classes = 10, most_tested = 500, hidden_at_first = 32;

using Picture = std::array<uint8_t, size_t{side} * side>;

struct Learned {
    LearnedNetwork network;
    std::string source;  // whose it is, as a part of a sentence
    bool own = false;    // the learner's kernels trained it
};

// The network that a training left in its run; nothing: it has none of pictures of 28 by 28.
std::optional<Learned> learned_of(const RunBundle& bundle);

// The learner's own one is kept from one start of the window to the next.
std::filesystem::path kept_file();
void keep(const Learned& learned);

// The one that was kept; else the one that a training begins with.
Learned learned_before();

// Ten probabilities of a picture, 0 to 1 a pixel. Not a number where the network is broken.
std::vector<float> probabilities_of(const LearnedNetwork& network, const std::vector<float>& x);
int best_of(const std::vector<float>& probabilities);  // -1: none is a number

struct Mistake {
    Picture picture{};
    int label = 0, answer = 0;
    float probability = 0;  // of the answer
};

// Of digits that no training has seen.
struct Verdict {
    int right = 0, tested = 0;
    std::array<std::array<int, classes>, classes> count{};  // [label][answer]
    std::vector<Mistake> worst;                             // the surest first
    double accuracy() const { return tested > 0 ? double(right) / tested : 0; }
};
Verdict judge(const LearnedNetwork& network, const Pictures& test);

}  // namespace lab::lesson_23_mlp_train
