// Engines and streams: which chunk is in which engine when, how much of that lies behind something else, and what the
// end waited for, with the reason of each wait.
//
// Options of a ```panel block: case = a part of a case's name.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/panels/panel.h"
#include "app/panels/run_choice.h"
#include "app/theme/widgets.h"
#include "lessons/09_streams/panel_chart.h"

namespace lab::lesson_09_streams {
namespace {

constexpr size_t most_steps = 24;  // of the path that are named

class EnginesAndStreams : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive();
    int case_to_show() const;
    void draw_meter() const;
    int draw_path(int lit);
    float path_height(float width) const;
    float step_width(size_t i) const;
    void explain(int task) const;
    void walk_with_keys();
    void point_at(Cursor& cursor, int task);

    RunChoice choice_;
    Scene scene_;
    Chart chart_;
    int under_ = -1;  // the mouse is on it
    int held_ = -1;   // a click or the arrow keys stay on it
};

const Timeline* timeline_of(const Run& run, int case_index) {
    for (const Timeline& timeline : run.timelines)
        if (timeline.case_index == case_index || timeline.case_index < 0) return &timeline;
    return nullptr;
}

// Of a run that passed: the case in which most runs behind something else.
int EnginesAndStreams::case_to_show() const {
    const Run& run = choice_.bundle().run;
    int best = choice_.case_index();
    double most = -1;
    for (const Timeline& timeline : run.timelines)
        if (timeline.case_index >= 0 && timeline.metric("overlap_us") > most) {
            most = timeline.metric("overlap_us");
            best = timeline.case_index;
        }
    return best;
}

void EnginesAndStreams::load(const RunBundle& bundle) {
    choice_.load(bundle);
    choice_.all_launches();
    if (bundle.run.passed) choice_.choose_case(case_to_show());
    derive();
}

void EnginesAndStreams::derive() {
    under_ = held_ = -1;
    const Timeline* timeline = timeline_of(choice_.bundle().run, choice_.case_index());
    scene_ = timeline != nullptr ? scene_of(*timeline) : Scene{};
    chart_.load(scene_);
}

// Step i of the path in words, with why it did not begin earlier where that is new.
struct StepWords {
    std::string name, why;
};
StepWords step_words(const Scene& scene, size_t i) {
    const auto why = [&](size_t step) { return scene.held[size_t(scene.path[step])].why; };
    const bool is_new = i == 0 || why(i) != why(i - 1);
    return {short_name_of(scene, scene.path[i]), is_new ? words_of(why(i)) : ""};
}

float EnginesAndStreams::step_width(size_t i) const {
    const StepWords words = step_words(scene_, i);
    const float why = words.why.empty() ? 0 : text_size(Face::text, em(0.78f), words.why).x + em(1.2f);
    return why + text_size(Face::bold, em(0.8f), words.name).x + em(1.2f);
}

float EnginesAndStreams::path_height(float width) const {
    float x = 0, lines = 1;
    for (size_t i = 0; i < std::min(most_steps, scene_.path.size()); ++i) {
        const float wide = step_width(i);
        if (x + wide > width && x > 0) {
            x = 0;
            ++lines;
        }
        x += wide + em(0.2f);
    }
    return lines * em(1.75f);
}

float EnginesAndStreams::height_for(float width, float most) {
    if (scene_.timeline == nullptr) return std::min(most, choice_.height() + em(3));
    const float gaps = 7 * ImGui::GetStyle().ItemSpacing.y;
    return std::min(
        most, choice_.height() + em(1.5f + 2.6f + 1.5f + 1.5f) + chart_.height() + path_height(width) + gaps);
}

// How much of what could overlap does, as a bar and in words.
void EnginesAndStreams::draw_meter() const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, pixels = em(0.92f);
    float x = at.x;
    if (scene_.overlap_pct >= 0) {
        const float part = float(std::clamp(scene_.overlap_pct / 100, 0., 1.)), wide = em(5.5f);
        const ImVec2 from{x, at.y + em(0.25f)}, to{x + wide, at.y + em(1.0f)};
        list->AddRectFilled(from, to, palette().idle, em(0.2f));
        if (part > 0)
            list->AddRectFilled(from, {from.x + part * wide, to.y},
                                part > 0.5f ? palette().good : palette().warn, em(0.2f));
        list->AddRect(from, to, palette().border, em(0.2f));
        x = to.x + em(0.6f);
        x += draw_text(list, Face::bold, pixels, {x, at.y}, palette().text,
                       fmt::format("{:.0f} % overlap", scene_.overlap_pct)) +
             em(0.8f);
    }
    const std::string summary = summary_of(scene_);
    ImGui::SetCursorScreenPos({x, at.y});
    wrapped_text(Face::text, em(0.88f), palette().dim, summary, std::max(em(6), at.x + room - x));
    const float end = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos({at.x, std::max(end, at.y + em(1.5f))});
    ImGui::Dummy({1, 1});
}

