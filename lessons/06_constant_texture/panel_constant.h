// What the warps of a launch ask of the constant cache: a word a lane, and a turn for each different one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/panels/run_choice.h"

namespace lab::lesson_06_constant_texture {

constexpr int lanes = 32;

struct ConstantRead {
    uint32_t block = 0;
    int warp = 0, line = 0;
    std::array<int, lanes> word{};  // of the variable, that each lane reads; -1: the lane takes no part
    std::vector<int>
        turns;  // the words that are handed out, one a turn, in the order of the lanes that first ask

    int served(int turn) const;  // lanes
    int readers() const;
};

struct ConstantScene {
    std::string variable;             // "c_weights"
    int words = 0;                    // as far as anybody read
    std::vector<ConstantRead> reads;  // by block, warp and step
};
ConstantScene constant_scene_of(const RunChoice& choice);

// "Warp 0 of block 3 reads c_weights[5] at line 23: 32 lanes, one address, 1 turn."
std::string sentence_of(const ConstantRead& read, const ConstantScene& scene, const std::string& block);

}  // namespace lab::lesson_06_constant_texture
