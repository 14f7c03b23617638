// The cards of assets/devices, with what one of their multiprocessors holds.
#pragma once

#include <string>
#include <vector>

#include "simt/machine/sm.h"

namespace lab {

struct CardText {
    const char* profile;  // "h200"
    const char* text;     // its TOML
};
const std::vector<CardText>& card_texts();  // written when the build is configured

struct Card {
    std::string profile, name;  // "h200", "NVIDIA H200"
    simt::SmLimits sm;
    size_t shared_per_block = 0;  // the most that a kernel may ask for, in bytes
};
const std::vector<Card>& cards();  // by name of profile

}  // namespace lab
