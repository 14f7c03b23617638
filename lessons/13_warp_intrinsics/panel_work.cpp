#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/theme/widgets.h"
#include "lessons/13_warp_intrinsics/panel_views.h"

namespace lab::lesson_13_warp_intrinsics {
namespace {

using simt::trace::Op;

constexpr float row_high = 1.15f, label_wide = 6.6f;  // in em
constexpr size_t usual_rows = 16;

const char* verb_of(Op op) {
    return op == Op::load ? "reads" : op == Op::store ? "writes" : "atomic";
}

ImU32 colour_of(Op op) {
    return op == Op::load ? palette().read : op == Op::store ? palette().wrote : palette().warn;
}

}  // namespace

int Columns::lane_at(float x) const {
    return std::clamp(int((x - at.x) / wide), 0, lanes - 1);
}

Columns lay_out_lanes() {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    Columns columns;
    columns.at = {std::floor(at.x), std::floor(at.y)};
    columns.wide =
        std::min(std::floor((ImGui::GetContentRegionAvail().x - em(label_wide)) / lanes), em(2.2f));
    return columns;
}

void point_at(const RunChoice& choice, Cursor& cursor, const Pointed& at, bool click) {
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    const bool again = click && cursor.pinned;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return;
    cursor.pinned = click;
    choice.put_into(cursor);
    cursor.launch = choice.launch();
    cursor.block = at.block;
    cursor.warp = at.warp;
    cursor.lane = at.lane;
    cursor.step = at.step;
    cursor.line = at.line;
}

void WorkView::show(const Scene& scene, const WarpTalk& warp) {
    scene_ = &scene;
    warp_ = &warp;
}

float WorkView::height() const {
    size_t most = 1;
    for (const WarpTalk& warp : scene_->warps) most = std::max(most, warp.instructions.size());
    return em(2.7f + 1.45f + row_high * float(std::min(most, usual_rows)) + 2);
}

void WorkView::draw_rows(const Columns& columns, float row, size_t rows, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (size_t i = 0; i < rows; ++i) {
        const Instruction& instruction = warp_->instructions[i];
        for (int lane = 0; lane < lanes; ++lane) {
            const ImVec2 from = columns.from(lane, row * float(i)),
                         to{from.x + columns.wide - 2, from.y + row - 2};
            const bool works = instruction.mask >> lane & 1;
            list->AddRectFilled(
                from, to, works ? mix(palette().surface, colour_of(instruction.op), 0.75f) : palette().idle,
                2);
            if (lane == lit) list->AddRect(from, to, palette().text, 2);
        }
        const std::string label = fmt::format("{} {}, line {}", std::popcount(instruction.mask),
                                              verb_of(instruction.op), instruction.line);
        draw_text(list, Face::text, em(0.76f),
                  {columns.at.x + columns.wide * lanes + em(0.4f), columns.at.y + row * float(i)},
                  palette().dim, label);
    }
    if (rows < warp_->instructions.size())
        draw_text(
            list, Face::text, em(0.85f), {columns.at.x, columns.at.y + row * float(rows)}, palette().dim,
            fmt::format("and {} more",
                        plural(int64_t(warp_->instructions.size() - rows), "instruction", "instructions")));
}

void WorkView::explain(size_t which, int lane) const {
    if (!begin_hint(true)) return;
    const Instruction& instruction = warp_->instructions[which];
    hint_title(fmt::format("Lane {}, line {}", lane, instruction.line));
    if (instruction.mask >> lane & 1)
        hint_text(fmt::format("At work, with {} of the warp in all.",
                              plural(std::popcount(instruction.mask), "lane", "lanes")));
    else
        hint_text("It waits: the others are on a side of a branch that it did not take.", palette().warn);
    end_hint();
}

void WorkView::draw(const RunChoice& choice, Cursor& cursor) {
    const auto& instructions = warp_->instructions;
    int64_t busy = 0;
    for (const Instruction& instruction : instructions) busy += std::popcount(instruction.mask);
    const int64_t count = int64_t(instructions.size());
    wrapped_text(
        Face::text, em(0.92f), palette().text,
        fmt::format("Warp {} of block {} went to memory in {}, with {:.0f} of 32 lanes at work on average.",
                    warp_->warp, warp_->block, plural(count, "instruction", "instructions"),
                    count == 0 ? 0.0 : double(busy) / double(count)));
    section_title("A row is an instruction, a column a lane", "grey: it waits");
    const Columns columns = lay_out_lanes();
    const float left = ImGui::GetContentRegionAvail().y - em(1.4f);
    const float row =
        std::floor(std::clamp(left / float(std::max<int64_t>(count, 1)), em(0.8f), em(row_high * 1.15f)));
    const size_t rows = std::min(instructions.size(), size_t(std::max(1.f, left / row)));
    const bool clicked =
        ImGui::InvisibleButton("work", {columns.wide * lanes, row * float(std::max<size_t>(rows, 1))});
    int lit = -1;
    if (ImGui::IsItemHovered() && rows > 0) {
        const ImVec2 mouse = ImGui::GetMousePos();
        lit = columns.lane_at(mouse.x);
        const size_t which = std::min(size_t(std::max(0.f, (mouse.y - columns.at.y) / row)), rows - 1);
        point_at(choice, cursor,
                 {warp_->block, warp_->warp, lit, int(instructions[which].step), instructions[which].line},
                 clicked);
        explain(which, lit);
    }
    if (lit < 0 && choice.holds(cursor) && cursor.block == warp_->block && cursor.warp == warp_->warp)
        lit = cursor.lane;
    draw_rows(columns, row, rows, lit);
    ImGui::Dummy({1, em(1.2f)});
}

}  // namespace lab::lesson_13_warp_intrinsics
