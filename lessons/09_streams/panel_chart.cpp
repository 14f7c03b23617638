#include "lessons/09_streams/panel_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/cells.h"
#include "app/theme/widgets.h"

namespace lab::lesson_09_streams {
namespace {

constexpr float gap = 0.35f, between_kinds = 0.55f, gutter = 3.1f;  // in em
constexpr size_t most_streams_shown = 24;

}  // namespace

float Chart::head() {
    return em(1.5f);
}

float Chart::height_of(const Row& row, float stretch) {
    return em(row.kind == Kind::host ? 1.1f : 1.55f) * stretch;
}

float Chart::rows_height(float stretch) const {
    float high = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
        const bool other = i > 0 && rows_[i].kind != rows_[i - 1].kind;
        high += height_of(rows_[i], stretch) + em(gap) + (other ? em(between_kinds) : 0);
    }
    return high;
}

void Chart::add_host() {
    Row row{Kind::host, "host", "", {}};
    for (const HostStep& step : timeline_->host) {
        if (step.thread != 0 || look_of(step) == TimelineLook::works) continue;
        row.bars.push_back({step.begin, step.end, look_of(step), -1, step.line});
    }
    if (!row.bars.empty()) rows_.push_back(std::move(row));
}

void Chart::add_row(Kind kind, const std::string& label, const std::vector<int>& tasks) {
    Row row{kind, label, "", {}};
    for (const int id : tasks) {
        const TimelineTask& task = timeline_->tasks[size_t(id)];
        row.bars.push_back({task.begin, task.end, look_of(task), id, task.line});
    }
    std::stable_sort(row.bars.begin(), row.bars.end(),
                     [](const Bar& a, const Bar& b) { return a.begin < b.begin; });
    if (!row.bars.empty()) rows_.push_back(std::move(row));
}

void Chart::load(const Scene& scene) {
    rows_.clear();
    timeline_ = scene.timeline;
    if (timeline_ == nullptr) return;
    axis_.show_all(timeline_->metric("total_us") * 1000);
    add_host();
    const auto tasks_where = [&](auto is_meant) {
        std::vector<int> tasks;
        for (const TimelineTask& task : timeline_->tasks)
            if (task.takes_time() && is_meant(task)) tasks.push_back(task.id);
        return tasks;
    };
    for (const TimelineStream& stream : timeline_->streams)
        if (rows_.size() <= most_streams_shown)
            add_row(Kind::stream, stream.name,
                    tasks_where([&](const TimelineTask& task) { return task.stream == stream.index; }));
    for (const EngineUse& engine : scene.engines) {
        const size_t before = rows_.size();
        add_row(Kind::engine, engine.label,
                tasks_where([&](const TimelineTask& task) { return task.engine == engine.name; }));
        if (rows_.size() > before && scene.device_us > 0)
            rows_.back().busy = fmt::format("{:.0f} %", 100 * engine.busy_us / scene.device_us);
    }
}

float Chart::y_of(const Scene& scene, int task) const {
    for (const Row& row : rows_)
        if (row.kind == Kind::stream && !row.bars.empty() && row.bars.front().task >= 0 &&
            scene.task(row.bars.front().task).stream == scene.task(task).stream)
            return row.y + height_of(row, stretch_) / 2;
    return -1;
}

void Chart::draw_bar(const Scene& scene, const Row& row, const Bar& bar, int lit, int line) const {
    const float begin = std::max(axis_.left(), axis_.x_of(double(bar.begin)));
    const float end = std::min(axis_.right(), std::max(begin + 2, axis_.x_of(double(bar.end))));
    if (axis_.x_of(double(bar.end)) < axis_.left() || begin >= axis_.right()) return;
    const float inset = em(0.1f);
    const ImVec2 from{begin, row.y + inset}, to{end, row.y + height_of(row, stretch_) - inset};
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int chunk = bar.task < 0 ? -1 : scene.chunk[size_t(bar.task)];
    const bool other = lit >= 0 && (chunk < 0 || chunk != scene.chunk[size_t(lit)]);
    const bool of_line = line > 0 && bar.line == line && bar.look != TimelineLook::waits;
    ImU32 colour = colour_of(bar.look);
    if (bar.task == lit && lit >= 0) colour = mix(colour, palette().text, 0.25f);
    if (other && !of_line) colour = mix(palette().raised, colour, 0.4f);
    const float rounding = std::min(em(0.2f), (to.x - from.x) / 2);
    list->AddRectFilled(from, to, colour, rounding);
    if (bar.task >= 0 && scene.task(bar.task).is_critical)
        list->AddRect(from, to, palette().text, rounding, em(0.16f));
    std::string text;
    if (bar.task >= 0)
        text = row.kind == Kind::stream ? short_name_of(scene, bar.task)
               : chunk >= 0             ? std::to_string(chunk)
                                        : "";
    if (bar.look == TimelineLook::waits) text = "waits";
    const float pixels = std::min(em(0.78f), (to.y - from.y) * 0.68f), room = to.x - from.x - em(0.3f);
    if (text_size(Face::text, pixels, text).x > room && chunk >= 0) text = std::to_string(chunk);
    const float wide = text_size(Face::text, pixels, text).x;
    if (text.empty() || wide > room) return;
    const bool quiet = bar.look == TimelineLook::waits || (other && !of_line);
    draw_text(list, Face::text, pixels, {(from.x + to.x - wide) / 2, (from.y + to.y) / 2 - pixels * 0.6f},
              quiet ? palette().dim : palette().background, text);
}

