// The verdict: what `cudalab grade` says, in its words. The first failing case is open.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/app.h"
#include "app/theme/widgets.h"
#include "workbench/lessons/question.h"
#include "workbench/record/text.h"

namespace lab {
namespace {

void draw_state_icon(ImVec2 centre, const RunPtr& run, bool busy) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float r = em(0.95f);
    if (busy) {
        const float turn = float(ImGui::GetTime()) * 5;
        list->AddCircle(centre, r, palette().border, 0, em(0.2f));
        list->PathArcTo(centre, r, turn, turn + 1.8f, 16);
        list->PathStroke(palette().accent, em(0.2f));
    } else if (!run) {
        list->AddCircle(centre, r, palette().faint, 0, em(0.14f));
    } else if (run->problem.empty() && run->run.passed) {
        list->AddCircleFilled(centre, r, palette().good);
        draw_tick(list, centre, r * 0.62f, palette().surface);
    } else {
        list->AddCircleFilled(centre, r, palette().bad);
        draw_cross(list, centre, r * 0.62f, palette().surface);
    }
}

std::string first_words(const App& app, const RunPtr& run, bool busy) {
    if (busy && !run) return "Compiling and running your file ...";
    if (!run) return app.untouched_ ? "Nothing graded yet." : "Waiting for a save.";
    if (!run->problem.empty()) return run->problem;
    return run->run.headline;
}

// After a pass: the first question that is still open, else the next lesson.
void draw_way_on(App& app) {
    const LessonView& view = app.now();
    const int left = view.ticks.quizzes_all - view.ticks.quizzes_right;
    const auto open = std::find_if(view.quizzes.begin(), view.quizzes.end(),
                                   [](const QuizView& quiz) { return !quiz.right; });
    if (left > 0 && open != view.quizzes.end()) {
        const auto index = size_t(open - view.quizzes.begin());
        if (ImGui::Button(fmt::format("Go on with question {}", index + 1).c_str()))
            app.go_to("quiz/" + view.lesson.quizzes[index].id);
        app.mark("verdict/question");
        ImGui::SameLine();
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + em(0.3f));
        wrapped_text(
            Face::text, em(0.9f), palette().dim,
            left == 1 ? std::string("One question is left.") : fmt::format("{} questions are left.", left));
    } else if (app.current_ + 1 < app.lessons_.size()) {
        const std::string label = fmt::format("Next: {}", app.lessons_[app.current_ + 1].lesson.title);
        if (primary_button(label.c_str())) app.open_lesson(app.current_ + 1);
        app.mark("verdict/next lesson");
    }
}

// Code, finding and lesson on the clipboard, for a forum or an assistant.
void draw_question_button(App& app, const Run& run) {
    const double copied = app.copied_at_;
    const bool just_now = copied > 0 && ImGui::GetTime() - copied < 3;
    if (ImGui::SmallButton(just_now ? "Copied###question" : "Copy as a question###question")) {
        ImGui::SetClipboardText(as_question(app.now().lesson, run, app.code_.text).c_str());
        app.copied_at_ = ImGui::GetTime();
    }
    app.mark("verdict/copy");
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip) && begin_hint(true)) {
        hint_title("For a forum or an assistant");
        hint_text(
            "Your file, what is wrong with it and which lesson this is, as Markdown on the clipboard. It "
            "asks for an explanation, not for the solution.");
        end_hint();
    }
}

