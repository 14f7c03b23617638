#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/widgets.h"
#include "lessons/07_registers_local/panel_views.h"

namespace lab::lesson_07_registers_local {
namespace {

constexpr int columns = 16;
constexpr float cell = 1.15f, supply_row = 1.35f, bars = 5.5f;  // heights in em

}  // namespace

float SmView::height(const Card& card) {
    return em(1.6f + cell * std::ceil(float(card.sm.threads) / 32 / columns) + 4 * supply_row + 0.8f);
}

void SmView::draw_warps(const Card& card, const Needs& needs, const Filled& filled) const {
    section_title("One SM", "a cell for each warp; a block's warps are alike");
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = std::min(std::floor(ImGui::GetContentRegionAvail().x / columns), em(2.4f));
    const int block_warps = (needs.threads + 31) / 32, rows = (filled.places + columns - 1) / columns;
    ImGui::InvisibleButton("sm", {wide * columns, em(cell) * float(rows)});
    const ImVec2 mouse = ImGui::GetMousePos();
    const int lit = ImGui::IsItemHovered()
                        ? int((mouse.y - at.y) / em(cell)) * columns + int((mouse.x - at.x) / wide)
                        : -1;
    for (int w = 0; w < filled.places; ++w) {
        const ImVec2 from{at.x + wide * float(w % columns), at.y + em(cell) * float(w / columns)};
        const ImVec2 to{from.x + wide - 2, from.y + em(cell) - 2};
        const bool used = w < filled.warps;
        const int block = w / block_warps;
        const ImU32 ink =
            !used ? palette().idle : mix(palette().cell, palette().accent, block % 2 == 0 ? 0.75f : 0.4f);
        list->AddRectFilled(from, to, ink, 2);
        if (used && lit >= 0 && lit < filled.warps && lit / block_warps == block)
            list->AddRect(from, to, palette().text, 2);
        if (used && w % block_warps == 0 && wide > em(1.3f))
            draw_text(list, Face::mono, em(0.75f), {from.x + em(0.2f), from.y}, palette().text,
                      std::to_string(block));
    }
    if (lit < 0 || lit >= filled.places || !begin_hint()) return;
    if (lit < filled.warps) {
        hint_title(fmt::format("Warp {} of block {}", lit % block_warps, lit / block_warps));
        hint_text(fmt::format("The block takes {} of {} warps, {} bytes of shared memory and {} registers.",
                              block_warps, filled.places,
                              simt::shared_taken(card.sm, size_t(needs.shared_bytes(needs.threads))),
                              block_warps * simt::registers_of_warp(needs.registers)));
    } else {
        hint_title("No warp has this place");
        hint_text("A block comes whole or not at all. For one more the SM has too few " + limit_text(filled) +
                  ".");
    }
    end_hint();
}

void SmView::draw_supply(const Supply& supply, bool full) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float name = em(8.2f), numbers = em(11.f);
    const float room = std::max(em(3), ImGui::GetContentRegionAvail().x - name - numbers);
    const bool lit = supply.is_limit;
    const ImU32 ink = lit ? (full ? palette().good : palette().warn) : palette().dim;
    draw_text(list, lit ? Face::bold : Face::text, em(0.85f), at, lit ? ink : palette().text, supply.name);
    const ImVec2 from{at.x + name, at.y + em(0.15f)}, to{from.x + room, at.y + em(1.f)};
    list->AddRectFilled(from, to, palette().idle, 2);
    const float part = supply.of == 0 ? 0 : float(std::min(1.0, supply.used / supply.of));
    list->AddRectFilled(from, {from.x + room * part, to.y},
                        lit ? ink : mix(palette().cell, palette().accent, 0.4f), 2);
    if (lit) list->AddRect(from, to, ink, 2, 1.5f);
    draw_text(list, Face::mono, em(0.75f), {to.x + em(0.5f), at.y + em(0.1f)}, palette().dim,
              fmt::format("{:.0f}/{:.0f}, {} {}", supply.used, supply.of, supply.blocks,
                          supply.blocks == 1 ? "block" : "blocks"));
    ImGui::Dummy({1, em(supply_row) - ImGui::GetStyle().ItemSpacing.y});
}

void SmView::draw(const Card& card, const Needs& needs, const Filled& filled) const {
    draw_warps(card, needs, filled);
    ImGui::Dummy({0, em(0.1f)});
    for (const Supply& supply : filled.supplies) draw_supply(supply, filled.warps == filled.places);
}

float CurveView::height() {
    return em(1.6f + bars + 2.4f);
}

int CurveView::draw(const std::vector<double>& percents, int threads, int marked) const {
    section_title("Occupancy over threads a block", "click one to choose it");
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high = em(bars), wide = std::floor(ImGui::GetContentRegionAvail().x / float(percents.size()));
    const bool clicked = ImGui::InvisibleButton("curve", {wide * float(percents.size()), high});
    const int under = int((ImGui::GetMousePos().x - at.x) / wide);
    const int lit = ImGui::IsItemHovered() ? std::clamp(under, 0, int(percents.size()) - 1) : -1;
    const float goal = at.y + high * 0.2f;  // 80 %
    for (size_t k = 0; k < percents.size(); ++k) {
        const ImVec2 from{at.x + wide * float(k), at.y}, to{from.x + wide - 2, at.y + high};
        const bool chosen = int(k + 1) * 32 == threads;
        list->AddRectFilled(from, to, palette().idle, 2);
        const ImU32 ink = percents[k] >= 80 ? palette().good : palette().warn;
        list->AddRectFilled({from.x, to.y - high * float(percents[k] / 100)}, to,
                            chosen ? ink : mix(palette().cell, ink, 0.45f), 2);
        if (chosen || int(k) == lit) list->AddRect(from, to, palette().text, 2);
        if (marked > 0 && (marked + 31) / 32 == int(k + 1)) {
            const float x = (from.x + to.x) / 2;
            list->AddTriangleFilled({x - em(0.35f), to.y + em(0.55f)}, {x + em(0.35f), to.y + em(0.55f)},
                                    {x, to.y + em(0.1f)}, palette().wrote);
        }
    }
    list->AddLine({at.x, goal}, {at.x + wide * float(percents.size()), goal}, palette().dim);
    const float words = at.y + high + em(0.6f);
    draw_text(list, Face::mono, em(0.75f), {at.x, words}, palette().dim, "32");
    draw_text(list, Face::mono, em(0.75f), {at.x + wide * float(percents.size()) - em(1.9f), words},
              palette().dim, "1024");
    if (marked > 0) {
        const std::string text = fmt::format("launched: {}", marked);
        const float size = text_size(Face::mono, em(0.75f), text).x;
        const float x = at.x + wide * (float((marked + 31) / 32) - 0.5f) - size / 2;
        draw_text(
            list, Face::mono, em(0.75f),
            {std::clamp(x, at.x + em(1.5f), at.x + wide * float(percents.size()) - size - em(2.3f)), words},
            palette().wrote, text);
    }
    ImGui::Dummy({1, em(1.8f)});
    if (lit >= 0 && begin_hint(true)) {
        hint_title(fmt::format("Blocks of {}: {:.1f} %", (lit + 1) * 32, percents[size_t(lit)]));
        hint_text("The line is at 80 %.");
        end_hint();
    }
    return clicked && lit >= 0 ? (lit + 1) * 32 : 0;
}

}  // namespace lab::lesson_07_registers_local
