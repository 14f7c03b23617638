#include "app/panels/memory_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/access_index.h"
#include "app/panels/cells.h"
#include "app/theme/widgets.h"

namespace lab {
namespace {

constexpr size_t most_accesses = 200000;

const char* verb_of(bool wrote, bool read) {
    return wrote && read ? "update" : wrote ? "store" : "load";
}
ImU32 colour_of(bool wrote) {
    return wrote ? palette().wrote : palette().read;
}

std::vector<uint64_t> lines_of(const WarpAccess& access) {
    std::vector<uint64_t> lines;
    for (int lane = 0; lane < 32; ++lane)
        if (access.has(lane))
            for (uint64_t l = access.address[size_t(lane)] / line_bytes;
                 l <= (access.address[size_t(lane)] + uint64_t(access.bytes) - 1) / line_bytes; ++l)
                lines.push_back(l);
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
}

}  // namespace

void MemoryAccess::load(const RunBundle& bundle) {
    choice_.load(bundle);
    derive();
}

void MemoryAccess::derive() {
    accesses_.clear();
    sites_.clear();
    shown_ = 0;
    const Kernel* kernel = choice_.kernel();
    if (!kernel || !choice_.trace()) return;
    accesses_ = warp_accesses(*choice_.trace(), uint32_t(kernel->launch), false, most_accesses);
    for (size_t i = 0; i < accesses_.size(); ++i) {
        const WarpAccess& a = accesses_[i];
        auto site = std::find_if(sites_.begin(), sites_.end(), [&](const Site& s) {
            return s.line == a.line && s.wrote == a.wrote && s.read == a.read;
        });
        if (site == sites_.end()) site = sites_.insert(sites_.end(), {a.line, a.wrote, a.read, 0, 0, i});
        ++site->requests;
        site->sectors += a.sectors;
    }
}

void MemoryAccess::go_to(size_t access) {
    shown_ = std::min(access, accesses_.size() - 1);
}

// As high as the access with the most lines asks for: the text below must not move from step to step.
float MemoryAccess::height_for(float, float most) {
    if (accesses_.empty()) return em(5);
    int lines = 1;
    for (const WarpAccess& access : accesses_) lines = std::max(lines, access.lines);
    return std::min(most, choice_.height() + em(11.5f + 1.35f * float(sites_.size()) + 1.4f * float(lines)));
}

// One row a site; a click goes to its first access.
void MemoryAccess::draw_sites() {
    for (size_t i = 0; i < sites_.size(); ++i) {
        const Site& site = sites_[i];
        const WarpAccess& now = accesses_[shown_];
        const bool here = now.line == site.line && now.wrote == site.wrote && now.read == site.read;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x, height = em(1.35f);
        ImGui::PushID(int(i));
        if (ImGui::InvisibleButton("site", {width, height})) go_to(site.first);
        const bool hovered = ImGui::IsItemHovered();
        ImGui::PopID();
        ImDrawList* list = ImGui::GetWindowDrawList();
        if (here || hovered)
            list->AddRectFilled(at, {at.x + width, at.y + height},
                                here ? palette().accent_soft : palette().raised, em(0.25f));
        const float y = at.y + em(0.15f);
        draw_text(list, Face::mono, em(0.88f), {at.x + em(0.5f), y}, colour_of(site.wrote),
                  fmt::format("line {:<4} {}", site.line, verb_of(site.wrote, site.read)));
        const double each = double(site.sectors) / double(site.requests);
        draw_text(list, Face::text, em(0.9f), {at.x + em(9), y}, palette().text,
                  each == 1
                      ? std::string("1 sector a request")
                      : fmt::format("{:.{}f} sectors a request", each, each == std::floor(each) ? 0 : 1));
        const std::string total =
            plural(site.requests, "request", "requests") + ", " + plural(site.sectors, "sector", "sectors");
        const float wide = text_size(Face::text, em(0.88f), total).x;
        if (wide + em(20) < width)
            draw_text(list, Face::text, em(0.88f), {at.x + width - wide - em(0.5f), y}, palette().dim, total);
    }
}

void MemoryAccess::draw_steps(Cursor& cursor) {
    const WarpAccess& a = accesses_[shown_];
    int64_t step = 0;
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) {
        step += ImGui::IsKeyPressed(ImGuiKey_RightArrow);
        step -= ImGui::IsKeyPressed(ImGuiKey_LeftArrow);
    }
    if (ImGui::ArrowButton("before", ImGuiDir_Left)) --step;
    ImGui::SameLine(0, em(0.2f));
    if (ImGui::ArrowButton("after", ImGuiDir_Right)) ++step;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    int shown = int(shown_);
    const std::string label = fmt::format(
        "block {}, warp {}, step {}",
        place_text(place_in(a.block, choice_.kernel()->grid), choice_.kernel()->grid), a.warp, a.step);
    if (ImGui::SliderInt("##access", &shown, 0, int(accesses_.size()) - 1, label.c_str(),
                         ImGuiSliderFlags_AlwaysClamp))
        go_to(size_t(shown));
    if (step == 0) return;
    go_to(size_t(std::clamp<int64_t>(int64_t(shown_) + step, 0, int64_t(accesses_.size()) - 1)));
    cursor = Cursor{};
}

