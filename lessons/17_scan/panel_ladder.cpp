#include "lessons/17_scan/panel_ladder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/widgets.h"

namespace lab::lesson_17_scan {
namespace {

constexpr float row_high = 2.3f, cell_high = 1.2f, label_wide = 11.5f;  // in em
constexpr size_t page_columns = 64;

// A number in a cell, as large as fits; nothing, where it would be too small to read.
void draw_number(ImDrawList* list, ImVec2 from, ImVec2 to, const std::string& text, ImU32 ink) {
    if (text.empty()) return;
    const float fits = text_size(Face::mono, em(1), text).x;
    const float size = std::min(em(0.82f), em(1) * (to.x - from.x - 1) / fits);
    if (size < em(0.42f)) return;
    const ImVec2 room = text_size(Face::mono, size, text);
    draw_text(list, Face::mono, size, {(from.x + to.x - room.x) / 2, (from.y + to.y - room.y) / 2}, ink,
              text);
}

// Two buttons and a slider over 0 .. count - 1, and the keys that step it while the window has the focus.
size_t draw_slider(const char* id, const std::string& label, size_t shown, size_t count, ImGuiKey before,
                   ImGuiKey after) {
    int step = 0;
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::GetIO().WantTextInput) {
        step += ImGui::IsKeyPressed(after);
        step -= ImGui::IsKeyPressed(before);
    }
    ImGui::PushID(id);
    if (ImGui::ArrowButton("before", ImGuiDir_Left)) --step;
    ImGui::SameLine(0, em(0.2f));
    if (ImGui::ArrowButton("after", ImGuiDir_Right)) ++step;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    const int last = int(count) - 1;
    int wanted = int(shown);
    ImGui::SliderInt("##slider", &wanted, 0, last, label.c_str(), ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopID();
    return size_t(std::clamp(wanted + step, 0, last));
}

// "2", "2 and 4", "1, 2 and 4"
std::string listed(const std::vector<int>& columns) {
    std::string text;
    for (size_t i = 0; i < columns.size(); ++i)
        text += (i == 0 ? "" : i + 1 == columns.size() ? " and " : ", ") + std::to_string(columns[i]);
    return text;
}

}  // namespace

void LadderView::show(const Ladder& ladder) {
    ladder_ = &ladder;
    page_ = 0;
    shown_ = 0;
    while (shown_ + 1 < ladder.steps.size() && ladder.steps[shown_].lines.empty()) ++shown_;
}

bool LadderView::is_shown_whole() const {
    return ladder_->columns <= page_columns;
}

float LadderView::height() const {
    return em(1.9f + (is_shown_whole() ? 0 : 1.9f) + 1.5f * 2 + 1.45f + 1.4f + 1.4f + 1.6f) +
           em(row_high) * float(ladder_->steps.size());
}

const Cell* LadderView::cell(size_t step, int column) const {
    const Step& now = ladder_->steps[step];
    return column >= 0 && size_t(column) < now.cells.size() ? &now.cells[size_t(column)] : nullptr;
}

void LadderView::draw_choice() {
    const size_t count = ladder_->steps.size();
    shown_ = draw_slider("step", fmt::format("step {} of {}", shown_ + 1, count), shown_, count,
                         ImGuiKey_LeftArrow, ImGuiKey_RightArrow);
    if (is_shown_whole()) return;
    const size_t pages = (ladder_->columns + page_columns - 1) / page_columns;
    const size_t last = std::min(ladder_->columns, (page_ + 1) * page_columns) - 1;
    page_ = draw_slider("page",
                        fmt::format("columns {} to {} of {}", page_ * page_columns, last, ladder_->columns),
                        page_, pages, ImGuiKey_UpArrow, ImGuiKey_DownArrow);
}

std::string LadderView::label_of(size_t step) const {
    const Step& now = ladder_->steps[step];
    if (now.is_shuffle && now.distance == 0) return "what the lanes bring";
    if (now.is_shuffle) return fmt::format("line {}: shuffle by {}", now.line, now.distance);
    return fmt::format("line {}: {}", now.line, plural(now.turns, "turn", "turns"));
}

std::string LadderView::sentence_of(size_t step) const {
    const Step& now = ladder_->steps[step];
    if (now.is_shuffle && now.distance == 0)
        return fmt::format("{} bring their numbers to the shuffle of line {}.",
                           plural(now.workers(), "lane", "lanes"), now.line);
    if (now.is_shuffle)
        return fmt::format("Line {}: {} shuffle, and {} of them get a number from {} further left.", now.line,
                           plural(now.workers(), "lane", "lanes"), now.lines.size(),
                           plural(now.distance, "lane", "lanes"));
    const std::string places = plural(now.workers(), "place", "places");
    if (now.lines.empty())
        return fmt::format("Line {}: {} written, from registers. {}, {} at the banks.", now.line,
                           places + (now.workers() == 1 ? " is" : " are"),
                           plural(now.requests, "request of a warp", "requests of warps"),
                           plural(now.turns, "turn", "turns"));
    return fmt::format(
        "Line {}: {} changed. {}, reads included: {} at the banks{}.", now.line,
        places + (now.workers() == 1 ? " is" : " are"),
        plural(now.requests, "request of a warp", "requests of warps"), plural(now.turns, "turn", "turns"),
        now.turns > now.requests ? fmt::format(", {} of them in line behind others", now.turns - now.requests)
                                 : "");
}

std::string LadderView::sentence_of(const Pointed& at) const {
    if (at.step < 0) return "Point at a cell to follow its sum back to where it came from.";
    const Step& now = ladder_->steps[size_t(at.step)];
    const Cell* pointed = cell(size_t(at.step), at.column);
    if (pointed == nullptr || !pointed->worked)
        return fmt::format("Column {} stays as it was in this step.", at.column);
    std::vector<int> from;
    for (const Line& line : now.lines)
        if (line.to == at.column) from.push_back(line.from);
    std::sort(from.begin(), from.end());
    if (now.is_shuffle && now.distance == 0)
        return fmt::format("Thread {} brings {}.", pointed->thread, pointed->brought);
    if (now.is_shuffle && from.empty())
        return fmt::format(
            "Thread {} brings {}, and nobody in its warp is so far to its left: it gets its own back.",
            pointed->thread, pointed->brought);
    if (now.is_shuffle)
        return fmt::format("Thread {} brings {}, and gets {} from thread {}.", pointed->thread,
                           pointed->brought, pointed->got, from.front());
    if (from.empty()) return fmt::format("Thread {} writes place {}.", pointed->thread, at.column);
    return fmt::format("Thread {} has read {} {}, and writes {}.", pointed->thread,
                       from.size() == 1 ? "place" : "places", listed(from), at.column);
}

LadderView::Layout LadderView::lay_out() const {
    Layout layout;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    layout.at = {std::floor(at.x), std::floor(at.y)};
    layout.first = page_ * page_columns;
    layout.columns = std::min(ladder_->columns - layout.first, page_columns);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    layout.wide = std::min(std::floor((room.x - em(label_wide)) / float(layout.columns)), em(3));
    layout.wide = std::max(layout.wide, 3.f);
    layout.head = em(1.4f);
    const float rows = float(ladder_->steps.size());
    layout.row =
        std::floor(std::clamp((room.y - layout.head - em(1.8f)) / rows, em(1.5f), em(row_high * 1.3f)));
    layout.cell = std::min(em(cell_high), layout.row * 0.55f);
    if (!ladder_->steps[0].lines.empty()) layout.head += layout.row - layout.cell;
    return layout;
}

LadderView::Pointed LadderView::point(const Layout& layout, const RunChoice& choice, Cursor& cursor) {
    const size_t steps = ladder_->steps.size();
    const bool clicked = ImGui::InvisibleButton(
        "ladder", {layout.wide * float(layout.columns), layout.y(steps) - layout.at.y});
    Pointed at;
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        at.step = std::clamp(int(std::floor((mouse.y - layout.y(0) + layout.row - layout.cell) / layout.row)),
                             0, int(steps) - 1);
        at.column = std::clamp(int((mouse.x - layout.at.x) / layout.wide), 0, int(layout.columns) - 1) +
                    int(layout.first);
        if (clicked) shown_ = size_t(at.step);
        cursor.pointed = true;
        if (cursor.pinned && !clicked) return at;
        const bool again = clicked && cursor.pinned;
        cursor = Cursor{};
        cursor.pointed = true;
        if (again) return at;
        cursor.pinned = clicked;
        choice.put_into(cursor);
        cursor.launch = choice.launch();
        cursor.line = ladder_->steps[size_t(at.step)].line;
        const Cell* pointed = cell(size_t(at.step), at.column);
        if (pointed == nullptr || !pointed->worked) return at;
        cursor.block = ladder_->block;
        cursor.warp = pointed->thread / warp_lanes;
        cursor.lane = pointed->thread % warp_lanes;
        cursor.step = int(pointed->step);
        return at;
    }
    if (!choice.holds(cursor) || cursor.block != ladder_->block || !cursor.has_thread()) return at;
    const Step& now = ladder_->steps[shown_];  // another panel points at a thread: its cell in this step
    for (size_t c = 0; c < now.cells.size(); ++c)
        if (now.cells[c].worked && now.cells[c].thread == cursor.warp * warp_lanes + cursor.lane)
            return {int(shown_), int(c)};
    return at;
}

