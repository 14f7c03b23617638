#include "lessons/15_memory_model/panel_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/steps.h"
#include "app/theme/widgets.h"

namespace lab::lesson_15_memory_model {
namespace {

constexpr float row_pitch = 1.5f, outcome_high = 1.6f;  // in em

// What it does to the memory that the two share.
ImU32 colour_of(const Event& event) {
    switch (event.deed) {
        case Deed::writes:
            return palette().wrote;
        case Deed::reads:
            return palette().read;
        case Deed::fence:
            return event.scope == 1 ? palette().warn : palette().good;
        case Deed::meets:
            return palette().dim;
        default:
            return palette().accent;
    }
}

// A line in pieces.
void draw_dashed(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 colour, float thickness) {
    const float length = std::hypot(to.x - from.x, to.y - from.y), piece = em(0.4f);
    for (float at = 0; at < length; at += 2 * piece) {
        const float a = at / length, b = std::min(1.f, (at + piece) / length);
        list->AddLine({from.x + (to.x - from.x) * a, from.y + (to.y - from.y) * a},
                      {from.x + (to.x - from.x) * b, from.y + (to.y - from.y) * b}, colour, thickness);
    }
}

void draw_arrow_head(ImDrawList* list, ImVec2 from, ImVec2 tip, ImU32 colour) {
    const float length = std::max(1.f, std::hypot(tip.x - from.x, tip.y - from.y)), size = em(0.5f);
    const ImVec2 along{(tip.x - from.x) / length * size, (tip.y - from.y) / length * size};
    list->AddTriangleFilled(tip, {tip.x - along.x - along.y * 0.6f, tip.y - along.y + along.x * 0.6f},
                            {tip.x - along.x + along.y * 0.6f, tip.y - along.y - along.x * 0.6f}, colour);
}

}  // namespace

void HandoverView::show(const Handover& hand) {
    hand_ = &hand;
    sort_events();
    shown_ = order_.size() - 1;
    pointed_ = SIZE_MAX;
}

// From top to bottom; of two in a row the writer's first.
void HandoverView::sort_events() {
    order_.clear();
    for (const bool reader : {false, true}) {
        const auto& events = (reader ? hand_->reader : hand_->writer).events;
        for (size_t i = 0; i < events.size(); ++i) order_.emplace_back(reader, int(i));
    }
    std::stable_sort(order_.begin(), order_.end(), [&](const auto& a, const auto& b) {
        const auto row = [&](const auto& of) {
            return (of.first ? hand_->reader : hand_->writer).events[size_t(of.second)].row;
        };
        return row(a) < row(b);
    });
}

const Event& HandoverView::event(size_t at) const {
    return (order_[at].first ? hand_->reader : hand_->writer).events[size_t(order_[at].second)];
}

bool HandoverView::is_reader(size_t at) const {
    return order_[at].first;
}

size_t HandoverView::place_of(bool reader, int index) const {
    return size_t(std::find(order_.begin(), order_.end(), std::pair(reader, index)) - order_.begin());
}

float HandoverView::height() const {
    return em(1.9f + 2.5f + 1.7f + 1.7f + outcome_high + 0.6f + 1.6f + row_pitch * float(hand_->rows) + 1.2f);
}

HandoverView::Frame HandoverView::lay_out(float room) const {
    Frame frame;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    frame.at = {std::floor(at.x), std::floor(at.y)};
    frame.gap = std::min(em(5), room * 0.16f);
    frame.wide = std::floor((room - frame.gap) / 2);
    frame.pitch = em(row_pitch);
    frame.box = em(1.25f);
    return frame;
}

void HandoverView::draw_heads(const Frame& frame) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const bool reader : {false, true})
        draw_text(list, Face::bold, em(0.95f), {frame.left(reader), frame.at.y}, palette().text,
                  fmt::format("Block {} {}", (reader ? hand_->reader : hand_->writer).block,
                              reader ? "reads" : "writes"));
}

// What the writer's fence covers, and what the reader does with that knowledge.
void HandoverView::draw_cover(const Frame& frame) const {
    if (hand_->released < 0) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto shade = [&](bool reader, int from, int past) {
        const float x = frame.left(reader) - em(0.3f);
        list->AddRectFilled({x, frame.y(from) - em(0.2f)},
                            {x + frame.wide + em(0.6f), frame.y(past) - em(0.2f)}, palette().good_soft,
                            em(0.3f));
    };
    const int fence = hand_->fence();
    const int covered = fence >= 0 ? hand_->writer.events[size_t(fence)].row
                                   : hand_->writer.events[size_t(hand_->released)].row;
    shade(false, 0, covered + 1);
    shade(true, hand_->reader.events[size_t(hand_->acquired)].row, hand_->reader.events.back().row + 1);
}