std::string MemoryAccess::range_text(uint64_t line) const {
    const uint64_t address = line * line_bytes;
    for (const Buffer& buffer : choice_.bundle().run.buffers) {
        if (buffer.case_index != choice_.case_index() || buffer.element_bytes == 0) continue;
        if (address + line_bytes <= buffer.address || address >= buffer.address + buffer.bytes) continue;
        const uint64_t from = std::max(address, buffer.address),
                       to = std::min(address + line_bytes, buffer.address + buffer.bytes);
        return fmt::format("{}[{}..{}]", buffer.name, (from - buffer.address) / buffer.element_bytes,
                           (to - 1 - buffer.address) / buffer.element_bytes);
    }
    return "?";
}

int MemoryAccess::lane_under_cursor(const WarpAccess& access, const Cursor& cursor) const {
    return cursor.has_thread() && choice_.holds(cursor) && cursor.block == int64_t(access.block) &&
                   cursor.warp == access.warp
               ? cursor.lane
               : -1;
}

void MemoryAccess::draw_lanes(const WarpAccess& access, ImVec2 at, float cell, Cursor& cursor) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos(at);
    const bool clicked = ImGui::InvisibleButton("lanes", {cell * 32, cell});
    const int under =
        ImGui::IsItemHovered() ? std::clamp(int((ImGui::GetMousePos().x - at.x) / cell), 0, 31) : -1;
    if (under >= 0 && (!cursor.pinned || clicked)) {
        cursor = Cursor{};
        choice_.put_into(cursor);
        cursor.block = access.block;
        cursor.warp = access.warp;
        cursor.lane = under;
        cursor.step = int(access.step);
        cursor.line = access.line;
        cursor.pinned = clicked;
        cursor.pointed = true;
    }
    const int lit = lane_under_cursor(access, cursor);
    for (int lane = 0; lane < 32; ++lane) {
        const ImVec2 from{at.x + cell * float(lane), at.y}, to{from.x + cell - 1.5f, at.y + cell - 1.5f};
        const bool active = access.has(lane);
        list->AddRectFilled(
            from, to,
            active ? mix(palette().cell, colour_of(access.wrote), lit < 0 || lit == lane ? 0.75f : 0.3f)
                   : palette().idle,
            em(0.15f));
        if (lane == lit)
            list->AddRect({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, palette().text, em(0.18f), 2.f);
        const std::string text = std::to_string(lane);
        const float pixels = std::min(em(0.68f), cell * 0.6f), wide = text_size(Face::mono, pixels, text).x;
        if (wide < cell - 2)
            draw_text(list, Face::mono, pixels, {(from.x + to.x - wide) / 2, (from.y + to.y - pixels) / 2},
                      active ? palette().background : palette().faint, text);
    }
}

