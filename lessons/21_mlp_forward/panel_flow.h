// What a case of lesson 21 put into the layers and got out of them, derived from a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workbench/record/run.h"

namespace lab::lesson_21_mlp_forward {

// An array of the case as a matrix of floats.
struct Matrix {
    std::string name, shape;  // "w1", "784 x 64"
    const ArrayValues* values = nullptr;
    std::vector<float> numbers;  // empty: none came back
    int64_t rows = 0, columns = 0;
    int64_t wrong = 0;
    bool output = false;

    float at(int64_t row, int64_t column) const { return numbers[size_t(row * columns + column)]; }
    bool is_wrong(int64_t row, int64_t column) const {
        return values && values->is_wrong(uint64_t(row * columns + column));
    }
    bool came() const { return !numbers.empty(); }
};

// The arrays of one case, in the grader's order, which is that of the flow.
struct Flow {
    std::vector<Matrix> matrices;
    std::vector<int> labels;

    const Matrix* find(const std::string& name) const;
    // Whether it is a network with pictures to look at: x is pictures of 28 by 28.
    bool has_pictures() const;
    int64_t batch() const;
};

// It points into `run`.
Flow flow_of(const Run& run, int case_index);

// "3.142", "-0.5", "nan", "1.2e+08": short enough to stand beside a bar.
std::string short_number(float value);

}  // namespace lab::lesson_21_mlp_forward
