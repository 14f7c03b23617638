#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/cells.h"
#include "app/panels/steps.h"
#include "app/theme/widgets.h"
#include "lessons/14_cooperative_groups/panel_views.h"

namespace lab::lesson_14_cooperative_groups {
namespace {

constexpr float row_high = 1.6f, label_wide = 4.2f;  // in em

ImU32 colour_of(size_t group) {
    const ImU32 inks[] = {palette().accent, palette().wrote, palette().warn, palette().read, palette().good};
    return mix(palette().surface, inks[group % std::size(inks)], 0.55f);
}

}  // namespace

void BlockView::show(const GridGroups& grid, size_t block) {
    grid_ = &grid;
    block_ = block;
    if (shown_ >= this->block().meetings.size()) shown_ = 0;
}

float BlockView::height() const {
    const int warps = (grid_->threads + lanes - 1) / lanes;
    return em(1.9f + 1.4f + 1.45f + row_high * float(std::min(warps, 8)) + 2.9f);
}

BlockView::Frame BlockView::lay_out() const {
    Frame frame;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    frame.at = {std::floor(at.x) + em(label_wide), std::floor(at.y)};
    frame.warps = (grid_->threads + lanes - 1) / lanes;
    frame.wide = std::min(std::floor((room.x - em(label_wide)) / lanes), em(2.2f));
    frame.row = std::clamp((room.y - em(2.8f)) / float(frame.warps), em(1.1f), em(row_high));
    return frame;
}

void BlockView::draw_threads(const Frame& frame, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (int thread = 0; thread < grid_->threads; ++thread) {
        const int warp = thread / lanes, lane = thread % lanes;
        const ImVec2 from{frame.at.x + frame.wide * float(lane), frame.at.y + frame.row * float(warp)};
        const ImVec2 to{from.x + frame.wide - 2, from.y + frame.row - 2};
        const Group* group = now().of(warp, lane);
        if (group == nullptr) {
            list->AddRectFilled(from, to, palette().idle, 2);
        } else {
            list->AddRectFilled(from, to, colour_of(size_t(group - now().groups.data())), 2);
            if ((group->came >> lane & 1) == 0) draw_hatch(list, from, to, palette().bad);
        }
        if (thread == lit) list->AddRect(from, to, palette().text, 2, 2.f);
        if (group == nullptr) continue;
        const std::string text = std::to_string(group->rank(lane));
        const float size = std::min(
            {em(0.8f), frame.row * 0.75f, em(1) * (frame.wide - 3) / text_size(Face::mono, em(1), text).x});
        if (size < em(0.4f)) continue;
        const ImVec2 room = text_size(Face::mono, size, text);
        draw_text(list, Face::mono, size, {(from.x + to.x - room.x) / 2, (from.y + to.y - room.y) / 2},
                  palette().text, text);
    }
    for (int warp = 0; warp < frame.warps && frame.row >= em(0.9f); ++warp)
        draw_text(list, Face::text, em(0.8f),
                  {frame.at.x - em(label_wide), frame.at.y + frame.row * float(warp) + frame.row * 0.1f},
                  palette().dim, fmt::format("warp {}", warp));
}

std::string BlockView::sentence_of(int thread) const {
    const int warp = thread / lanes, lane = thread % lanes;
    const Group* group = now().of(warp, lane);
    const std::string elsewhere = fmt::format(" Its rank in the block is {}, in the grid {}.", thread,
                                              int64_t(block().block) * grid_->threads + thread);
    if (group == nullptr) return fmt::format("Thread {} is in none of these groups.", thread) + elsewhere;
    std::string text =
        fmt::format("Thread {} has rank {} in its group of {}.", thread, group->rank(lane), group->size());
    if ((group->came >> lane & 1) == 0) text += " It belongs to the group and did not come.";
    return text + elsewhere;
}

// A click holds the cursor, a second one lets go.
void BlockView::point_at(const RunChoice& choice, Cursor& cursor, int thread, bool click) const {
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    const bool again = click && cursor.pinned;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return;
    cursor.pinned = click;
    choice.put_into(cursor);
    cursor.launch = choice.launch();
    cursor.block = block().block;
    cursor.warp = thread / lanes;
    cursor.lane = thread % lanes;
    const Group* group = now().of(cursor.warp, cursor.lane);
    cursor.step = group == nullptr ? -1 : group->step;
    cursor.line = now().line;
}

void BlockView::draw(const RunChoice& choice, Cursor& cursor) {
    const size_t count = block().meetings.size();
    shown_ = draw_steps({"meeting", fmt::format("meeting {} of {}", shown_ + 1, count)}, shown_, count);
    wrapped_text(Face::text, em(0.92f), palette().text,
                 fmt::format("Block {}, line {}, {}: {}.", block().block, now().line, name_of(now()),
                             sizes_of(now())));
    section_title("A colour is a group, a number the rank in it", "grey: in none; hatched: did not come");
    const Frame frame = lay_out();
    ImGui::SetCursorScreenPos(frame.at);
    const bool clicked = ImGui::InvisibleButton(
        "threads", {frame.wide * lanes, std::max(frame.row * float(frame.warps), 1.f)});
    int lit = -1;
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        const int lane = std::clamp(int((mouse.x - frame.at.x) / frame.wide), 0, lanes - 1);
        const int warp = std::clamp(int((mouse.y - frame.at.y) / frame.row), 0, frame.warps - 1);
        lit = std::min(warp * lanes + lane, grid_->threads - 1);
        point_at(choice, cursor, lit, clicked);
    }
    if (lit < 0 && choice.holds(cursor) && cursor.block == block().block && cursor.has_thread())
        lit = std::min(cursor.warp * lanes + cursor.lane, grid_->threads - 1);
    draw_threads(frame, lit);
    wrapped_text(Face::text, em(0.92f), palette().dim, sentence_of(std::max(lit, 0)));
}

}  // namespace lab::lesson_14_cooperative_groups
