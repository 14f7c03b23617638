#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/access_index.h"
#include "app/theme/widgets.h"
#include "lessons/12_atomics/panel_views.h"

namespace lab::lesson_12_atomics {
namespace {

constexpr float warps_high = 2.2f, values_high = 2.2f, row_high = 1.15f, label_wide = 5.4f;  // in em
constexpr size_t usual_rounds = 12;

}  // namespace

void RoundsView::load(const Scene& scene, std::vector<float> values) {
    scene_ = &scene;
    values_ = std::move(values);
    warp_ = 0;
    if (scene.warps.empty()) return;
    const auto busiest =
        std::max_element(scene.warps.begin(), scene.warps.end(),
                         [](const WarpRounds& a, const WarpRounds& b) { return a.tries < b.tries; });
    warp_ = size_t(busiest - scene.warps.begin());
    lowest_ = highest_ = 0;
    bool first = true;
    for (const float value : values_) {
        if (!std::isfinite(value)) continue;
        lowest_ = first ? value : std::min(lowest_, value);
        highest_ = first ? value : std::max(highest_, value);
        first = false;
    }
}

float RoundsView::height() const {
    const float warps = scene_->warps.size() > 1 ? 1.45f + warps_high + 1.2f : 0;
    size_t most = 1;
    for (const WarpRounds& warp : scene_->warps) most = std::max(most, warp.rounds.size());
    return em(warps + 2.7f + 1.45f + values_high + 0.6f + row_high * float(std::min(most, usual_rounds)) + 2);
}

int64_t RoundsView::thread_of(int lane) const {
    const Dim3& block = scene_->kernel->block;
    return int64_t(now().block) * block.x * block.y * block.z + now().warp * lanes + lane;
}

bool RoundsView::value_of(int lane, float& to) const {
    const int64_t thread = thread_of(lane);
    if (thread >= int64_t(values_.size())) return false;
    to = values_[size_t(thread)];
    return true;
}

// The warps of the launch, by how often their lanes tried. A click shows one.
void RoundsView::draw_warps() {
    if (scene_->warps.size() < 2) return;
    const int count = int(scene_->warps.size());
    section_title("Tries of each warp", "click one to see its rounds");
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide =
        std::min(std::max(3.f, std::floor(ImGui::GetContentRegionAvail().x / float(count))), em(3));
    const float high = em(warps_high);
    const bool clicked = ImGui::InvisibleButton("warps", {wide * float(count), high + em(0.9f)});
    int under = -1;
    if (ImGui::IsItemHovered()) under = std::clamp(int((ImGui::GetMousePos().x - at.x) / wide), 0, count - 1);
    if (clicked && under >= 0) warp_ = size_t(under);
    int most = 1;
    for (const WarpRounds& warp : scene_->warps) most = std::max(most, warp.tries);
    for (int i = 0; i < count; ++i) {
        const WarpRounds& warp = scene_->warps[size_t(i)];
        const ImVec2 from{at.x + wide * float(i), at.y}, to{from.x + wide - 2, at.y + high};
        list->AddRectFilled(from, to, palette().idle, 2);
        const float tried = high * float(warp.tries) / float(most),
                    won = high * float(warp.won) / float(most);
        list->AddRectFilled({from.x, to.y - tried}, to, mix(palette().surface, palette().warn, 0.65f), 2);
        list->AddRectFilled({from.x, to.y - std::max(won, warp.won > 0 ? 2.f : 0.f)}, to, palette().good, 2);
        if (size_t(i) == warp_ || i == under)
            list->AddRect(from, to, palette().text, 2, size_t(i) == warp_ ? 2 : 1);
        const std::string number = std::to_string(warp.tries);
        const float size = em(0.68f), room = text_size(Face::mono, size, number).x;
        if (room < wide)
            draw_text(list, Face::mono, size, {(from.x + to.x - room) / 2, to.y + em(0.1f)}, palette().dim,
                      number);
    }
    if (under < 0 || !begin_hint()) return;
    const WarpRounds& warp = scene_->warps[size_t(under)];
    hint_title(fmt::format("Warp {} of block {}", warp.warp, warp.block));
    hint_text(fmt::format("{} in {}, {} got in.", plural(warp.tries, "try", "tries"),
                          plural(int64_t(warp.rounds.size()), "round", "rounds"), warp.won));
    end_hint();
}

// The lanes' own values, as heights: each round that gets in is higher than the last.
void RoundsView::draw_values(ImVec2 at, float cell, float high, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    uint32_t won = 0;
    for (const Round& round : now().rounds) won |= round.won;
    const float range = highest_ > lowest_ ? highest_ - lowest_ : 1;
    for (int lane = 0; lane < lanes; ++lane) {
        const ImVec2 from{at.x + cell * float(lane), at.y}, to{from.x + cell - 2, at.y + high};
        list->AddRectFilled(from, to, palette().idle, 2);
        float value = 0;
        if (value_of(lane, value) && !std::isnan(value)) {
            const float part = std::clamp((value - lowest_) / range, 0.f, 1.f);
            list->AddRectFilled({from.x, to.y - std::max(2.f, high * part)}, to,
                                won >> lane & 1 ? palette().good : palette().cell, 2);
        }
        if (lane == lit) list->AddRect(from, to, palette().text, 2);
    }
}

void RoundsView::draw_rounds(ImVec2 at, float cell, float row, size_t rows, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (size_t i = 0; i < rows; ++i) {
        const Round& round = now().rounds[i];
        const float y = at.y + row * float(i);
        for (int lane = 0; lane < lanes; ++lane) {
            const ImVec2 from{at.x + cell * float(lane), y}, to{from.x + cell - 2, y + row - 2};
            const bool tried = round.mask >> lane & 1, won = round.won >> lane & 1;
            const ImU32 ink = won ? palette().good : tried ? palette().warn : palette().idle;
            list->AddRectFilled(from, to, won || !tried ? ink : mix(palette().surface, ink, 0.45f), 2);
            const ImVec2 centre{(from.x + to.x) / 2, (from.y + to.y) / 2};
            const float radius = std::min(cell, row) * 0.22f;
            if (won && radius > 2) draw_tick(list, centre, radius, palette().on_accent);
            if (tried && !won && radius > 2) draw_cross(list, centre, radius, palette().warn);
            if (lane == lit) list->AddRect(from, to, palette().text, 2);
        }
        // In little room, every fourth row has its label, and the one that goes on to the grid's float.
        const bool new_place = i == 0 || round.shared != now().rounds[i - 1].shared;
        if (row >= em(1.1f) || new_place || i % 4 == 0)
            draw_text(list, Face::text, em(0.8f), {at.x + cell * lanes + em(0.5f), y + (row - em(1.05f)) / 2},
                      palette().dim, round.shared ? fmt::format("round {}", i + 1) : "the grid's");
    }
    if (rows < now().rounds.size())
        draw_text(list, Face::text, em(0.85f), {at.x, at.y + row * float(rows)}, palette().dim,
                  fmt::format("and {} more", plural(int64_t(now().rounds.size() - rows), "round", "rounds")));
}

void RoundsView::explain(size_t which, int lane) const {
    if (!begin_hint(true)) return;
    const Round& round = now().rounds[which];
    hint_title(fmt::format("Lane {}, round {}", lane, which + 1));
    float value = 0;
    if (round.shared && value_of(lane, value)) hint_text(fmt::format("It brings {}.", value));
    const char* where =
        round.shared ? "the block's float, in shared memory" : "the grid's float, in global memory";
    if (round.won >> lane & 1)
        hint_text(fmt::format("Its guess was right: it changed {}.", where), palette().good);
    else if (round.mask >> lane & 1)
        hint_text(fmt::format("Its guess was out of date: {} holds something else, and nothing was written.",
                              where),
                  palette().warn);
    else
        hint_text("It did not try: no lane, no element, or nothing larger to bring.");
    end_hint();
}

void RoundsView::draw(const RunChoice& choice, Cursor& cursor) {
    draw_warps();
    const WarpRounds& warp = now();
    wrapped_text(
        Face::text, em(0.92f), palette().text,
        fmt::format("Warp {} of block {}: {} tried {} in {}. {} got in, {} came with an old guess.",
                    warp.warp, warp.block, plural(__builtin_popcount(warp.mask), "lane", "lanes"),
                    plural(warp.tries, "swap", "swaps"),
                    plural(int64_t(warp.rounds.size()), "round", "rounds"), warp.won, warp.tries - warp.won));
    section_title("A row is a round", "above, each lane's own value");
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float cell = std::min(std::floor((room.x - em(label_wide)) / lanes), em(1.9f));
    const float high = em(values_high), gap = em(0.4f), left = room.y - high - gap - em(1.3f);
    const float row = std::floor(std::clamp(left / float(warp.rounds.size()), em(0.75f), em(1.35f)));
    const size_t fits = size_t(std::max(1.f, left / row));
    const size_t rows = std::min(warp.rounds.size(), fits);
    const ImVec2 grid{std::floor(at.x), std::floor(at.y + high + gap)};
    const bool clicked = ImGui::InvisibleButton("rounds", {cell * lanes, high + gap + row * float(rows)});
    int lit = -1;
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        lit = std::clamp(int((mouse.x - grid.x) / cell), 0, lanes - 1);
        const size_t which = size_t(std::max(0.f, (mouse.y - grid.y) / row));
        cursor.pointed = true;
        if (!cursor.pinned || clicked) {
            const bool again = clicked && cursor.pinned;
            cursor = Cursor{};
            cursor.pointed = true;
            cursor.pinned = clicked && !again;
            choice.put_into(cursor);
            cursor.launch = choice.launch();
            cursor.block = warp.block;
            cursor.warp = warp.warp;
            cursor.lane = lit;
            cursor.line = warp.rounds[std::min(which, rows - 1)].line;
            cursor.step = int(warp.rounds[std::min(which, rows - 1)].step);
        }
        if (mouse.y >= grid.y && which < rows) explain(which, lit);
    }
    draw_values({grid.x, at.y}, cell, high, lit);
    draw_rounds(grid, cell, row, rows, lit);
    ImGui::SetCursorScreenPos({at.x, grid.y + row * float(rows)});
    ImGui::Dummy({1, em(1.2f)});
}

}  // namespace lab::lesson_12_atomics
