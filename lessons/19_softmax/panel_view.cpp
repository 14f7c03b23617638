#include "lessons/19_softmax/panel_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/steps.h"
#include "app/theme/widgets.h"

namespace lab::lesson_19_softmax {
namespace {

constexpr float chart_high = 5.4f, box_high = 1.2f, lane_gap = 1.0f, label_wide = 3.4f;  // in em

std::string text_of(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
    if (value != 0 && (std::fabs(value) >= 1e5 || std::fabs(value) < 1e-3))
        return fmt::format("{:.2e}", value);
    return fmt::format("{:.4g}", value);
}

// For a box of a lane.
std::string short_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    const double size = std::fabs(value);
    if (size >= 1e5) return fmt::format("{:.0e}", value);
    if (size >= 100) return fmt::format("{:.0f}", value);
    if (size >= 10) return fmt::format("{:.1f}", value);
    return fmt::format("{:.2f}", value);
}

bool shows(double value) {
    return std::isfinite(value);
}

}  // namespace

float RowView::Chart::y(double value) const {
    const double part = std::clamp((value - low) / (high - low), 0.0, 1.0);
    return to.y - float(part) * (to.y - from.y);
}

float RowView::Chart::x(size_t column, size_t columns) const {
    return from.x + (to.x - from.x) * float(column) / float(columns);
}

void RowView::show(const RowRun& row, size_t warp) {
    const bool first = row_ == nullptr;
    row_ = &row;
    warp_ = &row.warps[std::min(warp, row.warps.size() - 1)];
    if (first) {
        shown_ = 0;  // the first shuffle: both what was read and what is told
        while (shown_ + 1 < warp_->steps.size() && warp_->steps[shown_].kind == Kind::read) ++shown_;
    }
    shown_ = std::min(shown_, warp_->steps.size() - 1);
}

float RowView::height() {
    return em(1.9f + 4.4f + chart_high + 0.5f + 2 * box_high + lane_gap + 3.2f);
}

RowView::Chart RowView::chart_at(ImVec2 at, ImVec2 size) const {
    Chart chart{at, {at.x + size.x, at.y + size.y}};
    bool first = true;
    for (const float value : row_->values) {
        if (!shows(value)) continue;
        chart.low = first ? value : std::min<double>(chart.low, value);
        chart.high = first ? value : std::max<double>(chart.high, value);
        first = false;
    }
    const double range = std::max(chart.high - chart.low, 1.0);
    if (chart.high > largest_exponent - range && chart.high < largest_exponent + 40 * range)
        chart.high = std::max(chart.high, largest_exponent);
    chart.low -= range * 0.12;
    chart.high += range * 0.28;  // the line's label stands above it
    return chart;
}

// Columns of less than a pixel share one, and the largest is seen.
void RowView::draw_bars(const Chart& chart) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const size_t n = row_->values.size();
    std::vector<uint8_t> state(n);  // 1: read in this pass, 2: in this step
    for (size_t s = 0; s <= shown_; ++s) {
        const Step& past = warp_->steps[s];
        const bool now = s == shown_, counts = past.kind == Kind::read && past.pass == step().pass;
        const bool writes = past.kind == Kind::write;
        if (!counts && !writes) continue;
        for (const int column : past.column)
            if (column >= 0) state[size_t(column)] = uint8_t(writes ? (now ? 4 : 3) : now ? 2 : 1);
    }
    const float wide = (chart.to.x - chart.from.x) / float(n), gap = wide > 4 ? 1.f : 0.f;
    const ImU32 colours[] = {palette().cell, palette().read, palette().accent, palette().wrote,
                             palette().accent};
    const float limit = largest_exponent < chart.high ? chart.y(largest_exponent) : chart.from.y;
    for (size_t c = 0; c < n; ++c) {
        const float left = chart.x(c, n), right = std::max(chart.x(c + 1, n) - gap, left + 1);
        const double value = row_->values[c];
        if (!shows(value)) {  // at the foot: nothing to be taller than
            list->AddRectFilled({left, chart.to.y - em(0.18f)}, {right, chart.to.y},
                                std::isnan(value) ? palette().bad : palette().faint);
            continue;
        }
        const float top = chart.y(value);
        list->AddRectFilled({left, std::max(top, limit)}, {right, chart.to.y}, colours[state[c]]);
        if (top < limit)
            list->AddRectFilled({left, top}, {right, limit},
                                state[c] == 0 ? with_alpha(palette().bad, 0.45f) : palette().bad);
    }
}