void draw_headline(App& app, const RunPtr& run, bool busy) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_state_icon({at.x + em(1), at.y + em(1.05f)}, run, busy);
    const bool good = run && run->problem.empty() && run->run.passed;
    const ImU32 colour = !run ? palette().text : good ? palette().good : palette().bad;
    const float indent = em(2.6f), width = ImGui::GetContentRegionAvail().x - indent;
    ImGui::SetCursorScreenPos({at.x + indent, at.y + em(0.2f)});
    ImGui::BeginGroup();
    wrapped_text(Face::bold, em(1.12f), busy ? palette().dim : colour, first_words(app, run, busy), width);
    app.mark("verdict/headline");
    std::string next =
        run ? run->run.next_action
            : fmt::format("Open {} in your editor, change it, and save. The verdict appears here.",
                          app.now().lesson.paths.exercise.filename().string());
    if (!run && busy) next.clear();
    if (!next.empty()) {
        const ImVec2 row = ImGui::GetCursorScreenPos();
        draw_arrow(ImGui::GetWindowDrawList(), {row.x + em(0.5f), row.y + em(0.7f)}, em(0.5f),
                   palette().accent);
        ImGui::SetCursorScreenPos({row.x + em(1.5f), row.y});
        wrapped_text(Face::text, em(), palette().text, next, width - em(1.5f));
        app.mark("verdict/next");
    }
    if (busy && run)
        wrapped_text(Face::text, em(0.88f), palette().dim,
                     "Your file has changed. Compiling and running it ...", width);
    else if (run && run->problem.empty())
        wrapped_text(Face::text, em(0.82f), palette().faint,
                     fmt::format("compiled in {:.0f} ms, run in {:.0f} ms", run->run.compile_seconds * 1000,
                                 run->run.run_seconds * 1000),
                     width);
    if (good && !busy) draw_way_on(app);
    if (run && run->problem.empty() && !good && !busy) draw_question_button(app, run->run);
    ImGui::EndGroup();
}

void draw_case(App& app, const Case& one, size_t index, bool open) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, indent = em(1.6f);
    const ImVec2 size =
        font_of(Face::text)->CalcTextSizeA(em(0.95f), FLT_MAX, width - indent, one.name.c_str());
    ImGui::PushID(int(index));
    ImGuiStorage* storage = ImGui::GetStateStorage();
    const ImGuiID key = ImGui::GetID("open");
    if (ImGui::InvisibleButton("case", {width, size.y + em(0.3f)}, ImGuiButtonFlags_EnableNav) &&
        !one.message.empty())
        storage->SetBool(key, !storage->GetBool(key, open));
    app.mark(fmt::format("verdict/case/{}", index));
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered() && !one.message.empty())
        list->AddRectFilled(at, {at.x + width, at.y + size.y + em(0.3f)}, palette().raised, em(0.3f));
    const ImVec2 centre{at.x + em(0.6f), at.y + em(0.8f)};
    if (one.passed)
        draw_tick(list, centre, em(0.42f), palette().good);
    else
        draw_cross(list, centre, em(0.42f), palette().bad);
    list->AddText(font_of(Face::text), em(0.95f), {at.x + indent, at.y + em(0.15f)},
                  one.passed ? palette().dim : palette().text, one.name.c_str(), nullptr, width - indent);
    if (!one.message.empty() && storage->GetBool(key, open)) {
        ImGui::SetCursorScreenPos({at.x + indent, ImGui::GetCursorScreenPos().y});
        wrapped_text(Face::mono, em(0.86f), palette().text, one.message, width - indent);
        app.mark(fmt::format("verdict/message/{}", index));
        ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
        ImGui::Dummy({1, 1});
    }
    ImGui::PopID();
}

void draw_cases(App& app, const Run& run) {
    bool first = true;
    for (size_t i = 0; i < run.cases.size(); ++i) {
        draw_case(app, run.cases[i], i, !run.cases[i].passed && first);
        first &= run.cases[i].passed;
    }
}

void place_button(App& app, const Place& at) {
    if (at.line <= 0) return;
    if (ImGui::SmallButton(fmt::format("line {}", at.line).c_str())) {
        app.code_.reveal = at.line;
        app.focus_ = "Code";
    }
    ImGui::SameLine();
}

void draw_diagnostics(App& app, const Run& run) {
    for (size_t i = 0; i < run.diagnostics.size(); ++i) {
        const Diagnostic& d = run.diagnostics[i];
        ImGui::PushID(int(i));
        place_button(app, d.at);
        wrapped_text(Face::text, em(0.95f), d.level == "error" ? palette().bad : palette().warn,
                     d.plain.empty() ? d.message : d.plain);
        if (!d.plain.empty()) wrapped_text(Face::mono, em(0.84f), palette().dim, d.message);
        if (!d.source_line.empty()) wrapped_text(Face::mono, em(0.86f), palette().dim, d.source_line);
        ImGui::PopID();
    }
}