void LadderView::draw_head(const Layout& layout) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool sparse = layout.wide < em(1.3f);
    for (size_t c = 0; c < layout.columns; ++c) {
        const int column = int(layout.first + c);
        if (sparse && column % 4 != 0) continue;
        const float x = layout.x(column);
        const float wide = sparse ? layout.wide * 4 : layout.wide;
        draw_number(list, {x, layout.at.y}, {x + wide - 2, layout.at.y + em(1.2f)}, std::to_string(column),
                    palette().dim);
    }
}

void LadderView::draw_lines(const Layout& layout, size_t step, const std::vector<std::vector<bool>>& lit,
                            const Pointed& at) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float top = layout.y(step) - layout.row + layout.cell - 1, bottom = layout.y(step) - 1;
    for (const bool lit_ones : {false, true})
        for (const Line& line : ladder_->steps[step].lines) {
            const bool is_lit = at.step >= int(step) && size_t(line.to) < lit[step + 1].size() &&
                                lit[step + 1][size_t(line.to)];
            if (is_lit != lit_ones) continue;
            const float from = layout.middle(line.from), to = layout.middle(line.to);
            if (std::max(from, to) < layout.at.x ||
                std::min(from, to) > layout.at.x + layout.wide * float(layout.columns))
                continue;
            const bool own = line.from == line.to;
            const float strength = is_lit           ? 1.f
                                   : at.step >= 0   ? 0.15f
                                   : step == shown_ ? 0.95f
                                   : own            ? 0.3f
                                                    : 0.5f;
            const ImU32 ink = with_alpha(own ? palette().dim : palette().accent, strength);
            list->AddLine({from, top}, {to, bottom}, ink, is_lit || step == shown_ ? 2.f : 1.2f);
        }
}

