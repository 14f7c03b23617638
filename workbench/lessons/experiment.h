// What a reader slides: the numbers of one run outside of grading.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workbench/lessons/lesson.h"

namespace lab {

// One run of a lesson's experiment. A dimension of `grid` that is 0 stays as the program launches it.
struct Experiment {
    std::map<std::string, int> settings;            // every slider of the lesson
    std::map<std::string, std::string> drawings{};  // by name, the bytes of each that the reader drew
    std::array<unsigned, 3> grid{0, 0, 0};

    bool overrides_grid() const { return grid[0] != 0 || grid[1] != 0 || grid[2] != 0; }
    bool operator==(const Experiment&) const = default;
};

constexpr unsigned most_tried_blocks = 65535;  // of a grid that the reader chose, in all

// Every slider at its start, the grid as launched.
Experiment experiment_at_start(const Lesson& lesson);

// "n=37", "block=64", "grid=2x1" -> an experiment; what is not named starts at the slider's start. A drawing is given
// as two hexadecimal digits a byte: "picture=00ff...". Throws std::runtime_error with one sentence that says what is
// wrong and which sliders there are.
Experiment read_experiment(const Lesson& lesson, const std::vector<std::string>& words);

// "00ff" -> two bytes; nothing: these are no pairs of hexadecimal digits. And the reverse.
std::optional<std::string> bytes_of_hex(std::string_view digits);
std::string hex_of(std::string_view bytes);

// The reverse: words that read_experiment takes.
std::vector<std::string> words_of(const Experiment& experiment);

// "n = 37, block = 64, grid = 2x1", in the order of the lesson's sliders; of a drawing that it was drawn.
std::string describe(const Lesson& lesson, const Experiment& experiment);

}  // namespace lab
