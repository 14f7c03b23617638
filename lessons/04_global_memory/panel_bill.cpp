#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/cells.h"
#include "app/theme/widgets.h"
#include "lessons/04_global_memory/panel_views.h"

namespace lab::lesson_04_global_memory {
namespace {

constexpr float site_high = 1.45f, plot_high = 6.2f;  // in em
constexpr int worst = 32;                             // sectors a request of 32 lanes
constexpr int last_stride = 32;

ImU32 colour_of(bool wrote) {
    return wrote ? palette().wrote : palette().read;
}

std::string number(double value) {
    return fmt::format("{:.{}f}", value, value == std::floor(value) ? 0 : 1);
}

// The whole bar is 32 sectors; what is moved and not used is hatched.
void draw_bar(const Cost& cost, bool wrote, ImVec2 from, ImVec2 to) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float width = to.x - from.x;
    const float moved = width * float(std::min(1.0, cost.each() / worst));
    const float used = moved * float(cost.used_bytes) / float(cost.sectors * int64_t(sector_bytes));
    list->AddRectFilled(from, to, palette().idle, 2);
    if (moved - used > 1) {
        list->AddRectFilled({from.x + used, from.y}, {from.x + moved, to.y}, palette().warn_soft);
        draw_hatch(list, {from.x + used, from.y}, {from.x + moved, to.y}, palette().warn);
    }
    list->AddRectFilled(from, {from.x + std::max(2.f, used), to.y}, colour_of(wrote), 2);
}

void draw_bars(const Site& site, ImVec2 from, ImVec2 to) {
    const bool both = site.load.requests > 0 && site.store.requests > 0;
    const float middle = std::round((from.y + to.y) / 2);
    if (site.load.requests > 0) draw_bar(site.load, false, from, {to.x, both ? middle - 1 : to.y});
    if (site.store.requests > 0) draw_bar(site.store, true, {from.x, both ? middle + 1 : from.y}, to);
}

// "32 sectors a load, 32 a store, 12 % used"
std::string words_of(const Site& site, bool roomy) {
    std::string text;
    const auto add = [&](const Cost& cost, const char* what) {
        if (cost.requests == 0) return;
        const char* unit = !roomy || !text.empty() ? "" : cost.each() == 1 ? " sector" : " sectors";
        text += fmt::format("{}{}{} a {}", text.empty() ? "" : ", ", number(cost.each()), unit, what);
    };
    add(site.load, "load");
    add(site.store, "store");
    return text + fmt::format(", {} %{}", site.used_percent(), roomy ? " used" : "");
}

}  // namespace

float BillView::height(const Scene& scene) {
    return em(site_high) * float(scene.sites.size()) + em(0.4f);
}

size_t BillView::draw(const Scene& scene, size_t shown) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const WarpAccess& now = scene.requests[shown].access;
    const float width = ImGui::GetContentRegionAvail().x, high = em(site_high), small = em(0.85f);
    const float name_wide = em(4.6f);
    float words_wide = 0;
    std::vector<std::string> words;
    for (const Site& site : scene.sites) {
        words.push_back(words_of(site, width > em(30)));
        words_wide = std::max(words_wide, text_size(Face::text, small, words.back()).x);
    }
    for (size_t i = 0; i < scene.sites.size(); ++i) {
        const Site& site = scene.sites[i];
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool here = now.line == site.line;
        ImGui::PushID(int(i));
        if (ImGui::InvisibleButton("site", {width, high - ImGui::GetStyle().ItemSpacing.y})) {
            // A second click goes from the line's load to its store.
            const bool to_store = site.load.requests == 0 || (here && !now.wrote && site.store.requests > 0);
            shown = to_store ? site.store.first : site.load.first;
        }
        const bool hovered = ImGui::IsItemHovered();
        ImGui::PopID();
        if (here || hovered)
            list->AddRectFilled(at, {at.x + width, at.y + high - em(0.1f)},
                                here ? palette().accent_soft : palette().raised, em(0.25f));
        draw_text(list, Face::mono, small, {at.x + em(0.3f), at.y + em(0.12f)},
                  here ? palette().text : palette().dim, fmt::format("line {}", site.line));
        const float bar_to = at.x + width - words_wide - em(0.8f);
        if (bar_to > at.x + name_wide + em(2))
            draw_bars(site, {at.x + name_wide, at.y + em(0.28f)}, {bar_to, at.y + em(1.08f)});
        draw_text(list, Face::text, small, {at.x + width - words_wide - em(0.3f), at.y + em(0.12f)},
                  site.used_percent() <= 50 ? palette().warn : palette().text, words[i]);
    }
    return shown;
}

float MeasuredView::height() {
    return em(plot_high + 4.3f);
}

void MeasuredView::draw(const Measurements& measured) const {
    if (measured.all().empty()) return;
    const Measurements::Key now = measured.last();
    section_title("What you have measured", fmt::format("sectors over stride; {}, offset {}",
                                                        plural(now.bytes, "byte", "bytes"), now.offset));
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float small = em(0.75f), label = em(1.6f), high = em(plot_high);
    const float width = std::min(ImGui::GetContentRegionAvail().x - em(0.8f), em(34));
    const ImVec2 at{corner.x + label, corner.y + em(0.3f)};
    const float across = (width - label - em(0.5f)) / last_stride;
    const auto place = [&](int64_t stride, int sectors) {
        return ImVec2{at.x + across * float(stride), at.y + high - high * float(sectors) / worst};
    };
    for (const int sectors : {0, 4, 8, 16, 32}) {
        const ImVec2 from = place(0, sectors), to = place(last_stride, sectors);
        list->AddLine(from, to, palette().border);
        const std::string text = std::to_string(sectors);
        if (sectors != 0)
            draw_text(list, Face::mono, small,
                      {at.x - em(0.4f) - text_size(Face::mono, small, text).x, from.y - em(0.42f)},
                      palette().dim, text);
    }
    for (int stride = 0; stride <= last_stride; stride += 4) {
        const std::string text = std::to_string(stride);
        draw_text(list, Face::mono, small,
                  {place(stride, 0).x - text_size(Face::mono, small, text).x / 2, at.y + high + em(0.1f)},
                  palette().dim, text);
    }
    const float radius = std::max(3.f, em(0.24f));
    for (const bool current : {false, true})
        for (const auto& [key, sectors] : measured.all()) {
            if (key.stride < 0 || key.stride > last_stride) continue;
            const bool same = key.bytes == now.bytes && key.offset == now.offset;
            if (same != current) continue;
            list->AddCircleFilled(place(key.stride, sectors), same ? radius : radius * 0.7f,
                                  same ? palette().read : mix(palette().surface, palette().read, 0.35f));
        }
    if (const auto found = measured.all().find(now);
        found != measured.all().end() && now.stride <= last_stride)
        list->AddCircle(place(now.stride, found->second), radius + 3, palette().text, 0, 2);
    ImGui::Dummy({width, high + em(1.4f)});
}

}  // namespace lab::lesson_04_global_memory
