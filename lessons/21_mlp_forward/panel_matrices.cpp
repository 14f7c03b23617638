#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/cells.h"
#include "app/panels/run_choice.h"
#include "app/theme/widgets.h"
#include "lessons/21_mlp_forward/panel_views.h"

namespace lab::lesson_21_mlp_forward {

namespace {

constexpr float title_high = 1.5f, cell_most = 2.6f, cell_least = 0.3f;  // in em
constexpr int64_t most_rows = 40;                                        // that are shown

// How a matrix is made from those before it.
struct Origin {
    const char* name;
    const char* words;
};
constexpr Origin origins[] = {
    {"y", "x w + b"},
    {"hidden", "ReLU of x w1 + b1"},
    {"logits", "hidden w2 + b2"},
    {"probabilities", "softmax of each row of the logits"},
    {"losses", "-log of the label's probability"},
    {"h_mean", "mean of the losses, on the host"},
};

std::string origin_of(const std::string& name) {
    for (const Origin& origin : origins)
        if (name == origin.name) return std::string("= ") + origin.words;
    return "";
}

float cell_of(const Matrix& matrix, float width) {
    return std::floor(
        std::clamp(width / float(std::max<int64_t>(1, matrix.columns)), em(cell_least), em(cell_most)));
}

int64_t rows_shown(const Matrix& matrix) {
    return std::clamp<int64_t>(matrix.rows, 1, most_rows);
}

float cell_high(float cell) {
    return std::min(cell, em(1.35f));
}

}  // namespace

ImU32 colour_of_number(float value, float largest) {
    if (!std::isfinite(value)) return palette().bad;
    const float part = largest > 0 ? std::min(1.f, std::fabs(value) / largest) : 0;
    return mix(palette().code, value > 0 ? palette().read : palette().warn, std::sqrt(part));
}

void MatricesView::show(const Flow& flow) {
    flow_ = &flow;
}

float MatricesView::height(const Flow& flow, float width) {
    float high = em(0.5f);
    for (const Matrix& matrix : flow.matrices)
        high += em(title_high + 0.5f) + float(rows_shown(matrix)) * cell_high(cell_of(matrix, width));
    return high;
}

void MatricesView::draw_matrix(const Matrix& matrix, float width) const {
    const std::string origin = origin_of(matrix.name);
    std::string detail = origin.empty() ? matrix.shape : matrix.shape + "  " + origin;
    if (!matrix.came()) detail += ": the program ended before it came back";
    if (matrix.wrong > 0) detail += fmt::format(", {} wrong", matrix.wrong);
    section_title(matrix.name, detail);
    const float cell = cell_of(matrix, width), high = cell_high(cell);
    const int64_t rows = rows_shown(matrix), columns = std::min(matrix.columns, int64_t(width / cell));
    const ImVec2 corner = ImGui::GetCursorScreenPos(), at{std::floor(corner.x), std::floor(corner.y)};
    ImGui::InvisibleButton(matrix.name.c_str(), {float(columns) * cell, float(rows) * high});
    if (!matrix.came()) {
        draw_hatch(ImGui::GetWindowDrawList(), at, {at.x + float(columns) * cell, at.y + float(rows) * high},
                   palette().bad);
        return;
    }
    float largest = 0;
    for (const float value : matrix.numbers)
        if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column) {
            const ImVec2 from{at.x + float(column) * cell, at.y + float(row) * high};
            const ImVec2 to{from.x + cell - 1, from.y + high - 1};
            const float value = matrix.at(row, column);
            list->AddRectFilled(from, to, colour_of_number(value, largest));
            if (matrix.is_wrong(row, column)) list->AddRect(from, to, palette().bad, 0, 2);
            const std::string text = short_number(value);
            const float size = em(0.72f);
            const float wide = text_size(Face::mono, size, text).x;
            if (wide + 4 <= cell && high >= em(1))
                draw_text(list, Face::mono, size,
                          {from.x + (cell - wide) / 2, from.y + (high - em(0.9f)) / 2}, palette().text, text);
        }
    if (!ImGui::IsItemHovered() || !begin_hint()) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const int64_t row = std::clamp<int64_t>(int64_t((mouse.y - at.y) / high), 0, rows - 1);
    const int64_t column = std::clamp<int64_t>(int64_t((mouse.x - at.x) / cell), 0, columns - 1);
    hint_title(fmt::format("{}: row {}, column {}", matrix.name, row, column));
    hint_text(fmt::format("Element {} * {} + {} = {}: {}", row, matrix.columns, column,
                          row * matrix.columns + column, matrix.at(row, column)));
    const std::string& expected = matrix.values->expected;
    if (matrix.is_wrong(row, column) && !expected.empty()) {
        float value = 0;
        std::copy_n(expected.data() + size_t(row * matrix.columns + column) * sizeof value, sizeof value,
                    reinterpret_cast<char*>(&value));
        hint_text(fmt::format("Expected {}.", value), palette().bad);
    }
    end_hint();
}

void MatricesView::draw() const {
    if (flow_->matrices.empty())
        return wrapped_text(Face::text, em(0.95f), palette().dim, "This case has no matrices.");
    const float width = ImGui::GetContentRegionAvail().x;
    for (const Matrix& matrix : flow_->matrices) {
        draw_matrix(matrix, width);
        ImGui::Dummy({1, em(0.1f)});
    }
}

}  // namespace lab::lesson_21_mlp_forward
