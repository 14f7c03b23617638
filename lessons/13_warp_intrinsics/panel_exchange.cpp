#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/panels/cells.h"
#include "app/theme/widgets.h"
#include "lessons/13_warp_intrinsics/panel_views.h"

namespace lab::lesson_13_warp_intrinsics {
namespace {

constexpr float cell_high = 1.35f, arrows_high = 3.4f, mask_high = 1.15f, gap = 0.25f;  // in em

std::string lanes_text(int count) {
    return plural(count, "lane", "lanes");
}

// A number in a cell, as large as fits; nothing, where it would be too small to read.
void draw_number(ImDrawList* list, ImVec2 from, ImVec2 to, const std::string& text, ImU32 ink) {
    const float fits = text_size(Face::mono, em(1), text).x;
    const float size = std::min(em(0.82f), em(1) * (to.x - from.x - 1) / fits);
    if (size < em(0.4f)) return;
    const ImVec2 room = text_size(Face::mono, size, text);
    draw_text(list, Face::mono, size, {(from.x + to.x - room.x) / 2, (from.y + to.y - room.y) / 2}, ink,
              text);
}

void draw_label(const Columns& columns, float y, float high, const char* text) {
    const float size = em(0.76f);
    draw_text(ImGui::GetWindowDrawList(), Face::text, size,
              {columns.at.x + columns.wide * lanes + em(0.4f), columns.at.y + y + (high - size * 1.3f) / 2},
              palette().dim, text);
}

}  // namespace

void ExchangeView::show(const WarpTalk& warp) {
    const bool other_kernel = warp_ == nullptr || warp_->exchanges.size() != warp.exchanges.size();
    warp_ = &warp;
    if (other_kernel || shown_ >= warp.exchanges.size()) shown_ = 0;
}

float ExchangeView::height() {
    return em(1.9f + 2.7f + 1.45f + mask_high + 2 * cell_high + arrows_high + 2 * gap + mask_high + 3.4f);
}

void ExchangeView::draw_sentence() const {
    const Exchange& e = now();
    std::string text =
        fmt::format("Warp {} of block {}, line {}: {}. ", warp_->warp, warp_->block, e.line, name_of(e));
    ImU32 ink = palette().text;
    const int came = std::popcount(e.came), missed = std::popcount(e.asked & ~e.came);
    int absent = 0;
    for (int lane = 0; lane < lanes; ++lane) absent += e.asks_absent(lane);
    if (missed > 0)
        text += fmt::format("The mask 0x{:08x} names {}, and {} came.", e.asked,
                            lanes_text(std::popcount(e.asked)), came);
    else
        text += fmt::format("{}, as the mask 0x{:08x} says.",
                            came == 1 ? "1 lane came" : lanes_text(came) + " came", e.asked);
    if (absent > 0) {
        text += fmt::format(" {} asked somebody who is not there.", lanes_text(absent));
        ink = palette().bad;
    } else if (e.is_ballot()) {
        text +=
            fmt::format(" All get 0x{:08x}: {} said yes.", e.ballot(), lanes_text(std::popcount(e.ballot())));
    }
    wrapped_text(Face::text, em(0.92f), ink, text);
}

void ExchangeView::draw_mask(const Columns& columns, float y, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (int lane = 0; lane < lanes; ++lane) {
        const ImVec2 from = columns.from(lane, y), to{from.x + columns.wide - 2, from.y + em(mask_high) - 2};
        const bool named = now().asked >> lane & 1;
        list->AddRectFilled(from, to, named ? palette().accent_soft : palette().idle, 2);
        if (lane == lit) list->AddRect(from, to, palette().text, 2);
        draw_number(list, from, to, named ? "1" : "0", named ? palette().text : palette().faint);
    }
    draw_label(columns, y, em(mask_high), "the mask");
}

void ExchangeView::draw_values(const Columns& columns, float y, bool results, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Exchange& e = now();
    for (int lane = 0; lane < lanes; ++lane) {
        const ImVec2 from = columns.from(lane, y), to{from.x + columns.wide - 2, from.y + em(cell_high) - 2};
        list->AddRectFilled(from, to, palette().idle, 2);
        if (e.is_missed(lane)) draw_hatch(list, from, to, palette().bad);
        if (e.has(lane)) {
            const bool bit = results && e.is_ballot();
            const int64_t number = bit ? (e.ballot() >> lane & 1)
                                       : number_of(results ? e.result[size_t(lane)] : e.value[size_t(lane)]);
            const bool is_bit = e.is_ballot();
            const ImU32 ink = results && e.asks_absent(lane) ? palette().bad
                              : results                      ? palette().wrote
                                                             : palette().read;
            list->AddRectFilled(from, to, mix(palette().surface, ink, is_bit && number == 0 ? 0.12f : 0.4f),
                                2);
            draw_number(list, from, to, std::to_string(number),
                        is_bit && number == 0 ? palette().dim : palette().text);
        }
        if (lane == lit) list->AddRect(from, to, palette().text, 2);
    }
    draw_label(columns, y, em(cell_high), results ? (e.is_ballot() ? "the ballot" : "gets") : "brings");
}

// From the lane that is asked, above, to the one that gets its value, below. Own values come straight down.
void ExchangeView::draw_arrows(const Columns& columns, float top, float bottom, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Exchange& e = now();
    const float head = std::min(em(0.28f), columns.wide * 0.3f);
    for (const bool lit_ones : {false, true})
        for (int lane = 0; lane < lanes; ++lane) {
            const int source = e.source[size_t(lane)];
            if (!e.has(lane) || source < 0) continue;
            const bool is_lit = lane == lit || source == lit;
            if (is_lit != lit_ones) continue;
            const ImVec2 from{columns.middle(source), columns.at.y + top};
            const ImVec2 to{columns.middle(lane), columns.at.y + bottom};
            const bool own = source == lane;
            const float strength = is_lit ? 1.f : lit >= 0 ? 0.18f : own ? 0.3f : 0.75f;
            const ImU32 ink = with_alpha(e.asks_absent(lane) ? palette().bad
                                         : own               ? palette().dim
                                                             : palette().accent,
                                         strength);
            const float bend = (to.y - from.y) * 0.45f;
            list->AddBezierCubic(from, {from.x, from.y + bend}, {to.x, to.y - bend}, {to.x, to.y - head}, ink,
                                 is_lit ? 2.4f : 1.3f);
            list->AddTriangleFilled({to.x - head * 0.7f, to.y - head * 1.3f},
                                    {to.x + head * 0.7f, to.y - head * 1.3f}, to, ink);
        }
}

// Under a ballot: for each lane that said yes, how many before it did.
void ExchangeView::draw_ranks(const Columns& columns, float y, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (int lane = 0; lane < lanes; ++lane) {
        if ((now().ballot() >> lane & 1) == 0) continue;
        const ImVec2 from = columns.from(lane, y), to{from.x + columns.wide - 2, from.y + em(mask_high) - 2};
        draw_number(list, from, to, std::to_string(now().rank(lane)),
                    lane == lit ? palette().text : palette().good);
    }
    draw_label(columns, y, em(mask_high), "rank");
}

std::string ExchangeView::sentence_of(int lane) const {
    const Exchange& e = now();
    if (e.is_missed(lane)) return fmt::format("Lane {} is named by the mask, and did not come.", lane);
    if (!e.has(lane)) return fmt::format("Lane {} is not in the mask and takes no part.", lane);
    if (e.is_barrier()) return fmt::format("Lane {} waits until all lanes of the mask have come.", lane);
    const int64_t brings = number_of(e.value[size_t(lane)]), gets = number_of(e.result[size_t(lane)]);
    if (e.is_ballot() && (e.ballot() >> lane & 1) != 0)
        return fmt::format("Lane {} says yes. {} before it did, so its rank is {}.", lane,
                           lanes_text(e.rank(lane)), e.rank(lane));
    if (e.is_ballot()) return fmt::format("Lane {} says no, and needs no place.", lane);
    const int from = e.source[size_t(lane)];
    if (e.asks_absent(lane))
        return fmt::format("Lane {} asks lane {}, which is not there: what it gets is undefined.", lane,
                           from);
    if (from == lane && e.distance() != 0)
        return fmt::format("Lane {} has nobody to ask: it gets its own {} back.", lane, gets);
    if (from >= 0)
        return fmt::format("Lane {} brings {} and gets {} from lane {}.", lane, brings, gets, from);
    return fmt::format("Lane {} brings {} and gets {}.", lane, brings, gets);
}

void ExchangeView::draw(const RunChoice& choice, Cursor& cursor) {
    shown_ = draw_steps({"step", fmt::format("step {} of {}", shown_ + 1, warp_->exchanges.size())}, shown_,
                        warp_->exchanges.size());
    draw_sentence();
    section_title("Lanes 0 to 31", "hatched: named, and not there");
    const Columns columns = lay_out_lanes();
    const Exchange& e = now();
    const float below = em(mask_high + 2.4f), brings = em(mask_high + gap), cell = em(cell_high);
    const float room = ImGui::GetContentRegionAvail().y - brings - 2 * cell - below;
    const float arrows = e.is_shuffle() ? std::clamp(room, em(1.2f), em(arrows_high * 1.4f)) : em(gap);
    const float gets = brings + cell + arrows;
    const float high = gets + cell + em(gap + mask_high);
    const bool clicked = ImGui::InvisibleButton("lanes", {columns.wide * lanes, high});
    int lit = -1;
    if (ImGui::IsItemHovered()) {
        lit = columns.lane_at(ImGui::GetMousePos().x);
        point_at(choice, cursor, {warp_->block, warp_->warp, lit, int(e.step), e.line}, clicked);
    }
    if (lit < 0 && choice.holds(cursor) && cursor.block == warp_->block && cursor.warp == warp_->warp)
        lit = cursor.lane;
    draw_mask(columns, 0, lit);
    if (!e.is_barrier()) {
        draw_values(columns, brings, false, lit);
        if (e.is_shuffle()) draw_arrows(columns, brings + cell - 2, gets, lit);
        draw_values(columns, gets, true, lit);
        if (e.is_ballot()) draw_ranks(columns, gets + cell + em(gap / 2), lit);
    }
    const std::string lane_text = sentence_of(lit < 0 ? 0 : lit);
    wrapped_text(Face::text, em(0.92f), palette().dim, lane_text);
}

}  // namespace lab::lesson_13_warp_intrinsics
