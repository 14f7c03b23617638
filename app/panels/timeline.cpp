#include "app/panels/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/theme/widgets.h"

namespace lab {
namespace {

constexpr int no_line = 0;

const char* verb_of(const TimelineTask& task) {
    if (task.kind == "copy") return "Copy";
    if (task.kind == "set") return "Memset";
    if (task.kind == "host_function") return "Host function";
    if (task.kind == "library") return "Library call";
    return "Kernel";
}

}  // namespace

void TimelinePanel::load(const RunBundle& bundle) {
    choice_.load(bundle);
    choice_.all_launches();
    derive();
}

void TimelinePanel::derive() {
    rows_.clear();
    sentences_.clear();
    timeline_ = nullptr;
    for (const Timeline& t : choice_.bundle().run.timelines)
        if (t.case_index == choice_.case_index() || t.case_index < 0) timeline_ = &t;
    if (timeline_ == nullptr) return;
    axis_.show_all(timeline_->metric("total_us") * 1000);
    add_host_rows();
    add_stream_rows();
    add_engine_rows();
    find_edges();
    for (Row& row : rows_)
        std::stable_sort(row.bars.begin(), row.bars.end(),
                         [](const Bar& a, const Bar& b) { return a.begin < b.begin; });
    sentences_ = timeline_sentences(*timeline_);
    task_y_.assign(timeline_->tasks.size(), -1);
}

void TimelinePanel::add_host_rows() {
    int threads = 0;
    for (const HostStep& step : timeline_->host) threads = std::max(threads, step.thread + 1);
    threads = std::min(threads, 16);
    for (int thread = 0; thread < threads; ++thread) {
        Row row;
        row.label = threads == 1 ? "host" : fmt::format("host {}", thread);
        row.is_host = true;
        for (size_t i = 0; i < timeline_->host.size(); ++i) {
            const HostStep& step = timeline_->host[i];
            if (step.thread != thread) continue;
            row.bars.push_back({step.begin, step.end, look_of(step), step.task, int(i)});
        }
        rows_.push_back(std::move(row));
    }
}

void TimelinePanel::add_stream_rows() {
    for (const TimelineStream& stream : timeline_->streams) {
        Row row;
        row.label = stream.name;
        row.stream = stream.index;
        for (size_t i = 0; i < timeline_->tasks.size(); ++i) {
            const TimelineTask& task = timeline_->tasks[i];
            if (task.stream == stream.index && task.takes_time())
                row.bars.push_back({task.begin, task.end, look_of(task), int(i), -1, task.is_critical});
        }
        if (!row.bars.empty()) rows_.push_back(std::move(row));
    }
}

void TimelinePanel::add_engine_rows() {
    static constexpr std::pair<const char*, const char*> engines[] = {
        {"copies_to_device", "copies in"}, {"kernels", "SMs"}, {"copies_to_host", "copies out"}};
    for (const auto& [engine, label] : engines) {
        Row row;
        row.label = label;
        row.thin = true;
        for (size_t i = 0; i < timeline_->tasks.size(); ++i) {
            const TimelineTask& task = timeline_->tasks[i];
            if (task.engine == engine && task.takes_time())
                row.bars.push_back({task.begin, task.end, look_of(task), int(i)});
        }
        if (!row.bars.empty()) rows_.push_back(std::move(row));
    }
}

float TimelinePanel::row_height(const Row& row) const {
    return (row.thin ? em(0.9f) : em(1.7f)) * stretch_;
}

float TimelinePanel::height_for(float, float most) {
    float rows = em(8.5f) + choice_.height();
    for (const Row& row : rows_) rows += row_height(row) + em(0.35f);
    return std::min(most, rows + em(1.5f) * float(sentences_.size()));
}

std::string TimelinePanel::label_of(const Bar& bar) const {
    if (bar.step >= 0) {
        const HostStep& step = timeline_->host[size_t(bar.step)];
        if (step.what == "waits") return "waits";
        if (step.what != "queues" || step.task < 0) return step.call;
        const TimelineTask& queued = timeline_->tasks[size_t(step.task)];
        return queued.kind == "kernel" ? "launch" : queued.kind == "library" ? queued.name : queued.kind;
    }
    return label_of_task(timeline_->tasks[size_t(bar.task)]);
}

void TimelinePanel::draw_bar(const Bar& bar, ImVec2 from, ImVec2 to, bool lit, bool thin) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 colour = colour_of(bar.look);
    const float rounding = std::min(em(0.2f), (to.x - from.x) / 2);
    // What runs side by side on one engine shines through.
    const float solid = thin ? 0.6f : 1;
    list->AddRectFilled(from, to, with_alpha(lit ? mix(colour, palette().text, 0.25f) : colour, solid),
                        rounding);
    if (bar.critical) list->AddRect(from, to, palette().warn, rounding, em(0.14f));
    if (thin) return;
    std::string text = label_of(bar);
    const float pixels = std::min(em(0.8f), (to.y - from.y) * 0.62f), room = to.x - from.x - em(0.3f);
    const auto wide_of = [&](const std::string& words) { return text_size(Face::text, pixels, words).x; };
    if (bar.look == Look::kernel) {  // which of several launches
        const std::string longer = fmt::format("{}, line {}", text, timeline_->tasks[size_t(bar.task)].line);
        if (wide_of(longer) <= room) text = longer;
    }
    const float wide = wide_of(text);
    if (text.empty() || wide > room) return;
    const bool quiet = bar.look == Look::waits;
    draw_text(list, Face::text, pixels, {(from.x + to.x - wide) / 2, (from.y + to.y) / 2 - pixels * 0.6f},
              quiet ? palette().dim : palette().background, text);
}

