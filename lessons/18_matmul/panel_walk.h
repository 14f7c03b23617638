// What the first picture shows, derived from a run: which elements of A and B each block fetches in each of its steps, and how
// often an element is fetched in the whole launch.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab::lesson_18_matmul {

enum Side { matrix_a = 0, matrix_b = 1 };

struct Sizes {
    int64_t m = 0, n = 0, k = 0;
    bool known() const { return m > 0; }
    double multiply_adds() const { return double(m) * double(n) * double(k); }
};

struct Matrix {
    std::string name;
    int buffer = -1;  // index into the case's buffers
    int64_t rows = 0, columns = 0;
    std::vector<uint32_t> fetched;  // requests that took each element from global memory, in the launch
    uint32_t most = 0;              // of them
    double average() const;
};

// What one block took in one step: between two barriers, or in one round of its loop where it has none.
struct Step {
    std::array<std::vector<uint32_t>, 2> elements;  // of A, of B; ascending, each once
    int line = 0;                                   // of its first load
};

struct BlockWalk {
    uint32_t block = 0;
    std::vector<Step> steps;
    std::vector<uint32_t> stored;  // elements of C
};

// One launch.
struct Walk {
    const Kernel* kernel = nullptr;
    Sizes sizes;
    std::array<Matrix, 2> in;
    Matrix c;
    std::vector<BlockWalk> blocks;  // those in the trace, ascending
    bool is_whole = true;           // every block is there

    // The place in `blocks` of the one that stored this element of C; -1: none.
    int64_t owner_of(int64_t element) const;
};

// By launch, in order. The bundle must outlive what comes back. Only launches that read two matrices a and b have blocks.
std::vector<Walk> walks_of(const RunBundle& bundle, int case_index);

}  // namespace lab::lesson_18_matmul