void LadderView::draw_step(const Layout& layout, size_t step, const std::vector<std::vector<bool>>& lit,
                           const Pointed& at) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Step& now = ladder_->steps[step];
    const float y = layout.y(step);
    for (size_t c = 0; c < layout.columns; ++c) {
        const int column = int(layout.first + c);
        if (size_t(column) >= now.cells.size()) break;
        const Cell& one = now.cells[size_t(column)];
        const ImVec2 from{layout.x(column), y},
            to{from.x + layout.wide - (layout.wide > 6 ? 2.f : 1.f), y + layout.cell};
        const ImU32 colour = now.is_shuffle ? palette().read : palette().wrote;
        list->AddRectFilled(
            from, to,
            one.worked ? mix(palette().surface, colour, step == shown_ ? 0.6f : 0.35f) : palette().idle, 2);
        if (one.worked)
            draw_number(list, from, to,
                        one.has_value    ? std::to_string(one.value)
                        : now.is_shuffle ? ""
                                         : fmt::format("t{}", one.thread),
                        palette().text);
        if (at.step >= int(step) && lit[step + 1][size_t(column)]) list->AddRect(from, to, palette().text, 2);
    }
    draw_text(
        list, Face::text, em(0.8f),
        {layout.at.x + layout.wide * float(layout.columns) + em(0.5f), y + (layout.cell - em(1.04f)) / 2},
        step == shown_ ? palette().text : palette().dim, label_of(step));
}

void LadderView::draw(const RunChoice& choice, Cursor& cursor) {
    draw_choice();
    wrapped_text(Face::text, em(0.92f), palette().text, sentence_of(shown_));
    section_title(fmt::format("Block {}: a row is a step, a column a number", ladder_->block),
                  "t3: written by thread 3");
    const Layout layout = lay_out();
    const Pointed at = point(layout, choice, cursor);
    const auto lit =
        at.step < 0 ? std::vector<std::vector<bool>>() : sources_of(*ladder_, size_t(at.step), at.column);
    const auto& none = std::vector<std::vector<bool>>(ladder_->steps.size() + 1);
    draw_head(layout);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float right = layout.at.x + layout.wide * float(layout.columns);
    list->PushClipRect({layout.at.x, layout.at.y}, {right, layout.y(ladder_->steps.size())}, true);
    for (size_t step = 0; step < ladder_->steps.size(); ++step)
        draw_lines(layout, step, at.step < 0 ? none : lit, at);
    list->PopClipRect();
    for (size_t step = 0; step < ladder_->steps.size(); ++step)
        draw_step(layout, step, at.step < 0 ? none : lit, at);
    wrapped_text(Face::text, em(0.92f), palette().dim, sentence_of(at));
}

}  // namespace lab::lesson_17_scan
