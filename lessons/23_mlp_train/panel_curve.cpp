#include "lessons/23_mlp_train/panel_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/theme.h"
#include "app/theme/widgets.h"

namespace lab::lesson_23_mlp_train {

namespace {

constexpr float number_size = 0.72f;  // in em, of the axes' numbers

// Each point's mean with those shortly before it: what the eye wants to follow.
std::vector<SeriesPoint> smoothed(const std::vector<SeriesPoint>& points) {
    constexpr size_t most = 15;
    std::vector<SeriesPoint> smooth;
    double sum = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        sum += points[i].y;
        if (i >= most) sum -= points[i - most].y;
        smooth.push_back({points[i].x, float(sum / double(std::min(i + 1, most)))});
    }
    return smooth;
}

// The loss that the axis ends at: a network that guesses has 2.3, and a few high steps shall not flatten the rest.
float top_of(const std::vector<SeriesPoint>& smooth) {
    float top = 2.5f;
    for (const SeriesPoint& point : smooth) top = std::max(top, std::min(point.y * 1.1f, 10.f));
    return top;
}

}  // namespace

void Curve::show(const std::vector<Series>& all) {
    const Series *loss = find_series(all, "loss"), *accuracy = find_series(all, "accuracy");
    loss_ = loss ? loss->points : std::vector<SeriesPoint>{};
    accuracy_ = accuracy ? accuracy->points : std::vector<SeriesPoint>{};
    smooth_ = smoothed(loss_);
    const Series* steps = find_series(all, "steps");
    planned_ = steps && !steps->points.empty() ? steps->points.front().y : 0;
}

std::string Curve::words() const {
    if (loss_.empty()) return "no step yet";
    std::string words = fmt::format("{} steps, loss {:.2f}", loss_.size(), smooth_.back().y);
    if (epochs() > 0)
        words += fmt::format(", {:.1f} % right after {} epoch{}", 100 * accuracy(), epochs(),
                             epochs() == 1 ? "" : "s");
    return words;
}

ImVec2 Curve::Frame::at(const SeriesPoint& point, float top) const {
    const float x = steps > 0 ? point.x / steps : 0, y = std::clamp(point.y / top, 0.f, 1.f);
    return {from.x + std::clamp(x, 0.f, 1.f) * (to.x - from.x), to.y - y * (to.y - from.y)};
}

void Curve::draw_axes(const Frame& frame) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(frame.from, frame.to, palette().code, 3);
    const float size = em(number_size);
    for (int i = 0; i <= int(frame.loss); ++i) {
        const float y = frame.at({0, float(i)}, frame.loss).y;
        list->AddLine({frame.from.x, y}, {frame.to.x, y}, with_alpha(palette().border, 0.7f));
        const std::string number = std::to_string(i);
        const float wide = text_size(Face::mono, size, number).x;
        draw_text(list, Face::mono, size, {frame.from.x - wide - em(0.3f), y - size / 2}, palette().read,
                  number);
    }
    for (const int percent : {0, 50, 100}) {
        const float y = frame.at({0, float(percent)}, 100).y;
        draw_text(list, Face::mono, size, {frame.to.x + em(0.3f), y - size / 2}, palette().wrote,
                  fmt::format("{} %", percent));
    }
    for (size_t i = 1; i < accuracy_.size(); ++i) {
        const float x = frame.at(accuracy_[i], 1).x;
        list->AddLine({x, frame.from.y}, {x, frame.to.y}, with_alpha(palette().faint, 0.5f));
    }
    draw_text(list, Face::text, size, {frame.from.x, frame.to.y + em(0.2f)}, palette().dim,
              accuracy_.size() > 1 ? "steps; a line ends each epoch" : "steps");
    if (is_empty()) return;
    const std::string last = fmt::format("{:.0f}", frame.steps);
    draw_text(list, Face::mono, size,
              {frame.to.x - text_size(Face::mono, size, last).x, frame.to.y + em(0.2f)}, palette().dim, last);
}

void Curve::draw_lines(const Frame& frame) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto line = [&](const std::vector<SeriesPoint>& points, float top, ImU32 colour, float thick) {
        std::vector<ImVec2> places;
        for (const SeriesPoint& point : points) places.push_back(frame.at(point, top));
        if (places.size() > 1) list->AddPolyline(places.data(), int(places.size()), colour, thick);
    };
    line(loss_, frame.loss, with_alpha(palette().read, 0.35f), 1);
    line(smooth_, frame.loss, palette().read, em(0.12f));
    line(accuracy_, 1, palette().wrote, em(0.1f));
    for (const SeriesPoint& point : accuracy_)
        list->AddCircleFilled(frame.at(point, 1), em(0.22f), palette().wrote);
}

void Curve::explain(const Frame& frame) const {
    if (!ImGui::IsItemHovered() || loss_.empty()) return;
    const float part = (ImGui::GetMousePos().x - frame.from.x) / std::max(1.f, frame.to.x - frame.from.x);
    const auto step = size_t(std::clamp(part * frame.steps, 0.f, float(loss_.size() - 1)));
    ImGui::GetWindowDrawList()->AddCircle(frame.at(loss_[step], frame.loss), em(0.3f), palette().text, 0, 2);
    if (!begin_hint()) return;
    hint_title(fmt::format("step {}: loss {:.3f}", step, loss_[step].y));
    for (size_t i = accuracy_.size(); i-- > 0;) {
        if (accuracy_[i].x > float(step)) continue;
        hint_text(fmt::format("After {} epochs it got {:.1f} % of {} right.", i, 100 * accuracy_[i].y,
                              "500 digits that it has not seen"));
        break;
    }
    end_hint();
}

void Curve::draw(ImVec2 size) const {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float wide = std::max(size.x, em(10)), high = std::max(size.y, em(6));
    const float most =
        std::max(loss_.empty() ? 1.f : loss_.back().x + 1, accuracy_.empty() ? 1.f : accuracy_.back().x);
    const Frame frame{{corner.x + em(1.3f), corner.y + em(0.4f)},
                      {corner.x + wide - em(2.7f), corner.y + high - em(1.4f)},
                      std::max(most, planned_),
                      top_of(smooth_)};
    ImGui::InvisibleButton("curve", {wide, high});
    draw_axes(frame);
    if (is_empty()) {
        const char* words = "no training yet";
        const ImVec2 room = text_size(Face::text, em(0.85f), words);
        draw_text(ImGui::GetWindowDrawList(), Face::text, em(0.85f),
                  {(frame.from.x + frame.to.x - room.x) / 2, (frame.from.y + frame.to.y) / 2}, palette().dim,
                  words);
        return;
    }
    draw_lines(frame);
    explain(frame);
}

}  // namespace lab::lesson_23_mlp_train
