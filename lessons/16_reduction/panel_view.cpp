#include "lessons/16_reduction/panel_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/widgets.h"

namespace lab::lesson_16_reduction {
namespace {

constexpr float label_wide = 9.2f, row_pitch = 2.35f, node_high = 0.95f;  // in em

std::string numbers_text(int64_t count) {
    return plural(count, "number", "numbers");
}

ImU32 colour_of(Part part) {
    return part == Part::counts  ? palette().accent
           : part == Part::works ? mix(palette().surface, palette().accent, 0.35f)
                                 : mix(palette().surface, palette().dim, 0.22f);
}

}  // namespace

void TreeView::show(const BlockTree& tree) {
    const bool other = tree_ == nullptr || tree_->rows.size() != tree.rows.size();
    tree_ = &tree;
    if (other) shown_ = tree.rows.empty() ? 0 : tree.rows.size() - 1;
    if (zoom_ * lanes > size_t(tree.threads)) zoom_ = 0;
}

float TreeView::height(size_t rows) {
    return em(2 * 1.9f + 2.7f + 1.5f + row_pitch * float(rows) + 2.9f);
}

void TreeView::draw_controls() {
    const size_t rows = tree_->rows.size();
    shown_ =
        draw_steps({"step", fmt::format("row {} of {}: {}", shown_ + 1, rows, name_of(tree_->rows[shown_])),
                    ImGuiKey_LeftArrow, ImGuiKey_RightArrow},
                   shown_, rows);
    if (tree_->threads <= lanes) return;
    const std::string all = fmt::format("all {} threads", tree_->threads);
    zoom_ = draw_steps(
        {"zoom", zoom_ == 0 ? all : fmt::format("warp {}", zoom_ - 1), ImGuiKey_Minus, ImGuiKey_Equal}, zoom_,
        size_t((tree_->threads + lanes - 1) / lanes) + 1);
}

void TreeView::draw_sentence() const {
    const Row& row = tree_->rows[shown_];
    std::string text = fmt::format("Row {}, line {}: {} of {} threads at work, in {} of {}.", shown_ + 1,
                                   row.line, row.at_work(), tree_->threads, row.warps_at_work(),
                                   plural((tree_->threads + lanes - 1) / lanes, "warp", "warps"));
    const bool is_last = shown_ + 1 == tree_->rows.size();
    if (const int64_t all = tree_->in_result(); is_last && all >= 0)
        text += fmt::format(" The block adds {} to the sum.", numbers_text(all));
    wrapped_text(Face::text, em(0.92f), palette().text, text);
}

TreeView::Frame TreeView::lay_out() const {
    Frame frame;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    frame.at = {std::floor(at.x), std::floor(at.y)};
    frame.first = zoom_ == 0 ? 0 : int(zoom_ - 1) * lanes;
    frame.count = zoom_ == 0 ? tree_->threads : std::min(lanes, tree_->threads - frame.first);
    frame.wide = std::min((room.x - em(label_wide)) / float(std::max(frame.count, 1)), em(2.2f));
    const float rows = float(tree_->rows.size());
    frame.pitch = std::clamp((room.y - em(2.8f)) / rows, em(1.1f), em(row_pitch * 1.3f));
    frame.node = std::min(em(node_high), frame.pitch * 0.5f);
    return frame;
}

void TreeView::draw_edges(const Frame& frame, int row, int lit_row, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Row& to = tree_->rows[size_t(row)];
    for (const bool lit_ones : {false, true})
        for (const Edge& edge : to.edges) {
            const bool is_lit = row == lit_row && edge.to == lit;
            if (is_lit != lit_ones || edge.from_row >= row) continue;
            const bool counts = to.parts[size_t(edge.to)] == Part::counts, own = edge.from == edge.to;
            const float strength = is_lit              ? 1.f
                                   : row > int(shown_) ? 0.08f
                                   : !counts           ? 0.12f
                                   : own               ? 0.35f
                                                       : 0.7f;
            const ImU32 ink = with_alpha(is_lit ? palette().text
                                         : own  ? palette().dim
                                                : palette().accent,
                                         strength);
            list->AddLine({frame.x(edge.from), frame.y(edge.from_row) + frame.node},
                          {frame.x(edge.to), frame.y(row)}, ink, is_lit ? 2.4f : 1.2f);
        }
}

void TreeView::draw_nodes(const Frame& frame, int row, int lit_row, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Row& shown = tree_->rows[size_t(row)];
    const float gap = frame.wide > 4 ? 1.f : 0.f;
    for (int t = frame.first; t < frame.first + frame.count; ++t) {
        const float left = frame.at.x + frame.wide * float(t - frame.first);
        const ImVec2 from{left, frame.y(row)}, to{left + frame.wide - gap, frame.y(row) + frame.node};
        const Part part = shown.parts[size_t(t)];
        const ImU32 fill = colour_of(part);
        list->AddRectFilled(from, to, row > int(shown_) ? with_alpha(fill, 0.25f) : fill, 0);
        if (t == lit) list->AddRect(from, {to.x + 1, to.y}, palette().text, 0, row == lit_row ? 2.f : 1.f);
        if (part == Part::idle || row > int(shown_)) continue;
        const std::string text = std::to_string(shown.holds[size_t(t)]);
        const float size =
            std::min(em(0.78f), em(1) * (frame.wide - 2) / text_size(Face::mono, em(1), text).x);
        if (size < em(0.5f)) continue;
        const ImVec2 room = text_size(Face::mono, size, text);
        draw_text(list, Face::mono, size, {(from.x + to.x - room.x) / 2, (from.y + to.y - room.y) / 2},
                  part == Part::counts ? palette().surface : palette().text, text);
    }
}

void TreeView::draw_label(const Frame& frame, int row) const {
    const Row& shown = tree_->rows[size_t(row)];
    const ImVec2 at{frame.at.x + frame.wide * float(frame.count) + em(0.5f), frame.y(row) - em(0.12f)};
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool now = row == int(shown_);
    draw_text(list, Face::text, em(0.8f), at, now ? palette().text : palette().dim, name_of(shown));
    if (frame.pitch < em(1.9f)) return;
    draw_text(list, Face::text, em(0.72f), {at.x, at.y + em(0.95f)}, palette().dim,
              fmt::format("{} at work, {}", shown.at_work(), plural(shown.warps_at_work(), "warp", "warps")));
}

std::string TreeView::sentence_of(int row, int thread) const {
    const Row& shown = tree_->rows[size_t(row)];
    if (shown.parts[size_t(thread)] == Part::idle)
        return fmt::format("Thread {} has nothing to do in this row.", thread);
    const int64_t holds = shown.holds[size_t(thread)];
    if (shown.round == Round::loads) return fmt::format("Thread {} loads {}.", thread, numbers_text(holds));
    std::string text;
    int64_t others = 0, own = 0;
    for (const Edge& edge : shown.edges) {
        if (edge.to != thread || edge.from_row >= row) continue;
        const int64_t held = tree_->rows[size_t(edge.from_row)].holds[size_t(edge.from)];
        if (edge.from == thread) {
            own = held;
            continue;
        }
        others += held;
        text += fmt::format("{}thread {}", text.empty() ? "" : " and ", edge.from);
    }
    if (shown.round == Round::result)
        return fmt::format("Thread {} takes {} to the sum.", thread, numbers_text(holds));
    if (text.empty()) return fmt::format("Thread {} has {}.", thread, numbers_text(holds));
    if (own > 0)
        text = fmt::format("Thread {} has {} and adds {} of {}: {}.", thread, own, others, text, holds);
    else
        text = fmt::format("Thread {} takes {} of {}.", thread, numbers_text(others), text);
    if (shown.parts[size_t(thread)] == Part::works) text += " Nobody uses it.";
    return text;
}

// A click holds the cursor, a second one lets go.
void TreeView::point_at(const RunChoice& choice, Cursor& cursor, int row, int thread, bool click) const {
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    const bool again = click && cursor.pinned;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return;
    cursor.pinned = click;
    choice.put_into(cursor);
    cursor.launch = choice.launch();
    cursor.block = tree_->block;
    cursor.warp = thread / lanes;
    cursor.lane = thread % lanes;
    cursor.step = tree_->rows[size_t(row)].step;
    cursor.line = tree_->rows[size_t(row)].line;
}

void TreeView::draw(const RunChoice& choice, Cursor& cursor) {
    draw_controls();
    draw_sentence();
    section_title("Threads across, time down", "grey: idle; pale: nobody uses it");
    const Frame frame = lay_out();
    const int rows = int(tree_->rows.size());
    const ImVec2 size{frame.wide * float(frame.count), frame.pitch * float(rows - 1) + frame.node};
    const bool clicked = ImGui::InvisibleButton("tree", {std::max(size.x, 1.f), std::max(size.y, 1.f)});
    int lit = -1, lit_row = int(shown_);
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        lit = frame.first + std::clamp(int((mouse.x - frame.at.x) / frame.wide), 0, frame.count - 1);
        lit_row = std::clamp(int((mouse.y - frame.at.y + (frame.pitch - frame.node) / 2) / frame.pitch), 0,
                             rows - 1);
        point_at(choice, cursor, lit_row, lit, clicked);
    }
    if (lit < 0 && choice.holds(cursor) && cursor.block == tree_->block && cursor.has_thread())
        lit = std::min(cursor.warp * lanes + cursor.lane, tree_->threads - 1);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(frame.at, {frame.at.x + size.x + 1, frame.at.y + size.y + 1}, true);
    for (int row = 0; row < rows; ++row) draw_edges(frame, row, lit_row, lit);
    for (int row = 0; row < rows; ++row) draw_nodes(frame, row, lit_row, lit);
    list->PopClipRect();
    for (int row = 0; row < rows; ++row) draw_label(frame, row);
    wrapped_text(Face::text, em(0.92f), palette().dim, sentence_of(lit_row, lit < 0 ? 0 : lit));
}

}  // namespace lab::lesson_16_reduction