void TimelinePanel::draw_row(const View& view, const Row& row, float y, Cursor& cursor) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float high = row_height(row), left = view.at.x + view.label, right = view.at.x + view.width;
    const float pixels = row.thin ? em(0.72f) : em(0.85f);
    std::string label = row.label;
    while (label.size() > 3 && text_size(Face::text, pixels, label).x > view.label - em(0.5f))
        label.pop_back();
    draw_text(list, Face::text, pixels, {view.at.x, y + (high - pixels * 1.25f) / 2},
              row.thin ? palette().faint : palette().dim, label);
    list->AddRectFilled({left, y}, {right, y + high}, with_alpha(palette().raised, row.thin ? 0.5f : 1),
                        em(0.2f));
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool over = ImGui::IsItemHovered() && mouse.y >= y && mouse.y < y + high;
    for (const Bar& bar : row.bars) {
        const float begin = std::max(left, axis_.x_of(double(bar.begin)));
        const float end = std::min(right, std::max(begin + 2, axis_.x_of(double(bar.end))));
        if (bar.task >= 0 && row.stream >= 0) task_y_[size_t(bar.task)] = y + high / 2;
        if (axis_.x_of(double(bar.end)) < left || begin >= right) continue;
        // Specks of host code between two calls.
        if (bar.look == Look::works && axis_.x_of(double(bar.end)) - axis_.x_of(double(bar.begin)) < 1)
            continue;
        const int line =
            bar.step >= 0 ? timeline_->host[size_t(bar.step)].line : timeline_->tasks[size_t(bar.task)].line;
        const bool hovered = over && mouse.x >= begin && mouse.x < end;
        const bool lit = hovered || (line != no_line && cursor.line == line && bar.look != Look::waits);
        const float inset = row.thin ? 1 : em(0.12f);
        draw_bar(bar, {begin, y + inset}, {end, y + high - inset}, lit, row.thin);
        if (!hovered) continue;
        explain(bar);
        if (line == no_line || cursor.pinned) continue;
        choice_.put_into(cursor);
        cursor.line = line;
        cursor.pointed = true;
    }
}

// From the end of a task to the begin of one in another stream that waited for it, through the events between.
void TimelinePanel::find_edges() {
    edges_.clear();
    const auto& tasks = timeline_->tasks;
    // For each task: what takes time last in its stream up to it, and first from it on.
    std::vector<int> last(tasks.size(), -1), first(tasks.size(), -1);
    std::map<int, int> in_stream;
    for (size_t i = 0; i < tasks.size(); ++i) {
        int& worker = in_stream.try_emplace(tasks[i].stream, -1).first->second;
        if (tasks[i].takes_time()) worker = int(i);
        last[i] = worker;
    }
    in_stream.clear();
    for (size_t i = tasks.size(); i-- > 0;) {
        int& worker = in_stream.try_emplace(tasks[i].stream, -1).first->second;
        if (tasks[i].takes_time()) worker = int(i);
        first[i] = worker;
    }
    for (size_t i = 0; i < tasks.size(); ++i)
        for (const int before : tasks[i].after) {
            const int from = last[size_t(before)], to = first[i];
            // What the host queued after the end had no need to wait.
            if (from >= 0 && to >= 0 && tasks[size_t(from)].end > tasks[size_t(to)].queued)
                edges_.push_back({from, to});
        }
}

void TimelinePanel::draw_edges(const View& view) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float left = view.at.x + view.label, right = view.at.x + view.width;
    for (const Edge& edge : edges_) {
        const float y0 = task_y_[size_t(edge.from)], y1 = task_y_[size_t(edge.to)];
        if (y0 < 0 || y1 < 0 || y0 == y1) continue;
        const ImVec2 a{axis_.x_of(double(timeline_->tasks[size_t(edge.from)].end)), y0},
            b{axis_.x_of(double(timeline_->tasks[size_t(edge.to)].begin)), y1};
        if (b.x < left || a.x > right) continue;
        const float bend = std::max(em(0.6f), (b.x - a.x) / 2);
        list->AddBezierCubic(a, {a.x + bend, a.y}, {b.x - bend, b.y}, b, with_alpha(palette().text, 0.7f),
                             std::max(1.5f, em(0.09f)));
        list->AddTriangleFilled(b, {b.x - em(0.4f), b.y - em(0.25f)}, {b.x - em(0.4f), b.y + em(0.25f)},
                                palette().text);
    }
}

