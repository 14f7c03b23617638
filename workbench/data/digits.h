// Digits as if written by hand, made by a program: what a network learns from on a machine that has no MNIST files.
// Everything is integer arithmetic, so a seed gives the same bytes on every computer and with every compiler.
#pragma once

#include <array>
#include <cstdint>

#include "workbench/data/dataset.h"

namespace lab {

// One picture as MNIST has them: 28 rows of 28 bytes, 0 the paper, 255 full ink; the ink fits a box of 20 by 20
// pixels whose centre of mass is in the middle.
struct Digit {
    std::array<uint8_t, 28 * 28> pixels{};
    uint8_t label = 0;  // 0 to 9
};

// Picture number `index` of the endless row that `seed` names. Indices 10k to 10k + 9 hold every label once, in an
// order of their own. Any index can be asked for at once, from any thread.
Digit make_digit(uint64_t seed, uint64_t index);

// `train` and `test` pictures; the two are from rows that have nothing in common. Some 10 to 25 us a picture.
Dataset make_digits(uint64_t seed, int train, int test);

}  // namespace lab
