// Transfer lab: the host and the engines of a run over time, where the host was kept in a call and where it was free, and
// what came of the sizes, memories and pieces that were tried.
//
// Options of a ```panel block: case = a part of a case's name.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/panels/panel.h"
#include "app/panels/run_choice.h"
#include "app/theme/widgets.h"
#include "lessons/08_host_memory/panel_chart.h"

namespace lab::lesson_08_host_memory {
namespace {

class TransferLab : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive() {
        under_ = {};
        scene_ = scene_of(choice_.bundle().run, choice_.case_index());
        chart_.load(scene_);
    }
    bool shows_tries() const { return choice_.bundle().origin == "try" && !tries_.all().empty(); }
    void draw_meter() const;
    void explain_bar(const HostBar& bar) const;
    void explain_task(int id) const;
    void point_at(Cursor& cursor, int line) const;

    RunChoice choice_;
    Scene scene_;
    Chart chart_;
    Tries tries_;  // while the lesson is open
    Under under_;
};

// Of a run that passed, the case that is about the lesson's question: the longest one with pinned memory.
int case_of_choice(const Run& run, int otherwise) {
    uint64_t most = 0;
    for (const Timeline& timeline : run.timelines) {
        const Scene scene = scene_of(run, timeline.case_index);
        if (timeline.case_index < 0 || scene.source != Source::pinned || scene.bytes <= most) continue;
        most = scene.bytes;
        otherwise = timeline.case_index;
    }
    return otherwise;
}

void TransferLab::load(const RunBundle& bundle) {
    choice_.all_launches();
    choice_.all_queues();
    choice_.load(bundle);
    if (bundle.run.passed) choice_.choose_case(case_of_choice(bundle.run, choice_.case_index()));
    derive();
    if (bundle.origin == "try") tries_.note(scene_);
}

float TransferLab::height_for(float width, float most) {
    if (scene_.timeline == nullptr) return std::min(most, choice_.height() + em(3));
    const float gaps = 6 * ImGui::GetStyle().ItemSpacing.y;
    return std::min(most, choice_.height() + em(1.5f + 3.0f + (width > em(44) ? 1.2f : 2.8f)) +
                              chart_.height() + gaps + (shows_tries() ? TriesChart::height() : 0));
}

// How much of the host's time was its own.
void TransferLab::draw_meter() const {
    wrapped_text(Face::bold, em(0.95f), palette().text, arrival_text(scene_) + ".");
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const int64_t all = std::max<int64_t>(1, scene_.blocked + scene_.free + scene_.allocates);
    const float wide = em(7), split = wide * float(scene_.blocked) / float(all);
    const ImVec2 from{at.x, at.y + em(0.25f)}, to{at.x + wide, at.y + em(1.05f)};
    list->AddRectFilled(from, to, colour_of(Host::works), em(0.2f));
    list->AddRectFilled(from, {from.x + split, to.y}, colour_of(Host::blocked), em(0.2f));
    list->AddRect(from, to, palette().border, em(0.2f));
    ImGui::SetCursorScreenPos({to.x + em(0.6f), at.y});
    std::string words = fmt::format("host blocked {}, host free {}", duration_text(double(scene_.blocked)),
                                    duration_text(double(scene_.free)));
    if (scene_.allocates != 0)
        words += fmt::format(", in allocations {}", duration_text(double(scene_.allocates)));
    wrapped_text(Face::text, em(0.92f), palette().text, words);
    const float end = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos({at.x, std::max(end, at.y + em(1.4f))});
    ImGui::Dummy({1, 1});
}

void TransferLab::explain_bar(const HostBar& bar) const {
    if (!begin_hint()) return;
    const bool has_task = bar.task >= 0;
    const std::string of = has_task ? name_of(scene_, bar.task) : "";
    switch (bar.what) {
        case Host::blocked:
            hint_title(fmt::format("The host stands in the call of {}", of));
            if (has_task && scene_.task(bar.task).is_pageable)
                hint_text(
                    "The memory is pageable: the driver copies it to pinned memory of its own, and the host "
                    "waits.",
                    palette().warn);
            break;
        case Host::works:
            hint_title("The host does its own work");
            break;
        case Host::allocates:
            hint_title(fmt::format("The host is in {}", bar.call));
            break;
        default:
            hint_title(fmt::format("The host waits in {}", bar.call));
            hint_text("It asked to. It could have done something else until here.");
    }
    if (bar.line > 0) hint_text(fmt::format("line {}", bar.line));
    hint_text(span_text(bar.begin, bar.end));
    end_hint();
}

void TransferLab::explain_task(int id) const {
    if (!begin_hint()) return;
    const TimelineTask& task = scene_.task(id);
    hint_title(name_of(scene_, id));
    hint_text(fmt::format("line {}, {}", task.line, span_text(task.begin, task.end)));
    if (task.bytes != 0)
        hint_text(fmt::format("{}, {:.3g} GB/s while it ran", bytes_text(task.bytes),
                              double(task.bytes) / double(std::max<int64_t>(1, task.end - task.begin))));
    hint_text(fmt::format("It began {} after its call had come back.",
                          duration_text(double(std::max<int64_t>(0, task.begin - task.queued)))));
    if (task.is_pageable) hint_text("From or to pageable memory.", palette().warn);
    end_hint();
}

void TransferLab::point_at(Cursor& cursor, int line) const {
    if (cursor.pinned || line == 0) return;
    choice_.put_into(cursor);
    cursor.line = line;
    cursor.pointed = true;
}

void TransferLab::draw(Cursor& cursor) {
    if (choice_.draw()) derive();
    if (scene_.timeline == nullptr)
        return wrapped_text(Face::text, em(), palette().dim,
                            "Nothing travelled in this run: no copy was queued, and no kernel.");
    section_title("Transfer lab",
                  fmt::format("times of a model of an {}, not measured", scene_.timeline->device));
    draw_meter();
    const int line = choice_.holds(cursor) || cursor.run == 0 ? cursor.line : 0;
    under_ = chart_.draw(scene_, under_, line);
    const Under under = under_;
    Chart::draw_legend(scene_);
    if (shows_tries()) TriesChart().draw(tries_);
    if (under.bar >= 0) {
        explain_bar(scene_.host[size_t(under.bar)]);
        point_at(cursor, scene_.host[size_t(under.bar)].line);
    } else if (under.task >= 0) {
        explain_task(under.task);
        point_at(cursor, scene_.task(under.task).line);
    }
}

}  // namespace

const char* panel_title() {
    return "Transfer lab";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<TransferLab>();
}

}  // namespace lab::lesson_08_host_memory