void RowView::draw_lines(const Chart& chart) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddLine({chart.from.x, chart.to.y}, chart.to, palette().border);
    if (largest_exponent > chart.low && largest_exponent < chart.high) {
        const float y = std::round(chart.y(largest_exponent));
        for (float x = chart.from.x; x < chart.to.x; x += em(0.6f))
            list->AddLine({x, y}, {std::min(x + em(0.3f), chart.to.x), y}, palette().bad, 1.5f);
        const char* text = "above 88.7, exp is infinity";
        const ImVec2 room = text_size(Face::text, em(0.75f), text), corner{chart.from.x, y - room.y - 2};
        list->AddRectFilled(corner, {corner.x + room.x + em(0.5f), y - 1}, palette().code);
        draw_text(list, Face::text, em(0.75f), {corner.x + em(0.25f), corner.y}, palette().bad, text);
    }
    if (step().all.any && shows(step().all.max)) {
        const float y = std::round(chart.y(step().all.max));
        list->AddLine({chart.from.x, y}, {chart.to.x, y}, palette().text, 1.5f);
        const std::string text = "max " + text_of(step().all.max);
        const ImVec2 room = text_size(Face::bold, em(0.8f), text);
        draw_text(list, Face::bold, em(0.8f), {chart.to.x - room.x - em(0.3f), y - em(1.05f)}, palette().text,
                  text);
    }
}

std::string RowView::sentence() const {
    const Step& now = step();
    const std::string line = fmt::format("line {}", now.line);
    switch (now.kind) {
        case Kind::read:
            return fmt::format("Read {} of {}, {}: {} of the row's numbers.", now.pass, row_->passes(), line,
                               std::popcount(now.mask));
        case Kind::write:
            return fmt::format("Write, {}: {} shares.", line, std::popcount(now.mask));
        case Kind::leave:
            return fmt::format("To shared memory, {}: what {} know.", line,
                               plural(std::popcount(now.mask), "lane", "lanes"));
        case Kind::take:
            return fmt::format("From shared memory, {}: what the warps know, by {}.", line,
                               plural(std::popcount(now.mask), "lane", "lanes"));
        case Kind::shuffle:
            break;
    }
    const char* what = now.brings == Brings::max        ? "its largest number"
                       : now.brings == Brings::sum      ? "its sum"
                       : now.brings == Brings::bare_sum ? "its sum of bare exps, no maximum taken off"
                                                        : "something";
    std::string text = fmt::format("Shuffle, {} apart, {}: each lane brings {}.", now.distance, line, what);
    if (now.wrong != 0)
        text += fmt::format(" {} not what the numbers make.",
                            std::popcount(now.wrong) == 1 ? std::string("One is")
                                                          : fmt::format("{} are", std::popcount(now.wrong)));
    return text;
}

// Where this pass has come to, and where the naive sum would be.
std::string RowView::total_sentence() const {
    const Step& now = step();
    if (!now.all.any) return "This warp has read no number of the row yet.";
    std::string text = fmt::format("This warp's numbers so far in this read: max {}, sum of exp(x - max) {}.",
                                   text_of(now.all.max), text_of(now.all.sum));
    return text + fmt::format(" Sum of exp(x) as it is: {}.", text_of(now.bare_sum));
}

std::string RowView::lane_sentence(int lane) const {
    const Step& now = step();
    const size_t l = size_t(lane);
    if ((now.mask >> lane & 1) == 0) return fmt::format("Lane {} takes no part in this step.", lane);
    if (now.kind != Kind::shuffle) {
        const Known& known = now.known[l];
        const std::string at = now.column[l] >= 0 ? fmt::format(" at column {}", now.column[l]) : "";
        if (!known.any) return fmt::format("Lane {}{} has read no number.", lane, at);
        return fmt::format("Lane {}{}: its own numbers make max {}, sum {}.", lane, at, text_of(known.max),
                           text_of(known.sum));
    }
    std::string text = fmt::format("Lane {} brings {} and gets {} of lane {}.", lane, text_of(now.brought[l]),
                                   text_of(now.got[l]), now.source[l]);
    if (now.wrong >> lane & 1) text += fmt::format(" Its numbers make {}.", text_of(now.due[l]));
    return text;
}

// What the box of a lane shows; nothing: it is empty.
std::optional<double> RowView::shown_of(int lane, bool upper) const {
    const Step& now = step();
    const size_t l = size_t(lane);
    if (now.kind == Kind::shuffle) {
        if ((now.mask >> lane & 1) == 0) return std::nullopt;
        return upper ? now.brought[l] : now.got[l];
    }
    if (!now.known[l].any) return std::nullopt;
    return upper ? now.known[l].max : now.known[l].sum;
}

