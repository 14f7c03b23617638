#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/widgets.h"
#include "lessons/18_matmul/panel_views.h"

namespace lab::lesson_18_matmul {
namespace {

constexpr double least_x = 1.0 / 32, most_x = 256, least_y = 1e11, most_y = 2.56e14;
constexpr float plot_high = 15, left_room = 5.2f, below = 2.6f;  // in em

struct Tick {
    double value;
    const char* text;
};
constexpr Tick across[] = {{1.0 / 16, "1/16"}, {0.25, "1/4"}, {1, "1"}, {4, "4"}, {16, "16"}, {64, "64"}};
constexpr Tick up[] = {{1e11, "0.1"}, {1e12, "1"}, {1e13, "10"}, {1e14, "100"}};

const char* limit_text(Point::Limit limit) {
    switch (limit) {
        case Point::Limit::arithmetic:
            return "arithmetic";
        case Point::Limit::global:
            return "global memory";
        case Point::Limit::shared:
            return "shared memory";
        case Point::Limit::none:
            break;
    }
    return "";
}

// "matmul_tiled" -> "tiled"
std::string short_name(const Kernel& kernel) {
    const size_t at = kernel.name.find('_');
    return at == std::string::npos ? kernel.name : kernel.name.substr(at + 1);
}

void diamond(ImDrawList* list, ImVec2 at, float r, ImU32 colour, bool filled) {
    const ImVec2 top{at.x, at.y - r}, right{at.x + r, at.y}, bottom{at.x, at.y + r}, left{at.x - r, at.y};
    if (filled)
        list->AddQuadFilled(top, right, bottom, left, colour);
    else
        list->AddQuad(top, right, bottom, left, colour, 1.6f);
}

}  // namespace

float RoofView::height() {
    return em(plot_high + below + 8.4f);
}

ImVec2 RoofView::Plot::at(double flops_a_byte, double flops) const {
    const double x =
        std::log(std::clamp(flops_a_byte, least_x, most_x) / least_x) / std::log(most_x / least_x);
    const double y = std::log(std::clamp(flops, least_y, most_y) / least_y) / std::log(most_y / least_y);
    return {from.x + float(x) * (to.x - from.x), to.y - float(y) * (to.y - from.y)};
}

void RoofView::draw_axes(const Plot& plot) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(plot.from, plot.to, palette().code);
    const float small = em(0.76f);
    for (const Tick& tick : across) {
        const ImVec2 at = plot.at(tick.value, least_y);
        list->AddLine({at.x, plot.from.y}, at, palette().border);
        draw_text(list, Face::text, small,
                  {at.x - text_size(Face::text, small, tick.text).x / 2, at.y + em(0.15f)}, palette().dim,
                  tick.text);
    }
    for (const Tick& tick : up) {
        const ImVec2 at = plot.at(least_x, tick.value);
        list->AddLine(at, {plot.to.x, at.y}, palette().border);
        draw_text(list, Face::text, small,
                  {at.x - text_size(Face::text, small, tick.text).x - em(0.3f), at.y - em(0.5f)},
                  palette().dim, tick.text);
    }
    draw_text(list, Face::text, small, {plot.from.x - em(left_room), plot.from.y - em(0.1f)}, palette().dim,
              "TFLOP/s");
    const char* below_text = "operations for each byte";
    draw_text(list, Face::text, small,
              {plot.to.x - text_size(Face::text, small, below_text).x, plot.to.y + em(1.2f)}, palette().dim,
              below_text);
}

