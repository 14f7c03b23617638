// Rows of numbers that look random and are the same on each machine, for the graders and panels of the network's lessons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab::lesson_21_mlp_forward {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

// Of an element in a row-major matrix.
inline size_t at(int row, int columns, int column) {
    return static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column);
}

// `count` numbers between -scale and scale, no two neighbours alike, another row for each seed.
inline Floats numbers(size_t count, uint32_t seed, float scale = 1) {
    Floats values(count);
    uint32_t random = seed * 2654435761u + 1;
    for (float& value : values) {
        random = random * 1664525u + 1013904223u;
        value = scale * static_cast<float>(static_cast<int>(random >> 16) - 32768) / 32768.0f;
    }
    return values;
}

}  // namespace lab::lesson_21_mlp_forward
