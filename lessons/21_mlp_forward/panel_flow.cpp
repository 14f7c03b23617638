#include "lessons/21_mlp_forward/panel_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lab::lesson_21_mlp_forward {

namespace {

constexpr int64_t picture_columns = 28 * 28;

template <class T>
std::vector<T> elements_of(const std::string& bytes) {
    std::vector<T> elements(bytes.size() / sizeof(T));
    if (!elements.empty()) std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
    return elements;
}

Matrix matrix_of(const ArrayValues& values) {
    Matrix matrix;
    matrix.name = values.name;
    matrix.values = &values;
    matrix.output = values.role != "input";
    matrix.numbers = elements_of<float>(values.got);
    const auto count = int64_t(std::max(values.got.size(), values.expected.size())) / int64_t(sizeof(float));
    matrix.columns = values.columns > 0 ? int64_t(values.columns) : count;
    matrix.rows = matrix.columns > 0 ? count / matrix.columns : 0;
    matrix.shape = values.columns > 0 ? fmt::format("{} x {}", matrix.rows, matrix.columns)
                                      : fmt::format("{}", matrix.columns);
    for (int64_t i = 0; i < count; ++i) matrix.wrong += values.is_wrong(uint64_t(i));
    return matrix;
}

}  // namespace

const Matrix* Flow::find(const std::string& name) const {
    const auto found = std::find_if(matrices.begin(), matrices.end(),
                                    [&](const Matrix& matrix) { return matrix.name == name; });
    return found == matrices.end() ? nullptr : &*found;
}

bool Flow::has_pictures() const {
    const Matrix* x = find("x");
    return x && x->columns == picture_columns && x->came() && find("hidden") && find("logits") &&
           find("probabilities");
}

int64_t Flow::batch() const {
    const Matrix* x = find("x");
    return x ? x->rows : 0;
}

Flow flow_of(const Run& run, int case_index) {
    Flow flow;
    for (const ArrayValues& values : run.arrays) {
        if (values.case_index != case_index) continue;
        if (values.name == "labels")
            flow.labels = elements_of<int>(values.got);
        else if (values.element_bytes == sizeof(float) && values.name != "mean")
            flow.matrices.push_back(matrix_of(values));
    }
    return flow;
}

std::string short_number(float value) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    if (std::fabs(value) >= 1e5f) return fmt::format("{:.1e}", value);
    if (std::fabs(value) >= 100) return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}f}", value, std::fabs(value) >= 10 ? 1 : 2);
}

}  // namespace lab::lesson_21_mlp_forward