// Each row is a line of 128 bytes: four sectors of eight words.
void MemoryAccess::draw_lines(const WarpAccess& access, ImVec2 at, float cell, float row,
                              const Cursor& cursor) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::vector<uint64_t> lines = lines_of(access);
    const int lit = lane_under_cursor(access, cursor);
    const float gap = cell * 0.5f, high = std::max(2.f, row - std::max(1.f, row * 0.2f));
    auto word_at = [&](size_t r, uint64_t byte) {
        const float x =
            at.x + float(byte) / word_bytes * (cell - gap * 3 / 32) + gap * float(byte / sector_bytes);
        return ImVec2{x, at.y + float(r) * row};
    };
    const float word = cell - gap * 3 / 32;
    for (size_t r = 0; r < lines.size(); ++r) {
        for (uint64_t sector = 0; sector < line_bytes / sector_bytes; ++sector) {
            bool touched = false;
            const uint64_t begin = lines[r] * line_bytes + sector * sector_bytes;
            for (int lane = 0; lane < 32; ++lane)
                touched |= access.has(lane) && access.address[size_t(lane)] < begin + sector_bytes &&
                           access.address[size_t(lane)] + uint64_t(access.bytes) > begin;
            const ImVec2 from = word_at(r, sector * sector_bytes), to{from.x + word * 8, from.y + high};
            list->AddRectFilled(
                from, to, touched ? mix(palette().surface, colour_of(access.wrote), 0.28f) : palette().idle,
                em(0.15f));
            if (touched && high > 5)
                list->AddRect(from, to, with_alpha(colour_of(access.wrote), 0.9f), em(0.15f));
        }
        for (int lane = 0; lane < 32; ++lane) {
            const uint64_t first = access.address[size_t(lane)];
            if (!access.has(lane) || first / line_bytes != lines[r]) continue;
            const ImVec2 from = word_at(r, first % line_bytes);
            const float wide = std::max(1.5f, word * float(access.bytes) / word_bytes - 1);
            list->AddRectFilled(
                {from.x + 0.5f, from.y + 1}, {from.x + wide, from.y + high - 1},
                lit < 0 || lit == lane ? colour_of(access.wrote) : with_alpha(colour_of(access.wrote), 0.35f),
                1);
            const bool few = lines.size() <= 4;
            if (lit != lane && !(few && lit < 0)) continue;
            const ImVec2 lane_foot{at.x + cell * (float(lane) + 0.5f), at.y - em(1.6f)},
                target{from.x + wide / 2, from.y};
            const float bend = (target.y - lane_foot.y) * 0.5f;
            list->AddBezierCubic(lane_foot, {lane_foot.x, lane_foot.y + bend}, {target.x, target.y - bend},
                                 target, with_alpha(colour_of(access.wrote), lit == lane ? 1 : 0.4f),
                                 lit == lane ? std::max(2.f, em(0.12f)) : 1);
        }
        const float pixels = std::min(em(0.78f), row);
        if (row >= em(0.6f) || r % size_t(std::ceil(em(0.7f) / row)) == 0)
            draw_text(list, Face::mono, std::max(pixels, em(0.6f)),
                      {at.x + cell * 32 + gap + em(0.6f),
                       at.y + float(r) * row + (high - std::max(pixels, em(0.6f))) / 2},
                      palette().dim, range_text(lines[r]));
    }
}

void MemoryAccess::draw_picture(Cursor& cursor) {
    const WarpAccess& a = accesses_[shown_];
    const std::string words = fmt::format(
        "{} {} bytes: {} of 32 bytes, in {} of 128.", plural(a.lanes(), "lane asks for", "lanes ask for"),
        a.used_bytes, plural(a.sectors, "sector", "sectors"), plural(a.lines, "line", "lines"));
    const int moved = a.sectors * int(sector_bytes);
    const bool waste = a.used_bytes * 2 <= moved;
    wrapped_text(Face::bold, em(0.95f), palette().text, words);
    wrapped_text(Face::text, em(0.9f), waste ? palette().warn : palette().dim,
                 fmt::format("{} of the {} bytes that memory moves are used ({} %).", a.used_bytes, moved,
                             a.used_bytes * 100 / std::max(1, moved)));
    ImGui::Dummy({1, em(0.2f)});
    const float label = em(8), width = ImGui::GetContentRegionAvail().x;
    const float cell = std::clamp(std::floor((width - label) / 33), 5.f, em(1.5f));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_lanes(a, at, cell, cursor);
    const float top = at.y + cell + em(1.6f),
                room = std::max(em(3), ImGui::GetContentRegionAvail().y - em(2.2f));
    const float row = std::clamp(room / float(std::max<size_t>(1, lines_of(a).size())), 3.f, em(1.4f));
    draw_lines(a, {at.x, top}, cell, row, cursor);
    ImGui::SetCursorScreenPos({at.x, top});
    ImGui::Dummy({width, row * float(lines_of(a).size())});
}

void MemoryAccess::draw(Cursor& cursor) {
    if (choice_.draw()) derive();
    choice_.draw_launch(plural(int64_t(accesses_.size()), "warp instruction on global memory",
                               "warp instructions on global memory"));
    if (accesses_.empty()) return;
    // A thread that is held elsewhere brings its warp here.
    if (cursor.pinned && cursor.has_thread() && choice_.holds(cursor) &&
        lane_under_cursor(accesses_[shown_], cursor) < 0)
        for (size_t i = 0; i < accesses_.size(); ++i)
            if (int64_t(accesses_[i].block) == cursor.block && accesses_[i].warp == cursor.warp) {
                go_to(i);
                break;
            }
    draw_sites();
    draw_steps(cursor);
    draw_picture(cursor);
}

}  // namespace lab