// Many cases meet the same fault in the same line: it is said once, for the first case that met it.
void draw_findings(App& app, const Run& run) {
    std::map<std::string, std::set<int>> met;  // the cases that met it
    for (const Finding& f : run.findings) met[f.kind + std::to_string(f.at.line)].insert(f.case_index);
    for (size_t i = 0; i < run.findings.size(); ++i) {
        const Finding& f = run.findings[i];
        const size_t cases = std::exchange(met[f.kind + std::to_string(f.at.line)], {}).size();
        if (cases == 0) continue;
        ImGui::PushID(int(i));
        place_button(app, f.at);
        const std::string more = cases > 1 ? fmt::format(" (in {} cases)", cases) : "";
        const bool said_above = run.headline.find(f.message) != std::string::npos;
        if (!said_above)
            wrapped_text(Face::text, em(0.95f),
                         f.severity == Severity::error ? palette().bad : palette().warn, f.message + more);
        else
            wrapped_text(Face::text, em(0.92f), palette().dim,
                         cases > 1 ? fmt::format("has this fault, in {} cases", cases) : "has this fault");
        app.mark(fmt::format("verdict/finding/{}", i));
        if (!f.fix.empty() && f.fix != run.next_action)
            wrapped_text(Face::text, em(0.92f), palette().dim, f.fix);
        ImGui::Dummy({1, em(0.15f)});
        ImGui::PopID();
    }
}

// The GPU's verdict and times, and where it disagrees.
void draw_gpu(App& app, const Run& run) {
    if (app.grader_.state_of(app.now().lesson.slug, "gpu") == Grader::State::running)
        wrapped_text(Face::text, em(0.92f), palette().faint, "The GPU grades the same file ...");
    const RunPtr both = app.gpu_run();
    if (!both || !both->run.second) return;
    wrapped_text(Face::text, em(0.95f),
                 both->run.second->passed && run.passed ? palette().good : palette().warn,
                 second_words(both->run));
    app.mark("verdict/gpu");
    for (const Finding& finding : both->run.findings) {
        const bool known = std::any_of(run.findings.begin(), run.findings.end(),
                                       [&](const Finding& f) { return f.kind == finding.kind; });
        if (!known) wrapped_text(Face::text, em(0.95f), palette().bad, finding.message);
    }
    if (!both->run.times) return;
    ImGui::Dummy({1, em(0.15f)});
    bool first = true;
    for (const std::string& line : lines_of(*both->run.times)) {
        wrapped_text(first ? Face::text : Face::mono, em(first ? 0.92f : 0.84f), palette().dim, line);
        first = false;
    }
    app.mark("verdict/times");
}

void draw_details(App& app, const Run& run) {
    draw_diagnostics(app, run);
    draw_findings(app, run);
    draw_gpu(app, run);
    if (run.output.empty()) return;
    section_title("Your program printed", run.output_cut ? "(the beginning)" : "");
    wrapped_text(Face::mono, em(0.86f), palette().text, run.output);
}

}  // namespace

void draw_verdict(App& app) {
    if (app.focus_ == "Verdict") ImGui::SetNextWindowFocus();
    if (ImGui::Begin("Verdict")) {
        app.mark("verdict", ImGui::GetWindowPos(),
                 {ImGui::GetWindowPos().x + ImGui::GetWindowSize().x,
                  ImGui::GetWindowPos().y + ImGui::GetWindowSize().y});
        const RunPtr run = app.learner_run();
        const bool busy = app.grader_.state_of(app.now().lesson.slug, "exercise") != Grader::State::idle;
        const bool details = run && run->problem.empty();
        const float room = ImGui::GetContentRegionAvail().x;
        if (!details || room < em(48)) {
            draw_headline(app, run, busy);
            if (details) {
                draw_details(app, run->run);
                draw_cases(app, run->run);
            }
        } else {
            ImGui::BeginChild("left", {room * 0.56f, 0});
            draw_headline(app, run, busy);
            ImGui::Dummy({1, em(0.2f)});
            draw_details(app, run->run);
            ImGui::EndChild();
            ImGui::SameLine(0, em(1.2f));
            ImGui::BeginChild("right", {0, 0});
            draw_cases(app, run->run);
            ImGui::EndChild();
        }
    }
    ImGui::End();
}

}  // namespace lab