void HandoverView::draw_event(const Frame& frame, size_t at, bool lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Event& shown = event(at);
    const bool reader = is_reader(at);
    const float strength = at > shown_ ? 0.3f : 1.f;
    const ImVec2 from{frame.left(reader), frame.y(shown.row)}, to{from.x + frame.wide, from.y + frame.box};
    const ImU32 ink = with_alpha(colour_of(shown), strength);
    const float size = em(0.84f), baseline = from.y + (frame.box - text_size(Face::mono, size, "x").y) / 2;
    if (lit) list->AddRectFilled(from, to, with_alpha(palette().text, 0.08f), em(0.2f));
    list->PushClipRect(from, to, true);
    if (shown.deed == Deed::meets || shown.deed == Deed::fence) {
        const float middle = (from.y + to.y) / 2, thick = shown.deed == Deed::fence ? 3.f : 1.f;
        const float room = text_size(Face::mono, size, text_of(shown)).x;
        draw_text(list, Face::mono, size, {from.x + em(0.8f), baseline}, ink, text_of(shown));
        list->AddLine({from.x, middle}, {from.x + em(0.6f), middle}, ink, thick);
        list->AddLine({from.x + em(1.f) + room, middle}, {to.x, middle}, ink, thick);
    } else {
        list->AddRectFilled(from, {from.x + em(0.3f), to.y}, ink);
        draw_text(list, Face::mono, size, {from.x + em(0.6f), baseline},
                  with_alpha(at > shown_ ? palette().dim : palette().text, at > shown_ ? 0.6f : 1.f),
                  text_of(shown));
    }
    list->PopClipRect();
    if (lit) list->AddRect(from, to, palette().dim, em(0.2f));
}

// The arrow from flag to flag; or the line between two accesses that nothing orders.
void HandoverView::draw_way(const Frame& frame) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto middle = [&](bool reader, int index) {
        const Event& at = (reader ? hand_->reader : hand_->writer).events[size_t(index)];
        return ImVec2{reader ? frame.left(true) - em(0.2f) : frame.left(false) + frame.wide + em(0.1f),
                      frame.y(at.row) + frame.box / 2};
    };
    if (hand_->released >= 0) {
        const bool now = place_of(true, hand_->acquired) <= shown_;
        const ImU32 ink = with_alpha(palette().accent, now ? 1.f : 0.25f);
        const ImVec2 from = middle(false, hand_->released), to = middle(true, hand_->acquired);
        list->AddLine(from, to, ink, 2.5f);
        draw_arrow_head(list, from, to, ink);
    }
    if (hand_->raised >= 0) {
        const ImU32 ink =
            with_alpha(palette().accent, place_of(true, hand_->looked) <= shown_ ? 0.7f : 0.25f);
        const ImVec2 from = middle(false, hand_->raised), to = middle(true, hand_->looked);
        draw_dashed(list, from, to, ink, 1.5f);
        draw_arrow_head(list, from, to, ink);
    }
    if (hand_->finding == nullptr) return;
    const bool now = place_of(true, hand_->read) <= shown_;
    const ImU32 ink = with_alpha(palette().bad, now ? 1.f : 0.3f);
    const ImVec2 from = middle(false, hand_->written), to = middle(true, hand_->read);
    draw_dashed(list, from, to, ink, 2.f);
    draw_cross(list, {(from.x + to.x) / 2, (from.y + to.y) / 2}, em(0.45f), ink);
}

std::string HandoverView::sentence_of(size_t at) const {
    const Event& shown = event(at);
    const std::string who =
        fmt::format("Block {}, line {}", (is_reader(at) ? hand_->reader : hand_->writer).block, shown.line);
    switch (shown.deed) {
        case Deed::writes:
            return who + ": a plain store. Nobody is told, and it may arrive at any time.";
        case Deed::reads:
            return who + ": a plain load. It finds what has arrived by then.";
        case Deed::meets:
            return fmt::format(
                "All threads of block {} have met: each knows what the others did before. No other block "
                "does.",
                (is_reader(at) ? hand_->reader : hand_->writer).block);
        case Deed::fence:
            if (shown.scope == 1)
                return who +
                       ": orders what stands above it before what stands below, for threads of this block "
                       "alone.";
            return who +
                   ": what stands above it, also of threads met at a barrier, comes before what stands "
                   "below. For everybody.";
        default:
            break;
    }
    if (shown.acquires && is_reader(at) && order_[at].second == hand_->acquired)
        return fmt::format("{}: it sees what block {} left there, and with it all that the fence covered.",
                           who, hand_->writer.block);
    if (shown.acquires) return who + ": it sees what another block left there.";
    if (shown.releases) return who + ": a flag behind a fence. Whoever sees it knows what the fence covered.";
    const bool is_empty = is_reader(at) && hand_->looked == order_[at].second;
    if (is_empty) return who + ": whatever it sees of the flag, nothing else comes with it.";
    if (shown.deed == Deed::looks) return who + ": it looks, and learns nothing yet.";
    return who +
           ": a flag without a fence before it. Whoever sees it knows of the flag, and of nothing else.";
}

