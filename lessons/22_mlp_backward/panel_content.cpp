#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/cells.h"
#include "app/theme/widgets.h"
#include "lessons/22_mlp_backward/panel_backward.h"

namespace lab::lesson_22_mlp_backward {

bool inside(ImVec2 point, ImVec2 from, ImVec2 to) {
    return ImGui::IsWindowHovered() && point.x >= from.x && point.y >= from.y && point.x < to.x &&
           point.y < to.y;
}

float largest_of(const std::vector<float>& numbers, size_t first, size_t count) {
    float largest = 0;
    for (size_t i = first; i < std::min(numbers.size(), first + count); ++i)
        if (std::isfinite(numbers[i])) largest = std::max(largest, std::fabs(numbers[i]));
    return largest;
}

// Name and shape, and what it is made of, in letters that fit.
void draw_head(ImVec2 at, float width, const Head& head) {
    constexpr float name_size = 0.88f, shape_size = 0.7f, origin_size = 0.72f, smallest = 0.7f;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float wide = text_size(Face::bold, em(name_size), head.name).x + em(0.4f) +
                       text_size(Face::mono, em(shape_size), head.shape).x;
    const float part = std::clamp(width / wide, smallest, 1.f);
    const float after = at.x + em(0.4f) * part +
                        draw_text(list, Face::bold, em(name_size) * part, at, palette().text, head.name);
    if (after + text_size(Face::mono, em(shape_size) * part, head.shape).x <= at.x + width + 1)
        draw_text(list, Face::mono, em(shape_size) * part, {after, at.y + em(0.16f) * part}, palette().accent,
                  head.shape);
    const float origin = text_size(Face::text, em(origin_size), head.origin).x;
    draw_text(list, Face::text, em(origin_size) * std::clamp(width / origin, smallest, 1.f),
              {at.x, at.y + em(1.15f)}, palette().dim, head.origin);
}

void FigureView::draw_unit_picture(const std::string& name, const Place& place, Squares& squares) {
    const Matrix* values = matrix(name);
    std::vector<float> column;
    for (int64_t pixel = 0; pixel < values->rows; ++pixel) column.push_back(values->at(pixel, unit_));
    const float largest = largest_of(column, 0, column.size());
    const int scale = std::max(1, int(place.height) / side);
    squares.draw(place.at, side, side, scale, version_ * 1000 + uint64_t(unit_), [&](int x, int y) {
        return lesson_21_mlp_forward::colour_of_number(column[size_t(y * side + x)], largest);
    });
    const auto corner = [&](int pixel) {
        return ImVec2{place.at.x + float(pixel % side * scale), place.at.y + float(pixel / side * scale)};
    };
    const float cell = float(scale);
    if (weight_.layer == 1 && weight_.column == unit_) {
        const ImVec2 at = corner(weight_.row);
        ImGui::GetWindowDrawList()->AddRect({at.x - 1, at.y - 1}, {at.x + cell + 1, at.y + cell + 1},
                                            palette().accent, 0, 2);
    }
    const ImVec2 mouse = ImGui::GetMousePos();
    if (!inside(mouse, place.at, {place.at.x + cell * side, place.at.y + cell * side})) return;
    const int pixel = int(mouse.y - place.at.y) / scale * side + int(mouse.x - place.at.x) / scale;
    if (ImGui::IsMouseClicked(0)) {
        weight_ = {1, pixel, unit_};
        weight_chosen_ = true;
    }
    if (!begin_hint()) return;
    hint_title(fmt::format("{}[{}][{}] = {:.5f}", name, pixel, unit_, column[size_t(pixel)]));
    hint_text("Click: this is the weight to nudge.");
    end_hint();
}

// A row of as many numbers as there are hidden units.
void FigureView::draw_cells(const Matrix& values, const Place& place) {
    const int64_t row = values.rows > 1 ? picture_ : 0;
    const int units = int(values.columns), across = std::max(1, int(std::ceil(std::sqrt(float(units)))));
    const float cell = std::floor(std::min(place.width, place.height) / float(across));
    const float largest = largest_of(values.numbers, size_t(row * values.columns), size_t(units));
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (int unit = 0; unit < units; ++unit) {
        const ImVec2 from{place.at.x + cell * float(unit % across), place.at.y + cell * float(unit / across)};
        const ImVec2 to{from.x + cell - 2, from.y + cell - 2};
        const float value = values.at(row, unit);
        list->AddRectFilled(from, to, lesson_21_mlp_forward::colour_of_number(value, largest), 1);
        if (values.is_wrong(row, unit)) list->AddRect(from, to, palette().bad, 1, 2);
        if (unit == unit_)
            list->AddRect({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, palette().accent, 1, 2);
        if (!inside(ImGui::GetMousePos(), from, {from.x + cell, from.y + cell})) continue;
        if (ImGui::IsMouseClicked(0)) {
            unit_ = unit;
            if (weight_.layer == 1) weight_.column = unit;
            weight_chosen_ = true;
        }
        if (!begin_hint()) continue;
        hint_title(fmt::format("{}, unit {}: {:.5f}", values.name, unit, value));
        hint_text("Click: w1 and dw1 show this unit.");
        end_hint();
    }
}

void FigureView::draw_field(const Matrix& values, const Place& place) {
    const float wide = std::floor(place.width / float(values.columns));
    const float high = place.height / float(values.rows);
    const float largest = largest_of(values.numbers, 0, values.numbers.size());
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (int row = 0; row < int(values.rows); ++row)
        for (int column = 0; column < int(values.columns); ++column) {
            const ImVec2 from{place.at.x + wide * float(column), std::floor(place.at.y + high * float(row))};
            const ImVec2 to{from.x + wide - 1, std::floor(place.at.y + high * float(row + 1))};
            list->AddRectFilled(from, to,
                                values.is_wrong(row, column) ? palette().bad
                                                             : lesson_21_mlp_forward::colour_of_number(
                                                                   values.at(row, column), largest));
            const bool chosen = weight_ == Weight{2, row, column};
            if (chosen) list->AddRect({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, palette().accent, 0, 2);
            if (!inside(ImGui::GetMousePos(), from, {from.x + wide, to.y})) continue;
            if (ImGui::IsMouseClicked(0)) {
                weight_ = {2, row, column};
                weight_chosen_ = true;
            }
            if (!begin_hint()) continue;
            hint_title(fmt::format("{}[{}][{}] = {:.5f}", values.name, row, column, values.at(row, column)));
            hint_text("Click: this is the weight to nudge.");
            end_hint();
        }
}

// A row of as many numbers as there are classes.
void FigureView::draw_bars(const Matrix& values, const Place& place) {
    const int64_t row = values.rows > 1 ? picture_ : 0;
    const int classes = int(values.columns);
    const float high = std::floor(place.height / float(classes)), size = std::min(em(0.72f), high);
    const float largest = largest_of(values.numbers, size_t(row * values.columns), size_t(classes));
    const int label = size_t(picture_) < flow_->labels.size() ? flow_->labels[size_t(picture_)] : -1;
    const float left = place.at.x + em(0.8f), room = std::max(em(1), place.width - em(0.8f) - em(2.5f));
    const bool one_sided = values.name == "probabilities";
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (int c = 0; c < classes; ++c) {
        const float y = place.at.y + high * float(c), value = values.at(row, c);
        const bool wrong = values.is_wrong(row, c);
        draw_text(list, c == label ? Face::mono_bold : Face::mono, size, {place.at.x, y},
                  c == label ? palette().accent : palette().dim, std::to_string(c));
        list->AddRectFilled({left, y + 1}, {left + room, y + high - 1}, palette().idle, 1);
        const float zero = one_sided ? 0 : room / 2, full = one_sided ? room : room / 2;
        if (std::isfinite(value) && largest > 0) {
            const float end = zero + full * value / largest;
            list->AddRectFilled({left + std::min(zero, end), y + 1},
                                {left + std::max(zero, end) + 1, y + high - 1},
                                value < 0 ? palette().warn : palette().read, 1);
        }
        if (wrong) list->AddRect({left - 1, y}, {left + room + 1, y + high}, palette().bad, 1, 2);
        const bool tiny = std::fabs(value) < 0.005f && value != 0;
        draw_text(list, Face::mono, size, {left + room + em(0.2f), y}, wrong ? palette().bad : palette().text,
                  tiny ? fmt::format("{:.0e}", value) : short_number(value));
    }
}

}  // namespace lab::lesson_22_mlp_backward