// The critical path, step by step, each behind the reason of its wait. Returns the step's task under the mouse.
int EnginesAndStreams::draw_path(int lit) {
    section_title("What the end waited for", "before each, why; arrow keys walk along it");
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, high = em(1.45f);
    const bool clicked = ImGui::InvisibleButton("path", {room, path_height(room)});
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 mouse = ImGui::GetMousePos();
    float x = at.x, y = at.y;
    int under = -1;
    for (size_t i = 0; i < std::min(most_steps, scene_.path.size()); ++i) {
        const int task = scene_.path[i];
        const StepWords words = step_words(scene_, i);
        const float wide = step_width(i);
        if (x + wide > at.x + room && x > at.x) {
            x = at.x;
            y += em(1.75f);
        }
        const float small = em(0.78f), bold = em(0.8f);
        float chip = x;
        if (!words.why.empty()) {
            chip += draw_text(list, Face::text, small, {x, y + (high - small * 1.25f) / 2}, palette().dim,
                              words.why);
            draw_arrow(list, {chip + em(0.6f), y + high / 2}, em(0.26f), palette().dim);
            chip += em(1.2f);
        }
        const ImVec2 from{chip, y}, to{x + wide - em(0.3f), y + high};
        const bool over = hovered && mouse.x >= x && mouse.x < to.x && mouse.y >= y && mouse.y < to.y;
        if (over) under = task;
        list->AddRectFilled(from, to, task == lit ? palette().warn_soft : palette().raised, em(0.2f));
        list->AddRect(from, to, task == lit ? palette().warn : palette().text, em(0.2f),
                      em(task == lit ? 0.16f : 0.1f));
        const float name_wide = text_size(Face::bold, bold, words.name).x;
        draw_text(list, Face::bold, bold, {(from.x + to.x - name_wide) / 2, y + (high - bold * 1.25f) / 2},
                  palette().text, words.name);
        x += wide + em(0.2f);
    }
    if (clicked) held_ = under == held_ ? -1 : under;
    if (scene_.path.size() > most_steps)
        wrapped_text(Face::text, em(0.82f), palette().dim,
                     fmt::format("... and {} more",
                                 plural(int64_t(scene_.path.size() - most_steps), "step", "steps")));
    return under;
}

void EnginesAndStreams::explain(int id) const {
    if (!begin_hint()) return;
    const TimelineTask& task = scene_.task(id);
    const Held& held = scene_.held[size_t(id)];
    std::string title = name_of(scene_, id);
    title[0] = char(std::toupper(title[0]));
    hint_title(title);
    hint_text(fmt::format("line {}, in {}", task.line, stream_name(*scene_.timeline, task.stream)));
    hint_text(span_text(task.begin, task.end));
    if (task.bytes != 0)
        hint_text(fmt::format("{}, {:.1f} GB/s{}", size_text(task.bytes),
                              double(task.bytes) / double(std::max<int64_t>(1, task.end - task.begin)),
                              task.is_pageable ? ", pageable memory" : ""));
    hint_text(fmt::format("It began {} after its call. {}", duration_text(double(held.ns)),
                          sentence_of(scene_, id)),
              palette().text);
    if (task.is_critical)
        hint_text("On the critical path: were it shorter, the end would come sooner.", palette().warn);
    end_hint();
}

// Left and right walk along the critical path.
void EnginesAndStreams::walk_with_keys() {
    if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) || ImGui::GetIO().WantTextInput) return;
    const int step = ImGui::IsKeyPressed(ImGuiKey_RightArrow) - ImGui::IsKeyPressed(ImGuiKey_LeftArrow);
    if (ImGui::IsKeyPressed(ImGuiKey_Escape)) held_ = -1;
    if (step == 0 || scene_.path.empty()) return;
    const auto now = std::find(scene_.path.begin(), scene_.path.end(), held_);
    const auto last = std::ptrdiff_t(scene_.path.size()) - 1;
    const std::ptrdiff_t at = now == scene_.path.end()
                                  ? (step > 0 ? 0 : last)
                                  : std::clamp(now - scene_.path.begin() + step, std::ptrdiff_t{0}, last);
    held_ = scene_.path[size_t(at)];
}

void EnginesAndStreams::point_at(Cursor& cursor, int id) {
    const int line = scene_.task(id).line;
    if (cursor.pinned || line == 0) return;
    choice_.put_into(cursor);
    cursor.line = line;
    cursor.pointed = true;
}

void EnginesAndStreams::draw(Cursor& cursor) {
    if (choice_.draw()) derive();
    if (scene_.timeline == nullptr)
        return wrapped_text(Face::text, em(), palette().dim, "Nothing was queued on the device in this run.");
    walk_with_keys();
    section_title("Engines and streams",
                  fmt::format("a model of an {}, not a measurement", scene_.timeline->device));
    draw_meter();
    const int lit = under_ >= 0 ? under_ : held_;
    const float below = em(1.3f + 1.45f + 0.4f) + 4 * ImGui::GetStyle().ItemSpacing.y +
                        path_height(ImGui::GetContentRegionAvail().x);
    const float room = std::max(chart_.height() * 0.8f, ImGui::GetContentRegionAvail().y - below);
    const int line = choice_.holds(cursor) || cursor.run == 0 ? cursor.line : 0;
    int under = chart_.draw(scene_, lit, lit >= 0 ? 0 : line, room);
    if (under >= 0 && ImGui::IsItemClicked()) held_ = under == held_ ? -1 : under;
    chart_.draw_legend();
    if (const int step = draw_path(lit); step >= 0) under = step;
    under_ = under;
    if (under_ < 0) return;
    explain(under_);
    point_at(cursor, under_);
}

}  // namespace

const char* panel_title() {
    return "Engines and streams";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<EnginesAndStreams>();
}

}  // namespace lab::lesson_09_streams
