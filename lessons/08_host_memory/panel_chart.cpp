#include "lessons/08_host_memory/panel_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/cells.h"
#include "app/theme/widgets.h"

namespace lab::lesson_08_host_memory {

ImU32 colour_of(Host what) {
    const Palette& p = palette();
    switch (what) {
        case Host::blocked:
            return p.warn;
        case Host::works:
            return p.good;
        case Host::allocates:
            return p.dim;
        default:
            return mix(p.idle, p.good, 0.3f);
    }
}

namespace {

const char* text_of(Host what) {
    switch (what) {
        case Host::blocked:
            return "blocked";
        case Host::works:
            return "works";
        case Host::allocates:
            return "allocates";
        default:
            return "waits";
    }
}

}  // namespace

void Chart::load(const Scene& scene) {
    rows_ = scene.timeline == nullptr ? 0 : scene.engines.size() + 1;
    if (scene.timeline != nullptr) axis_.show_all(scene.timeline->metric("total_us") * 1000);
}

void Chart::draw_label(const char* text, float y) const {
    const float pixels = em(0.85f);
    draw_text(ImGui::GetWindowDrawList(), Face::text, pixels,
              {at_.x, y + (row() - em(0.4f) - pixels * 1.25f) / 2}, palette().dim, text);
    ImGui::GetWindowDrawList()->AddRectFilled({axis_.left(), y}, {axis_.right(), y + row() - em(0.4f)},
                                              with_alpha(palette().raised, 0.8f), em(0.2f));
}

void Chart::draw_bar(float y, int64_t begin, int64_t end, ImU32 colour, const std::string& text, bool is_lit,
                     bool is_quiet) const {
    const float from = std::max(axis_.left(), axis_.x_of(double(begin)));
    const float to = std::min(axis_.right(), std::max(from + 2, axis_.x_of(double(end))));
    if (to <= axis_.left() || from >= axis_.right()) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 a{from, y + em(0.1f)}, b{to, y + row() - em(0.5f)};
    const float rounding = std::min(em(0.2f), (to - from) / 2), pixels = em(0.78f);
    list->AddRectFilled(a, b, colour, rounding);
    if (is_lit) list->AddRect(a, b, palette().text, rounding, em(0.14f));
    const float wide = text_size(Face::text, pixels, text).x;
    if (wide > to - from - em(0.3f)) return;
    draw_text(list, Face::text, pixels, {(from + to - wide) / 2, (a.y + b.y) / 2 - pixels * 0.62f},
              is_quiet ? palette().text : palette().background, text);
}

bool Chart::is_over(float y, int64_t begin, int64_t end) const {
    if (!ImGui::IsItemHovered()) return false;
    const ImVec2 mouse = ImGui::GetMousePos();
    const float from = axis_.x_of(double(begin));
    return mouse.y >= y && mouse.y < y + row() && mouse.x >= from &&
           mouse.x < std::max(from + 3, axis_.x_of(double(end)));
}

Under Chart::draw(const Scene& scene, const Under& lit, int line) {
    at_ = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float label = std::min(width * 0.28f, text_size(Face::text, em(0.85f), "copies out").x + em(0.8f));
    axis_.place(at_.x + label, at_.x + std::max(label + em(4), width - em(0.5f)));
    ImGui::InvisibleButton("host and engines", {std::max(em(4), width), height()});
    axis_.zoom();
    axis_.draw(at_.y, at_.y + height());
    Under under;
    const int task = lit.bar >= 0 ? scene.host[size_t(lit.bar)].task : lit.task;
    float y = at_.y + head();
    draw_label("host", y);
    for (size_t i = 0; i < scene.host.size(); ++i) {
        const HostBar& bar = scene.host[i];
        const bool is_lit = int(i) == lit.bar || (task >= 0 && bar.task == task) ||
                            (!lit.any() && line > 0 && bar.line == line);
        draw_bar(y, bar.begin, bar.end, colour_of(bar.what), text_of(bar.what), is_lit,
                 bar.what == Host::waits);
        if (is_over(y, bar.begin, bar.end)) under = {int(i), -1};
    }
    for (const Engine& engine : scene.engines) {
        y += row();
        draw_label(engine.label.c_str(), y);
        for (const int id : engine.tasks) {
            const TimelineTask& t = scene.task(id);
            const bool is_lit = id == task || (!lit.any() && line > 0 && t.line == line);
            draw_bar(y, t.begin, t.end, lab::colour_of(look_of(t)), name_of(scene, id), is_lit, false);
            if (is_over(y, t.begin, t.end)) under = {-1, id};
        }
    }
    return under;
}

void Chart::draw_legend(const Scene& scene) {
    static constexpr std::pair<Host, const char*> words[] = {
        {Host::blocked, "host blocked: it stands in a copy or a launch"},
        {Host::works, "host free: it works"},
        {Host::waits, "host free: it waits because it asked to"},
        {Host::allocates, "host allocates or frees"}};
    std::vector<LegendEntry> entries;
    for (const auto& [what, word] : words)
        if (std::any_of(scene.host.begin(), scene.host.end(),
                        [what = what](const HostBar& b) { return b.what == what; }))
            entries.push_back({colour_of(what), 0, word});
    draw_entries(entries);
}

// ---- tries

namespace {

ImU32 colour_of(Source source) {
    const Palette& p = palette();
    return source == Source::pageable ? p.warn : source == Source::pinned ? p.read : p.accent;
}

// A form of its own for each memory: colour is not all.
void draw_mark(ImDrawList* list, ImVec2 at, Source source, float r, ImU32 colour) {
    if (source == Source::pageable)
        list->AddCircleFilled(at, r, colour);
    else if (source == Source::pinned)
        list->AddRectFilled({at.x - r, at.y - r}, {at.x + r, at.y + r}, colour);
    else
        list->AddTriangleFilled({at.x, at.y - r * 1.2f}, {at.x + r * 1.2f, at.y + r},
                                {at.x - r * 1.2f, at.y + r}, colour);
}

struct Axes {
    ImVec2 from, to;
    float x_of(double bytes) const {  // 1 KiB to 4 MiB
        return from.x + float(std::clamp(std::log2(bytes / 1024) / 12, 0., 1.)) * (to.x - from.x);
    }
    float y_of(double rate) const {  // 0.01 to 100 GB/s
        return to.y - float(std::clamp((std::log10(rate) + 2) / 4, 0., 1.)) * (to.y - from.y);
    }
};

void draw_axes(ImDrawList* list, const Axes& axes) {
    const float pixels = em(0.75f);
    for (const auto& [rate, text] :
         {std::pair{0.01, "0.01"}, {0.1, "0.1"}, {1., "1"}, {10., "10"}, {100., "100 GB/s"}}) {
        const float y = axes.y_of(rate);
        list->AddLine({axes.from.x, y}, {axes.to.x, y}, with_alpha(palette().border, 0.8f));
        const float wide = text_size(Face::text, pixels, text).x;
        draw_text(list, Face::text, pixels, {axes.from.x - wide - em(0.4f), y - pixels * 0.62f},
                  palette().dim, text);
    }
    for (const uint64_t kib : {1, 4, 16, 64, 256, 1024, 4096}) {
        const std::string text = bytes_text(kib * 1024);
        const float wide = text_size(Face::text, pixels, text).x;
        draw_text(list, Face::text, pixels, {axes.x_of(double(kib) * 1024) - wide / 2, axes.to.y + em(0.3f)},
                  palette().dim, text);
    }
}

}  // namespace

void TriesChart::draw(const Tries& tries) const {
    section_title("Your tries", "GB/s from the first call to the last byte");
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x,
                high = std::clamp(ImGui::GetContentRegionAvail().y - em(2.2f), em(6.5f), height() - em(4));
    const float label = text_size(Face::text, em(0.75f), "100 GB/s").x + em(0.5f);
    const Axes axes{{at.x + label + em(1), at.y + em(0.5f)}, {at.x + width - em(2), at.y + high - em(1.5f)}};
    ImGui::InvisibleButton("tries", {std::max(em(8), width), high});
    draw_axes(list, axes);
    const auto place = [&](const std::pair<const Try, double>& one) {
        return ImVec2{axes.x_of(double(one.first.bytes)), axes.y_of(one.second)};
    };
    const std::pair<const Try, double>* before = nullptr;
    const std::pair<const Try, double>* under = nullptr;
    for (const auto& one : tries.all()) {
        const bool same = before != nullptr && before->first.source == one.first.source &&
                          before->first.pieces == one.first.pieces;
        if (same)
            list->AddLine(place(*before), place(one), with_alpha(colour_of(one.first.source), 0.6f),
                          em(0.1f));
        before = &one;
    }
    for (const auto& one : tries.all()) {
        const ImVec2 p = place(one), mouse = ImGui::GetMousePos();
        const bool is_last = !(one.first < tries.last()) && !(tries.last() < one.first);
        draw_mark(list, p, one.first.source, em(0.32f), colour_of(one.first.source));
        if (is_last) list->AddCircle(p, em(0.7f), palette().text, 0, em(0.1f));
        if (ImGui::IsItemHovered() && std::abs(mouse.x - p.x) < em(0.6f) &&
            std::abs(mouse.y - p.y) < em(0.6f))
            under = &one;
    }
    LegendEntry entries[] = {{colour_of(Source::pageable), 0, "pageable (round)"},
                             {colour_of(Source::pinned), 0, "pinned (square)"},
                             {colour_of(Source::mapped), 0, "mapped (triangle)"}};
    draw_entries(entries);
    if (under == nullptr || !begin_hint(true)) return;
    hint_title(fmt::format("{}, {}", bytes_text(under->first.bytes), word_of(under->first.source)));
    hint_text(fmt::format("{} piece{}: {:.3g} GB/s", under->first.pieces, under->first.pieces == 1 ? "" : "s",
                          under->second));
    end_hint();
}

}  // namespace lab::lesson_08_host_memory
