// What the grader of lesson 08 sends, and what should arrive.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "lessons/08_host_memory/interface.h"

namespace lab::lesson_08_host_memory {

constexpr unsigned spoiled = 0xffffffffu;  // what the caller writes into its memory when it has it back

// Distinct, and none is `spoiled`.
inline unsigned cargo(size_t i) {
    return 1000u + static_cast<unsigned>(i);
}

inline unsigned check_of_cargo(int n) {
    unsigned sum = 0;
    for (size_t i = 0; i < static_cast<size_t>(n); i += 32) sum += cargo(i);
    return sum;
}

inline unsigned short reading(size_t i) {
    return static_cast<unsigned short>(i * 7 + 3);
}

// Never a half, so each differs from its negative; exact, and so is the negative.
inline float pixel(size_t i) {
    return static_cast<float>(i % 1021 * 2 + 1) / 4096.0f;
}

struct Image {
    int columns, rows;
    Rectangle at;
    bool is_inside(size_t i) const {
        const int x = static_cast<int>(i) % columns, y = static_cast<int>(i) / columns;
        return x >= at.left && x < at.left + at.width && y >= at.top && y < at.top + at.height;
    }
    float expected(size_t i) const { return is_inside(i) ? 1.0f - pixel(i) : pixel(i); }
};

constexpr size_t table_size = 4096;
constexpr float stale = -5.0f;  // what the caller writes into h_pack when it has it back

inline float in_table(size_t i) {
    return 0.5f + static_cast<float>(i);
}
inline float in_patch(size_t i) {
    return -100.0f - static_cast<float>(i);
}

struct Patched {
    std::vector<std::pair<int, int>> patches;  // first, count
    size_t values() const {
        size_t n = 0;
        for (const auto& patch : patches) n += static_cast<size_t>(patch.second);
        return n;
    }
    float expected(size_t i) const {
        for (const auto& [first, count] : patches)
            if (static_cast<int>(i) >= first && static_cast<int>(i) < first + count) return in_patch(i);
        return in_table(i);
    }
};

// A hundredth part of them above 99, and none above 100.
inline float value(size_t i) {
    return static_cast<float>(i * 37 % 101);
}
inline unsigned above(int n, float limit) {
    unsigned count = 0;
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) count += value(i) > limit;
    return count;
}

}  // namespace lab::lesson_08_host_memory
