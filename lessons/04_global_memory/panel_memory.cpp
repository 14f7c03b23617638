#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/access_index.h"
#include "app/panels/cells.h"
#include "app/theme/widgets.h"
#include "lessons/04_global_memory/panel_views.h"

namespace lab::lesson_04_global_memory {
namespace {

constexpr float label_wide = 8.6f, link_high = 1.3f, row_high = 1.5f, least_row = 0.6f;  // in em

ImU32 colour_of(const WarpAccess& access) {
    return access.wrote ? palette().wrote : palette().read;
}

// Text in the middle of a rectangle, a little smaller where it has to be; left out if that is not enough.
void text_within(ImVec2 from, ImVec2 to, Face face, float pixels, ImU32 colour, const std::string& text) {
    if (text.empty() || pixels > to.y - from.y) return;
    const float wide = text_size(face, pixels, text).x, room = to.x - from.x - 1;
    if (wide > room) pixels = std::floor(pixels * room / wide);
    if (wide * 0.65f > room || pixels < 6) return;
    const ImVec2 size = text_size(face, pixels, text);
    draw_text(ImGui::GetWindowDrawList(), face, pixels,
              {(from.x + to.x - size.x) / 2, (from.y + to.y - size.y) / 2}, colour, text);
}

}  // namespace

float MemoryView::height(size_t lines) {
    return em(1.5f + link_high + row_high * float(std::min<size_t>(lines, 8)) + 1.2f);
}

ImVec2 MemoryView::Field::at(size_t line, uint64_t byte_in_line) const {
    return {rows.x + byte * float(byte_in_line) + gap * float(byte_in_line / sector_bytes),
            rows.y + row * float(line)};
}

MemoryView::Field MemoryView::lay_out(size_t lines) const {
    Field field;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float width = std::min(room.x, em(60)) - em(label_wide);
    field.gap = std::max(2.f, std::round(em(0.22f)));
    field.byte = std::max(1.f, (width - 3 * field.gap) / float(line_bytes));
    field.lane = width / lanes;
    field.lanes = {std::floor(at.x), std::floor(at.y)};
    field.rows = {field.lanes.x, std::floor(at.y + std::min(field.lane, em(1.4f)) + em(link_high))};
    const auto count = float(std::max<size_t>(1, lines));
    float high = room.y - (field.rows.y - at.y) - em(0.5f);
    if (high < count * em(least_row)) high -= em(1.2f);  // "... and 3 more lines"
    field.row = std::floor(std::clamp(high / count, em(least_row), em(row_high)));
    field.shown = std::clamp<size_t>(size_t(std::max(1.f, high / field.row)), 1, std::max<size_t>(1, lines));
    return field;
}

void MemoryView::draw_lanes(const Field& field, const Request& request, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float high = std::min(field.lane, em(1.4f));
    for (int lane = 0; lane < lanes; ++lane) {
        const ImVec2 from{field.lanes.x + field.lane * float(lane), field.lanes.y};
        const ImVec2 to{from.x + field.lane - 1.5f, from.y + high - 1.5f};
        const bool active = request.access.has(lane), strong = lit < 0 || lit == lane;
        list->AddRectFilled(
            from, to,
            active ? mix(palette().cell, colour_of(request.access), strong ? 0.8f : 0.3f) : palette().idle,
            2);
        if (lane == lit)
            list->AddRect({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, palette().text, 2, 2.f);
        text_within(from, to, Face::mono, std::min(em(0.72f), field.lane * 0.62f),
                    active ? palette().background : palette().faint, std::to_string(lane));
    }
    draw_text(list, Face::text, em(0.8f),
              {field.lanes.x + field.lane * lanes + em(0.5f), field.lanes.y + (high - em(1.05f)) / 2},
              palette().dim, "lanes");
}

// Sectors that nobody touched are bare, others are filled; hatched is what came for nobody.
void MemoryView::draw_line(const Field& field, const Scene& scene, const Request& request,
                           const MemoryLine& line, size_t place, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float high = field.row - std::max(2.f, field.row * 0.14f);
    for (size_t s = 0; s < line.touched.size(); ++s) {
        const ImVec2 from = field.at(place, s * sector_bytes);
        const ImVec2 to{from.x + field.byte * float(sector_bytes), from.y + high};
        list->AddRectFilled(from, to, line.touched[s] ? palette().warn_soft : palette().idle, 2);
        if (line.touched[s] && !request.access.wrote)
            draw_hatch(list, from, to, with_alpha(palette().warn, 0.5f));
        for (uint64_t byte = 0; byte < sector_bytes; byte += word_bytes) {
            const char* name = field_at(scene, line.address + s * sector_bytes + byte);
            const ImVec2 word = field.at(place, s * sector_bytes + byte);
            text_within(word, {word.x + field.byte * word_bytes, to.y}, Face::text, std::min(em(0.68f), high),
                        line.touched[s] ? palette().dim : palette().faint, name);
        }
    }
    draw_elements(field, request, line, place, lit);
    for (size_t s = 0; s < line.touched.size(); ++s) {
        const ImVec2 from = field.at(place, s * sector_bytes);
        if (line.touched[s])
            list->AddRect(from, {from.x + field.byte * float(sector_bytes), from.y + high},
                          colour_of(request.access), 2);
    }
    const std::string name = name_of(scene, line.address);
    const std::string text = line.follows || place == 0 ? name : "... " + name;
    const float pixels = std::min(em(0.78f), field.row);
    draw_text(list, Face::mono, pixels,
              {field.at(place, line_bytes - 1).x + field.byte + em(0.5f),
               field.at(place, 0).y + (high - pixels) / 2},
              palette().dim, text);
}

// What the lanes wanted, with their numbers.
void MemoryView::draw_elements(const Field& field, const Request& request, const MemoryLine& line,
                               size_t place, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const WarpAccess& a = request.access;
    const float high = field.row - std::max(2.f, field.row * 0.14f);
    const auto bytes = uint64_t(std::max(1, a.bytes));
    for (int lane = 0; lane < lanes; ++lane) {
        const uint64_t first = a.address[size_t(lane)];
        if (!a.has(lane) || first / line_bytes != line.address / line_bytes) continue;
        const ImVec2 from = field.at(place, first % line_bytes);
        const float wide =
            std::max(1.f, field.byte * float(bytes) - (field.byte * float(bytes) > 4 ? 1.f : 0.f));
        const ImVec2 to{from.x + wide, from.y + high};
        const bool strong = lit < 0 || lit == lane;
        list->AddRectFilled(from, to, mix(palette().surface, colour_of(a), strong ? 0.95f : 0.4f), 1);
        // Where all lanes want one place, it has no number that would be right.
        if (request.elements.found && request.elements.step == 0 && lit < 0) continue;
        text_within(from, to, Face::mono, std::min({em(0.68f), field.byte * 4 * 0.8f, high}),
                    palette().background, std::to_string(lane));
    }
}

void MemoryView::draw_link(const Field& field, const Request& request, const std::vector<MemoryLine>& lines,
                           int lane) const {
    const WarpAccess& a = request.access;
    const uint64_t first = a.address[size_t(lane)];
    for (size_t i = 0; i < field.shown && i < lines.size(); ++i) {
        if (lines[i].address / line_bytes != first / line_bytes) continue;
        const ImVec2 from{field.lanes.x + field.lane * (float(lane) + 0.5f),
                          field.lanes.y + std::min(field.lane, em(1.4f))};
        const ImVec2 left = field.at(i, first % line_bytes);
        const ImVec2 to{left.x + field.byte * float(std::max(1, a.bytes)) / 2, left.y};
        const float bend = (to.y - from.y) * 0.5f;
        ImGui::GetWindowDrawList()->AddBezierCubic(from, {from.x, from.y + bend}, {to.x, to.y - bend}, to,
                                                   palette().text, std::max(1.5f, em(0.1f)));
        return;
    }
}

// The lane under the mouse, in its row or by what it wanted; -1: none.
int MemoryView::lane_at(const Field& field, const Request& request, const std::vector<MemoryLine>& lines,
                        ImVec2 point) const {
    const WarpAccess& a = request.access;
    if (point.y < field.lanes.y + field.lane) {
        const int lane = std::clamp(int((point.x - field.lanes.x) / field.lane), 0, lanes - 1);
        return point.x >= field.lanes.x && point.x < field.lanes.x + field.lane * lanes ? lane : -1;
    }
    if (point.y < field.rows.y) return -1;
    const auto row = size_t((point.y - field.rows.y) / field.row);
    if (row >= field.shown || row >= lines.size()) return -1;
    for (int lane = 0; lane < lanes; ++lane) {
        const uint64_t first = a.address[size_t(lane)];
        if (!a.has(lane) || first / line_bytes != lines[row].address / line_bytes) continue;
        const float from = field.at(row, first % line_bytes).x;
        if (point.x >= from - 1 && point.x <= from + std::max(3.f, field.byte * float(a.bytes))) return lane;
    }
    return -1;
}

void MemoryView::explain(const Scene& scene, const Request& request, int lane) const {
    if (!begin_hint(true)) return;
    const WarpAccess& a = request.access;
    hint_title(fmt::format("Lane {}", lane));
    if (!a.has(lane)) {
        hint_text("It does not take part, and costs nothing.", palette().dim);
        return end_hint();
    }
    const uint64_t address = a.address[size_t(lane)], sector = address / sector_bytes;
    int sharers = 0;
    for (int other = 0; other < lanes; ++other)
        sharers += other != lane && a.has(other) && a.address[size_t(other)] / sector_bytes == sector;
    hint_text(fmt::format("{} {}.", a.wrote ? "It stores" : "It takes", name_of(scene, address)));
    hint_text(sharers == 0 ? fmt::format("It has its sector for itself: 32 bytes move for its {}.", a.bytes)
                           : fmt::format("{} in the same sector.",
                                         plural(sharers, "other lane is", "other lanes are")),
              sharers == 0 && a.bytes < 32 ? palette().warn : palette().text);
    end_hint();
}

void MemoryView::draw(const Scene& scene, const Request& request, const RunChoice& choice,
                      Cursor& cursor) const {
    const WarpAccess& a = request.access;
    const std::vector<MemoryLine> lines = lines_of(request);
    const Field field = lay_out(lines.size());
    ImGui::SetCursorScreenPos(field.lanes);
    const ImVec2 end = field.at(field.shown, line_bytes - 1);
    const bool clicked = ImGui::InvisibleButton(
        "request", {std::max(1.f, end.x + field.byte - field.lanes.x), std::max(1.f, end.y - field.lanes.y)});
    const int under = ImGui::IsItemHovered() ? lane_at(field, request, lines, ImGui::GetMousePos()) : -1;
    if (under >= 0) {
        cursor.pointed = true;
        if (!cursor.pinned || clicked) {
            const bool again = clicked && cursor.pinned;
            cursor = Cursor{};
            cursor.pointed = true;
            cursor.pinned = clicked && !again;
            choice.put_into(cursor);
            cursor.block = a.block;
            cursor.warp = a.warp;
            cursor.lane = under;
            cursor.step = int(a.step);
            cursor.line = a.line;
        }
        explain(scene, request, under);
    }
    const bool here = cursor.has_thread() && choice.holds(cursor) && cursor.launch == choice.launch() &&
                      cursor.block == int64_t(a.block) && cursor.warp == a.warp;
    const int lit = here ? cursor.lane : -1;
    draw_lanes(field, request, lit);
    for (size_t i = 0; i < field.shown && i < lines.size(); ++i)
        draw_line(field, scene, request, lines[i], i, lit);
    if (lit >= 0 && a.has(lit)) draw_link(field, request, lines, lit);
    ImGui::SetCursorScreenPos({field.lanes.x, end.y});
    if (field.shown < lines.size())
        wrapped_text(Face::text, em(0.82f), palette().dim,
                     fmt::format("... and {}",
                                 plural(int64_t(lines.size() - field.shown), "more line", "more lines")));
    ImGui::Dummy({1, em(0.3f)});
}

}  // namespace lab::lesson_04_global_memory