void RoofView::draw_roofs(const Plot& plot, const Card& card) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float small = em(0.76f);
    struct Roof {
        double bytes;
        ImU32 colour;
        const char* name;
    };
    for (const Roof& roof : {Roof{card.global_bytes, palette().read, "global memory"},
                             Roof{card.shared_bytes, palette().good, "shared memory"}}) {
        const double first = std::max(least_x, least_y / roof.bytes), ridge = card.flops / roof.bytes;
        const ImVec2 from = plot.at(first, first * roof.bytes), to = plot.at(ridge, card.flops);
        list->AddLine(from, to, roof.colour, 2);
        // The upper line's name is left of it, the lower one's right.
        const bool is_upper = roof.bytes > card.global_bytes;
        const double where = is_upper ? 0.6 : 1.3;
        const ImVec2 at = plot.at(where, std::min(card.flops, where * roof.bytes));
        const ImVec2 size = text_size(Face::text, small, roof.name);
        draw_text(list, Face::text, small,
                  is_upper ? ImVec2{at.x - size.x - em(0.7f), at.y - size.y}
                           : ImVec2{at.x + em(0.7f), at.y + em(0.1f)},
                  roof.colour, roof.name);
    }
    const ImVec2 flat = plot.at(card.flops / std::max(card.shared_bytes, card.global_bytes), card.flops);
    list->AddLine(flat, {plot.to.x, flat.y}, palette().text, 2);
    const std::string peak = "arithmetic: " + rate_text(card.flops);
    draw_text(list, Face::text, small,
              {plot.to.x - text_size(Face::text, small, peak).x - em(0.3f), flat.y - em(1.15f)},
              palette().text, peak);
}

void RoofView::draw_point(const Plot& plot, const Point& point, const Card& card, bool is_chosen) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float r = em(is_chosen ? 0.42f : 0.32f), small = em(0.76f);
    const ImU32 name_ink = is_chosen ? palette().text : palette().dim;
    const std::string name = short_name(*point.kernel);
    const double most = point.reach(card);
    if (point.shared) {
        const ImVec2 at = plot.at(*point.shared, card.reach_shared(*point.shared));
        diamond(list, at, r, palette().good, card.reach_shared(*point.shared) <= most);
        if (is_chosen) diamond(list, at, r + 2, palette().text, false);
        draw_text(list, Face::text, small, {at.x + r + em(0.2f), at.y + em(0.1f)}, name_ink, name);
    }
    if (!point.global) return;
    const ImVec2 at = plot.at(*point.global, card.reach_global(*point.global));
    if (card.reach_global(*point.global) <= most)
        list->AddCircleFilled(at, r, palette().read);
    else
        list->AddCircle(at, r, palette().read, 0, 1.6f);
    if (is_chosen) list->AddCircle(at, r + 2, palette().text, 0, 1.6f);
    draw_text(list, Face::text, small, {at.x + r + em(0.2f), at.y + em(0.1f)}, name_ink, name);
}

void RoofView::draw_sentence(const Point& point, const Card& card) const {
    if (point.limit(card) == Point::Limit::none)
        return wrapped_text(
            Face::text, em(0.92f), palette().dim,
            "This launch moved no bytes that were counted, so it has no place on a roofline.");
    std::string text = point.kernel->name + ": ";
    if (point.global)
        text += fmt::format("{} operations for each byte from global memory, which allows {}",
                            short_text(*point.global), rate_text(card.reach_global(*point.global)));
    if (point.shared)
        text += fmt::format("{}{} for each byte of shared memory, {}", point.global ? "; " : "",
                            short_text(*point.shared), rate_text(card.reach_shared(*point.shared)));
    text += fmt::format(". The lowest bound is {}: {}.", limit_text(point.limit(card)),
                        rate_text(point.reach(card)));
    wrapped_text(Face::text, em(0.92f), palette().text, text);
    wrapped_text(
        Face::text, em(0.85f), palette().dim,
        "Counted by the CPU machine, from the source as it stands; what the card's profile allows for "
        "that, if no cache helps. Nothing here is a measured time.");
}

void RoofView::draw(const std::vector<Point>& points, const Card& card, int chosen) const {
    if (size_t(chosen) < points.size()) draw_sentence(points[size_t(chosen)], card);
    section_title("Roofline", "circle: global, diamond: shared; full: what bounds it");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float high = std::clamp(room.y - em(below), em(8), em(plot_high * 1.3f));
    Plot plot;
    plot.from = {at.x + em(left_room), at.y + em(0.3f)};
    plot.to = {at.x + std::min(room.x, em(44)), at.y + high};
    draw_axes(plot);
    ImGui::GetWindowDrawList()->PushClipRect(plot.from, plot.to, true);
    draw_roofs(plot, card);
    for (size_t i = 0; i < points.size(); ++i)
        if (int(i) != chosen) draw_point(plot, points[i], card, false);
    if (size_t(chosen) < points.size()) draw_point(plot, points[size_t(chosen)], card, true);
    ImGui::GetWindowDrawList()->PopClipRect();
    ImGui::Dummy({1, high + em(below)});
}

}  // namespace lab::lesson_18_matmul