void Chart::draw_row(const Scene& scene, const Row& row, int lit, int line) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float high = height_of(row, stretch_), pixels = em(0.85f);
    std::string label = row.label;
    while (label.size() > 3 && text_size(Face::text, pixels, label).x > label_ - em(0.5f)) label.pop_back();
    const float middle = row.y + (high - pixels * 1.25f) / 2;
    draw_text(list, Face::text, pixels, {at_.x, middle}, palette().dim, label);
    list->AddRectFilled({axis_.left(), row.y}, {axis_.right(), row.y + high},
                        with_alpha(palette().raised, row.kind == Kind::host ? 0.6f : 1), em(0.2f));
    for (const Bar& bar : row.bars) draw_bar(scene, row, bar, lit, line);
    if (!row.busy.empty())
        draw_text(list, Face::text, pixels, {axis_.right() + em(0.4f), middle}, palette().text, row.busy);
}

// From bar to bar of what the end waited for.
void Chart::draw_path(const Scene& scene) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect({axis_.left(), at_.y}, {axis_.right(), at_.y + head() + rows_height(stretch_)}, true);
    for (size_t i = 1; i < scene.path.size(); ++i) {
        const float y0 = y_of(scene, scene.path[i - 1]), y1 = y_of(scene, scene.path[i]);
        if (y0 < 0 || y1 < 0) continue;
        const ImVec2 a{axis_.x_of(double(scene.task(scene.path[i - 1]).end)), y0},
            b{axis_.x_of(double(scene.task(scene.path[i]).begin)), y1};
        list->AddLine(a, b, palette().text, em(0.16f));
    }
    list->PopClipRect();
}

// The time between its call and its begin, hatched in its stream's row.
void Chart::draw_wait(const Scene& scene, int task) const {
    const TimelineTask& t = scene.task(task);
    const float y = y_of(scene, task);
    if (y < 0) return;
    const float from = std::max(axis_.left(), axis_.x_of(double(t.queued)));
    const float to = std::min(axis_.right(), axis_.x_of(double(t.begin)));
    if (to - from < 3) return;
    const float half = em(0.28f) * stretch_;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled({from, y - half}, {to, y + half}, with_alpha(palette().surface, 0.8f));
    draw_hatch(list, {from, y - half}, {to, y + half}, palette().text);
    list->AddRect({from, y - half}, {to, y + half}, palette().text);
}

int Chart::under_mouse() const {
    if (!ImGui::IsItemHovered()) return -1;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const Row& row : rows_) {
        if (mouse.y < row.y || mouse.y >= row.y + height_of(row, stretch_)) continue;
        int found = -1;  // of bars that lie on each other, the last
        for (const Bar& bar : row.bars) {
            const float begin = axis_.x_of(double(bar.begin));
            if (mouse.x >= begin && mouse.x < std::max(begin + 2, axis_.x_of(double(bar.end))))
                found = bar.task;
        }
        return found;
    }
    return -1;
}

int Chart::draw(const Scene& scene, int lit, int line, float room) {
    at_ = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    label_ = em(4);
    for (const Row& row : rows_)
        label_ = std::max(label_, text_size(Face::text, em(0.85f), row.label).x + em(0.8f));
    label_ = std::min(label_, width * 0.28f);
    stretch_ = std::clamp((room - head()) / std::max(1.f, rows_height(1)), 0.8f, 1.5f);
    axis_.place(at_.x + label_, at_.x + std::max(label_ + em(4), width - em(gutter)));
    const float high = head() + rows_height(stretch_);
    ImGui::InvisibleButton("engines and streams", {std::max(em(4), width), high});
    axis_.zoom();
    axis_.draw(at_.y, at_.y + high);
    float y = at_.y + head();
    for (size_t i = 0; i < rows_.size(); ++i) {
        if (i > 0 && rows_[i].kind != rows_[i - 1].kind) y += em(between_kinds);
        rows_[i].y = y;
        y += height_of(rows_[i], stretch_) + em(gap);
    }
    const int under = under_mouse();
    for (const Row& row : rows_) draw_row(scene, row, lit, line);
    draw_path(scene);
    if (lit >= 0) draw_wait(scene, lit);
    return under;
}

void Chart::draw_legend() const {
    static constexpr std::pair<TimelineLook, const char*> words[] = {
        {TimelineLook::to_device, "copy in"},    {TimelineLook::kernel, "kernel"},
        {TimelineLook::to_host, "copy out"},     {TimelineLook::on_device, "on the device"},
        {TimelineLook::calls, "the host calls"}, {TimelineLook::waits, "the host waits"}};
    std::vector<LegendEntry> entries;
    for (const auto& [look, word] : words)
        for (const Row& row : rows_)
            if (std::any_of(row.bars.begin(), row.bars.end(),
                            [&, look = look](const Bar& bar) { return bar.look == look; })) {
                entries.push_back({colour_of(look), 0, word});
                break;
            }
    entries.push_back({palette().surface, palette().text, "what the end waited for"});
    draw_entries(entries);
}

}  // namespace lab::lesson_09_streams
