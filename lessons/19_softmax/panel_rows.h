// What the panel shows, derived from a run: how each warp went through a row, what its lanes knew after each read, and what
// they told each other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab::lesson_19_softmax {

constexpr int lanes = 32;
constexpr double largest_exponent = 88.722839;  // exp of more is no float

enum class Kind : uint8_t { read, shuffle, leave, take, write };  // leave, take: in shared memory
enum class Brings : uint8_t { max, sum, bare_sum, unknown };      // bare_sum: of exp(x), no maximum taken off

// A largest number, and the sum of exp(x - max).
struct Known {
    double max = 0, sum = 0;
    bool any = false;  // there is a number in it
};
Known merged(const Known& a, const Known& b);
Known with(const Known& known, double x);

struct Step {
    Kind kind{};
    int line = 0, at = 0;  // at: the warp's step in the trace
    int pass = 0;          // over the row, from 1
    uint32_t mask = 0;
    std::array<int, lanes> column{};  // read, write: of the row; -1: none
    // Of this pass, up to and with this step: of each lane, and of the whole warp.
    std::array<Known, lanes> known{};
    Known all;
    double bare_sum =
        0;  // what the naive sum of the warp's numbers would be, as a float: infinity beyond its end
    // shuffle:
    Brings brings{};
    int distance = 0;
    std::array<float, lanes> brought{}, got{};
    std::array<int, lanes> source{};
    uint32_t wrong = 0;               // lanes that brought something else than their numbers make
    std::array<double, lanes> due{};  // and what they should have brought
};

struct WarpRun {
    uint32_t block = 0;
    int warp = 0;
    std::vector<Step> steps;
};

struct RowRun {
    int row = 0;
    std::vector<float> values;
    std::vector<WarpRun> warps;
    int passes() const;  // how often it was read, by the warp that read it most often
};

// The rows of a launch's input, `most` at most. Empty: the run has no array `in` with rows, or nobody read it.
std::vector<RowRun> rows_of(const RunBundle& bundle, int case_index, const Kernel& kernel, size_t most = 64);

}  // namespace lab::lesson_19_softmax
