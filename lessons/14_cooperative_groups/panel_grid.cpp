#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/steps.h"
#include "app/theme/widgets.h"
#include "lessons/14_cooperative_groups/panel_views.h"

namespace lab::lesson_14_cooperative_groups {
namespace {

constexpr float row_high = 1.25f, label_wide = 4.6f;  // in em

}  // namespace

void GridView::show(const GridGroups& grid) {
    if (grid_ != &grid || barrier_ >= size_t(grid.barriers)) barrier_ = 0;
    grid_ = &grid;
}

float GridView::height() const {
    const size_t rows = std::min(grid_->blocks.size(), rows_in_sight);
    return em(1.9f + 1.45f + row_high * float(rows) + 0.5f + 2.7f);
}

GridView::Frame GridView::lay_out(size_t block) const {
    Frame frame;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    frame.at = {std::floor(at.x) + em(label_wide), std::floor(at.y)};
    frame.wide = ImGui::GetContentRegionAvail().x - em(label_wide + 0.4f);
    frame.row = em(row_high);
    frame.rows = std::min(grid_->blocks.size(), rows_in_sight);
    // The marked block stays in sight.
    frame.first =
        std::min(block < frame.rows / 2 ? 0 : block - frame.rows / 2, grid_->blocks.size() - frame.rows);
    const size_t phases = grid_->phases();
    int64_t work = 0;
    for (size_t p = 0; p < phases; ++p) work += std::max<int64_t>(grid_->most_work(p), 1);
    frame.gap = std::min(em(0.35f), frame.wide * 0.3f / float(std::max<size_t>(phases, 1)));
    frame.unit = (frame.wide - frame.gap * float(phases)) / float(std::max<int64_t>(work, 1));
    frame.unit = std::min(frame.unit, em(0.9f));
    return frame;
}

float GridView::left_of(const Frame& frame, size_t phase) const {
    float x = frame.at.x;
    for (size_t p = 0; p < phase; ++p)
        x += float(std::max<int64_t>(grid_->most_work(p), 1)) * frame.unit + frame.gap;
    return x;
}

size_t GridView::phase_at(const Frame& frame, float x) const {
    size_t phase = 0;
    while (phase + 1 < grid_->phases() && x >= left_of(frame, phase + 1)) ++phase;
    return phase;
}

void GridView::draw_row(const Frame& frame, size_t index, bool marked) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const BlockGroups& block = grid_->blocks[index];
    const float top = frame.at.y + frame.row * float(index - frame.first), bottom = top + frame.row - 3;
    draw_text(list, Face::text, em(0.82f), {frame.at.x - em(label_wide), top},
              marked ? palette().text : palette().dim, fmt::format("block {}", block.block));
    for (size_t phase = 0; phase < grid_->phases(); ++phase) {
        const int64_t work = phase < block.work.size() ? block.work[phase] : 0;
        const float left = left_of(frame, phase), mine = left + float(work) * frame.unit,
                    all = left + float(std::max<int64_t>(grid_->most_work(phase), 1)) * frame.unit;
        const ImU32 ink = marked ? palette().accent : mix(palette().surface, palette().accent, 0.55f);
        if (mine > left) list->AddRectFilled({left, top}, {mine, bottom}, ink, 2);
        // The last phase ends with the kernel: nobody is waited for.
        if (all > mine && phase < size_t(grid_->barriers))
            list->AddRectFilled({mine, top}, {all, bottom}, palette().idle, 2);
    }
}

std::string GridView::sentence_of(size_t phase) const {
    const size_t first = grid_->first_at(phase), last = grid_->last_at(phase);
    const auto work = [&](size_t b) {
        const auto& of = grid_->blocks[b].work;
        return phase < of.size() ? of[phase] : int64_t{0};
    };
    std::string text = fmt::format("Barrier {} of {}: ", phase + 1, grid_->barriers);
    if (grid_->blocks.size() == 1)
        return text + fmt::format("one block, which had gone to memory {} since the one before.",
                                  plural(work(0), "time", "times"));
    if (work(first) == work(last))
        return text + fmt::format("all blocks had the same to do, {} each.",
                                  plural(work(last), "instruction", "instructions"));
    return text + fmt::format("block {} had {} to do and waits, block {} had {} and is waited for.",
                              grid_->blocks[first].block, plural(work(first), "instruction", "instructions"),
                              grid_->blocks[last].block, work(last));
}

size_t GridView::draw(size_t block) {
    const size_t barriers = size_t(grid_->barriers);
    barrier_ = draw_steps(
        {"barrier", fmt::format("barrier {} of {}", barrier_ + 1, barriers), ImGuiKey_Comma, ImGuiKey_Period},
        barrier_, barriers);
    section_title("Blocks down; a bar is what its busiest warp did", "grey: it waits; line: the grid meets");
    const Frame frame = lay_out(block);
    const float high = frame.row * float(frame.rows);
    ImGui::SetCursorScreenPos({frame.at.x - em(label_wide), frame.at.y});
    const bool clicked = ImGui::InvisibleButton("grid", {frame.wide + em(label_wide), std::max(high, 1.f)});
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        const size_t row =
            std::min(size_t(std::max(0.f, (mouse.y - frame.at.y) / frame.row)), frame.rows - 1);
        if (clicked) block = frame.first + row;
        if (mouse.x >= frame.at.x) barrier_ = std::min(phase_at(frame, mouse.x), barriers - 1);
    }
    // The same keys as of the slider that stands here where there are more blocks than rows.
    if (grid_->blocks.size() <= rows_in_sight && ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) &&
        !ImGui::GetIO().WantTextInput) {
        if (ImGui::IsKeyPressed(ImGuiKey_DownArrow) && block + 1 < grid_->blocks.size()) ++block;
        if (ImGui::IsKeyPressed(ImGuiKey_UpArrow) && block > 0) --block;
    }
    for (size_t i = frame.first; i < frame.first + frame.rows; ++i) draw_row(frame, i, i == block);
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (size_t phase = 0; phase < barriers; ++phase) {
        const float x = left_of(frame, phase + 1) - frame.gap / 2;
        const bool now = phase == barrier_;
        list->AddLine({x, frame.at.y - 2}, {x, frame.at.y + high}, now ? palette().warn : palette().dim,
                      now ? 3.f : 1.f);
    }
    std::string text = sentence_of(barrier_);
    if (frame.rows < size_t(grid_->blocks_in_all))
        text += fmt::format(" ({} of {} blocks in sight.)", frame.rows, grid_->blocks_in_all);
    wrapped_text(Face::text, em(0.92f), palette().text, text);
    return block;
}

}  // namespace lab::lesson_14_cooperative_groups
