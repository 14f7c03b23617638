#include "app/panels/timeline_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/theme.h"

namespace lab {
namespace {

// As duration_text, without a ".0".
std::string tick_text(double ns) {
    std::string text = ns == 0 ? "0" : duration_text(ns);
    for (const char* empty : {".00 ", ".0 "})
        if (const size_t at = text.find(empty); at != std::string::npos)
            text.erase(at, std::string(empty).size() - 1);
    return text;
}

// 1, 2 or 5 times a power of ten.
double round_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(std::max(1e-3, least))));
    for (const double factor : {1., 2., 5., 10.})
        if (power * factor >= least) return power * factor;
    return power * 10;
}

}  // namespace

TimelineLook look_of(const TimelineTask& task) {
    if (task.kind == "kernel" || task.kind == "library") return TimelineLook::kernel;
    if (task.kind == "host_function" || task.engine == "host_functions") return TimelineLook::host_function;
    if (task.engine == "copies_to_device") return TimelineLook::to_device;
    return task.engine == "copies_to_host" ? TimelineLook::to_host : TimelineLook::on_device;
}

TimelineLook look_of(const HostStep& step) {
    if (step.what == "waits") return TimelineLook::waits;
    return step.what == "queues" ? TimelineLook::calls : TimelineLook::works;
}

ImU32 colour_of(TimelineLook look) {
    const Palette& p = palette();
    switch (look) {
        case TimelineLook::to_device:
            return p.read;
        case TimelineLook::to_host:
            return p.wrote;
        case TimelineLook::on_device:
            return mix(p.cell, p.read, 0.35f);
        case TimelineLook::kernel:
            return p.accent;
        case TimelineLook::host_function:
            return p.good;
        case TimelineLook::calls:
            return p.dim;
        case TimelineLook::works:
            return p.good;
        default:
            return p.idle;
    }
}

void TimeAxis::show_all(double total_ns) {
    total_ = std::max(1., total_ns);
    first_ = 0;
    last_ = total_;
}

double TimeAxis::ns_per_pixel() const {
    return std::max(1., last_ - first_) / std::max(1., double(right_ - left_));
}

float TimeAxis::x_of(double ns) const {
    return left_ + float((ns - first_) / ns_per_pixel());
}

void TimeAxis::zoom() {
    const ImGuiIO& io = ImGui::GetIO();
    if (!ImGui::IsItemHovered()) return;
    const double span = last_ - first_;
    if (ImGui::IsMouseDoubleClicked(0)) {
        first_ = 0;
        last_ = total_;
    } else if (io.MouseWheel != 0 && io.KeyCtrl) {
        const double at = first_ + double(io.MousePos.x - left_) * ns_per_pixel();
        const double wanted =
            std::clamp(span * std::pow(0.8, double(io.MouseWheel)), std::min(50., total_), total_);
        first_ = std::clamp(at - (at - first_) * wanted / span, 0., total_ - wanted);
        last_ = first_ + wanted;
    } else if (ImGui::IsMouseDragging(0)) {
        first_ = std::clamp(first_ - double(io.MouseDelta.x) * ns_per_pixel(), 0., total_ - span);
        last_ = first_ + span;
    }
}

void TimeAxis::draw(float top, float bottom) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float pixels = em(0.72f);
    const double step = round_step(double(em(5)) * ns_per_pixel());
    for (double t = std::ceil(first_ / step) * step; t <= last_ + 1; t += step) {
        const float x = x_of(t);
        list->AddLine({x, top + em(1.1f)}, {x, bottom}, with_alpha(palette().border, 0.8f));
        const std::string text = tick_text(t);
        const float wide = text_size(Face::text, pixels, text).x;
        const float at = std::clamp(x - wide / 2, left_, std::max(left_, right_ - wide));
        draw_text(list, Face::text, pixels, {at, top}, palette().dim, text);
    }
}

void draw_entries(std::span<const LegendEntry> entries) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float pixels = em(0.78f), right = at.x + ImGui::GetContentRegionAvail().x;
    float x = at.x, y = at.y;
    for (const LegendEntry& entry : entries) {
        const float wide = em(1.1f) + text_size(Face::text, pixels, entry.word).x;
        if (x + wide > right && x > at.x) {
            x = at.x;
            y += em(1.2f);
        }
        const ImVec2 from{x, y + em(0.12f)}, to{x + em(0.8f), y + em(0.92f)};
        list->AddRectFilled(from, to, entry.fill, em(0.15f));
        if (entry.outline != 0) list->AddRect(from, to, entry.outline, em(0.15f), em(0.14f));
        draw_text(list, Face::text, pixels, {x + em(1.1f), y}, palette().dim, entry.word);
        x += wide + em(1.2f);
    }
    ImGui::Dummy({1, y - at.y + em(1.3f)});
}

std::string label_of_task(const TimelineTask& task) {
    if (task.kind == "kernel") return task.name.substr(0, task.name.find('<'));
    if (task.kind == "library") return task.name;
    if (task.kind == "host_function") return "function";
    return task.kind == "copy" || task.kind == "prefetch" ? size_text(task.bytes) : task.kind;
}

std::string size_text(uint64_t bytes) {
    if (bytes < 10'000) return fmt::format("{} bytes", bytes);
    if (bytes < (10u << 20)) return fmt::format("{:.0f} KiB", double(bytes) / 1024);
    return fmt::format("{:.0f} MiB", double(bytes) / (1 << 20));
}

std::string span_text(int64_t begin, int64_t end) {
    return fmt::format("{} to {}: {}", begin == 0 ? "0" : duration_text(double(begin)),
                       duration_text(double(end)), duration_text(double(end - begin)));
}

}  // namespace lab