std::string HandoverView::verdict() const {
    if (hand_->finding != nullptr && hand_->released >= 0)
        return fmt::format("The flag was handed over, and the fence does not cover all of {}.", hand_->what);
    if (hand_->finding != nullptr)
        return fmt::format("Nothing orders the write of {} before the read.", hand_->what);
    if (hand_->released >= 0)
        return fmt::format("{} was handed over: write, fence, flag, look, read.", hand_->what);
    return fmt::format("{} was handed over by way of other blocks.", hand_->what);
}

void HandoverView::draw_outcome(ImVec2 at, ImVec2 size, const std::string& text, bool possible,
                                bool bad) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 fill = !possible ? palette().surface : bad ? palette().bad_soft : palette().raised;
    list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, fill, em(0.25f));
    list->AddRect(at, {at.x + size.x, at.y + size.y}, bad && possible ? palette().bad : palette().border,
                  em(0.25f));
    const ImVec2 mark{at.x + em(0.9f), at.y + size.y / 2};
    if (possible)
        draw_tick(list, mark, em(0.35f), bad ? palette().bad : palette().good);
    else
        draw_cross(list, mark, em(0.35f), palette().dim);
    const float pixels = em(0.84f);
    list->PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
    draw_text(list, Face::text, pixels,
              {at.x + em(1.7f), at.y + (size.y - text_size(Face::text, pixels, "x").y) / 2},
              possible ? palette().text : palette().dim, text);
    list->PopClipRect();
}

// The four outcomes of the litmus test, side by side.
void HandoverView::draw_outcomes() const {
    section_title("What the reader may find in " + hand_->what, "tick: it may happen");
    const bool raced = hand_->finding != nullptr;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float gap = em(0.4f), wide = (ImGui::GetContentRegionAvail().x - 3 * gap) / 4;
    const ImVec2 size{wide, em(outcome_high)};
    const char* texts[] = {"flag down, old", "flag down, new", "flag up, old", "flag up, new"};
    for (int i = 0; i < 4; ++i) {
        const bool bad = i == 2;
        draw_outcome({at.x + float(i) * (wide + gap), at.y}, size, texts[i], !bad || raced, bad);
    }
    ImGui::Dummy({1, size.y + em(0.3f)});
}

// A click holds the cursor, a second one lets go.
void HandoverView::point_at(const RunChoice& choice, Cursor& cursor, size_t at, bool click) const {
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    const bool again = click && cursor.pinned;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return;
    const Event& shown = event(at);
    cursor.pinned = click;
    choice.put_into(cursor);
    cursor.launch = choice.launch();
    cursor.block = (is_reader(at) ? hand_->reader : hand_->writer).block;
    cursor.line = shown.line;
    if (shown.deed == Deed::meets) return;
    cursor.warp = shown.warp;
    cursor.lane = shown.lane;
    cursor.step = int(shown.step);
}

void HandoverView::draw(const RunChoice& choice, Cursor& cursor) {
    shown_ = draw_steps(
        {"step", fmt::format("step {} of {}", shown_ + 1, count()), ImGuiKey_LeftArrow, ImGuiKey_RightArrow},
        shown_, count());
    const float top = ImGui::GetCursorPosY();
    const size_t told = std::exchange(pointed_, SIZE_MAX);
    wrapped_text(Face::text, em(0.92f), palette().text, sentence_of(told < count() ? told : shown_));
    ImGui::SetCursorPosY(
        std::max(ImGui::GetCursorPosY(), top + em(2.5f)));  // a sentence of one line moves nothing
    wrapped_text(Face::bold, em(0.92f), hand_->finding != nullptr ? palette().bad : palette().good,
                 verdict());
    draw_outcomes();
    Frame frame = lay_out(ImGui::GetContentRegionAvail().x);
    draw_heads(frame);
    frame.at.y += em(1.6f);
    const ImVec2 size{2 * frame.wide + frame.gap, frame.pitch * float(hand_->rows)};
    ImGui::SetCursorScreenPos(frame.at);
    const bool clicked = ImGui::InvisibleButton("story", {std::max(size.x, 1.f), std::max(size.y, 1.f)});
    size_t lit = order_.size();
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        for (size_t at = 0; at < order_.size(); ++at) {
            const float x = frame.left(is_reader(at)), y = frame.y(event(at).row);
            if (mouse.x >= x && mouse.x < x + frame.wide && mouse.y >= y && mouse.y < y + frame.pitch)
                lit = at;
        }
        if (lit < order_.size()) {
            point_at(choice, cursor, lit, clicked);
            if (clicked) shown_ = lit;
            pointed_ = lit;
        }
    }
    draw_cover(frame);
    for (size_t at = 0; at < order_.size(); ++at)
        draw_event(frame, at, at == lit || (lit == order_.size() && at == shown_));
    draw_way(frame);
}

}  // namespace lab::lesson_15_memory_model