void TimelinePanel::explain(const Bar& bar) const {
    if (!begin_hint()) return;
    if (bar.step >= 0) {
        const HostStep& step = timeline_->host[size_t(bar.step)];
        const bool queues = step.what == "queues" && step.task >= 0;
        const std::string call = queues ? timeline_->tasks[size_t(step.task)].name : step.call;
        hint_title(step.what == "waits" ? "The host waits"
                   : queues             ? fmt::format("The host calls {}", call)
                   : call.empty()       ? "The program's own code"
                                        : fmt::format("The host is in {}", call));
        if (step.line > 0) hint_text(fmt::format("line {}", step.line), palette().dim);
        hint_text(span_text(step.begin, step.end));
        return end_hint();
    }
    const TimelineTask& task = timeline_->tasks[size_t(bar.task)];
    hint_title(task.kind == "kernel" ? fmt::format("Kernel {}", task.name)
                                     : fmt::format("{}: {}", verb_of(task), task.name));
    const std::string queued =
        task.graph == 0
            ? fmt::format("queued at line {}", task.line)
            : fmt::format("node of line {}, in the graph launched at line {}", task.line, task.graph_line);
    hint_text(fmt::format("{}, {}", queued, duration_text(double(task.queued))), palette().dim);
    hint_text(span_text(task.begin, task.end));
    if (task.bytes != 0)
        hint_text(fmt::format("{}, {:.1f} GB/s{}", size_text(task.bytes),
                              double(task.bytes) / double(std::max<int64_t>(1, task.end - task.begin)),
                              task.is_pageable ? ", from or to pageable memory" : ""));
    if (task.is_critical)
        hint_text("on the critical path: were it shorter, the end would come sooner", palette().warn);
    end_hint();
}

void TimelinePanel::draw_legend() const {
    static constexpr std::pair<Look, const char*> words[] = {
        {Look::to_device, "copy in"},   {Look::kernel, "kernel"},           {Look::to_host, "copy out"},
        {Look::on_device, "on device"}, {Look::host_function, "host code"}, {Look::calls, "call"},
        {Look::waits, "wait"}};
    bool used[8] = {}, critical = false;
    for (const Row& row : rows_)
        for (const Bar& bar : row.bars) {
            if (bar.look == Look::works && double(bar.end - bar.begin) < axis_.total() / 500) continue;
            used[size_t(bar.look == Look::works ? Look::host_function : bar.look)] = true;
            critical = critical || bar.critical;
        }
    std::vector<LegendEntry> entries;
    for (const auto& [look, word] : words)
        if (used[size_t(look)]) entries.push_back({colour_of(look), 0, word});
    if (critical) entries.push_back({palette().surface, palette().warn, "on the critical path"});
    draw_entries(entries);
}

void TimelinePanel::draw(Cursor& cursor) {
    if (choice_.draw()) derive();
    if (timeline_ == nullptr || rows_.empty()) {
        wrapped_text(Face::text, em(), palette().dim, "Nothing was queued on the device in this run.");
        return;
    }
    section_title("Timeline", fmt::format("a model of an {}, not a measurement", timeline_->device));
    stretch_ = 1;
    float high = em(1.6f);
    for (const Row& row : rows_) high += row_height(row) + em(0.35f);
    View view{ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail().x, em(5)};
    for (const Row& row : rows_)
        view.label = std::max(view.label, text_size(Face::text, em(0.85f), row.label).x + em(0.8f));
    view.label = std::min(view.label, view.width * 0.28f);
    // Where there is room to spare, the rows take some of it; where there is too little, they give some.
    const float spare = ImGui::GetContentRegionAvail().y - high - em(1.5f) * float(sentences_.size() + 3);
    stretch_ = spare < 0 ? std::max(0.55f, 1 + spare / high) : std::min(1.6f, 1 + spare / (2 * high));
    high = em(1.6f);
    for (const Row& row : rows_) high += row_height(row) + em(0.35f);
    ImGui::InvisibleButton("timeline", {std::max(em(4), view.width), high});
    axis_.place(view.at.x + view.label, view.at.x + view.width);
    axis_.zoom();
    axis_.draw(view.at.y, view.at.y + high);
    float y = view.at.y + em(1.4f);
    for (const Row& row : rows_) {
        draw_row(view, row, y, cursor);
        y += row_height(row) + em(0.35f);
    }
    draw_edges(view);
    draw_legend();
    for (const std::string& sentence : sentences_)
        wrapped_text(Face::text, em(0.9f), palette().text, sentence);
}

}  // namespace lab