// Filled as high as the lane's value stands among those of all lanes; the number itself where there is room for it.
void RowView::draw_boxes(ImVec2 at, float wide, bool upper) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    double low = 0, high = 0;
    bool first = true;
    for (const bool row : {true, false})  // a shuffle's two rows are of one kind, and share their scale
        for (int lane = 0; lane < lanes; ++lane) {
            const std::optional<double> value = shown_of(lane, row);
            if (!value || !shows(*value) || (row != upper && step().kind != Kind::shuffle)) continue;
            low = first ? *value : std::min(low, *value);
            high = first ? *value : std::max(high, *value);
            first = false;
        }
    const float tall = em(box_high);
    for (int lane = 0; lane < lanes; ++lane) {
        const ImVec2 from{at.x + wide * float(lane), at.y}, to{from.x + wide - 1, at.y + tall};
        const std::optional<double> value = shown_of(lane, upper);
        const bool bad = step().kind == Kind::shuffle && upper && (step().wrong >> lane & 1);
        list->AddRectFilled(from, to, value ? palette().raised : palette().idle);
        if (!value) continue;
        const double part = high > low ? (*value - low) / (high - low) : 1;
        const float level = shows(*value) ? tall * (0.15f + 0.85f * float(std::clamp(part, 0.0, 1.0))) : tall;
        list->AddRectFilled({from.x, to.y - level}, to,
                            bad || !shows(*value) ? with_alpha(palette().bad, 0.6f)
                                                  : mix(palette().raised, palette().accent, 0.55f));
        if (bad) list->AddRect(from, to, palette().bad, 0, 1.5f);
        const std::string text = short_text(*value);
        const float size = std::min(em(0.72f), em(1) * (wide - 3) / text_size(Face::mono, em(1), text).x);
        if (size < em(0.52f)) continue;
        const ImVec2 room = text_size(Face::mono, size, text);
        draw_text(list, Face::mono, size, {(from.x + to.x - room.x) / 2, (from.y + to.y - room.y) / 2},
                  palette().text, text);
    }
}

// A click holds the cursor, a second one lets go.
void RowView::point_at(const RunChoice& choice, Cursor& cursor, int lane, bool click) const {
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    const bool again = click && cursor.pinned;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return;
    cursor.pinned = click;
    choice.put_into(cursor);
    cursor.launch = choice.launch();
    cursor.block = warp_->block;
    cursor.warp = warp_->warp;
    cursor.lane = lane;
    cursor.step = step().at;
    cursor.line = step().line;
}

void RowView::draw_lanes(const RunChoice& choice, Cursor& cursor) const {
    const bool tells = step().kind == Kind::shuffle;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = (ImGui::GetContentRegionAvail().x - em(label_wide)) / lanes,
                lower = at.y + em(box_high + lane_gap);
    const ImVec2 size{wide * lanes, em(2 * box_high + lane_gap)};
    draw_text(list, Face::text, em(0.85f), {at.x, at.y + em(0.25f)}, palette().dim, tells ? "brings" : "max");
    draw_text(list, Face::text, em(0.85f), {at.x, lower + em(0.25f)}, palette().dim, tells ? "gets" : "sum");
    const float left = at.x + em(label_wide);
    ImGui::SetCursorScreenPos({left, at.y});
    const bool clicked = ImGui::InvisibleButton("lanes", size);
    int lit = -1;
    if (ImGui::IsItemHovered()) {
        lit = std::clamp(int((ImGui::GetMousePos().x - left) / wide), 0, lanes - 1);
        point_at(choice, cursor, lit, clicked);
    } else if (choice.holds(cursor) && cursor.block == warp_->block && cursor.warp == warp_->warp) {
        lit = cursor.lane;
    }
    draw_boxes({left, at.y}, wide, true);
    draw_boxes({left, lower}, wide, false);
    for (int lane = 0; lane < lanes; ++lane) {
        const float x = left + wide * float(lane);
        const int source = step().source[size_t(lane)];
        if (tells && (step().mask >> lane & 1) && source >= 0 && source < lanes)
            list->AddLine({left + wide * (float(source) + 0.5f), at.y + em(box_high)}, {x + wide / 2, lower},
                          lane == lit ? palette().text : with_alpha(palette().accent, 0.3f),
                          lane == lit ? 2.f : 1.f);
        if (lane == lit)
            for (const float y : {at.y, lower})
                list->AddRect({x - 1, y - 1}, {x + wide, y + em(box_high) + 1}, palette().text, 0, 1.5f);
    }
    wrapped_text(Face::text, em(0.92f), palette().dim, lane_sentence(std::max(lit, 0)));
}

void RowView::draw(const RunChoice& choice, Cursor& cursor) {
    const size_t count = warp_->steps.size();
    shown_ = draw_steps(
        {"step", fmt::format("step {} of {}", shown_ + 1, count), ImGuiKey_LeftArrow, ImGuiKey_RightArrow},
        shown_, count);
    wrapped_text(Face::text, em(0.95f), palette().text, sentence());
    const bool overflows = std::isinf(step().bare_sum) && step().all.any;
    wrapped_text(Face::text, em(0.92f), overflows ? palette().bad : palette().dim, total_sentence());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, em(chart_high)};
    ImGui::Dummy(size);
    const Chart chart = chart_at(at, size);
    draw_bars(chart);
    draw_lines(chart);
    ImGui::Dummy({0, em(0.1f)});
    draw_lanes(choice, cursor);
}

}  // namespace lab::lesson_19_softmax
