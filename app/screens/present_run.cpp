#include "app/screens/present_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "workbench/lessons/parse.h"
#include "workbench/lessons/text.h"
#include "workbench/record/text.h"

namespace lab {
namespace {

constexpr size_t largest_file = 1u << 20;

// The solution without the marks that the exercise is cut along. Every line stays at its number.
std::string without_marks(const std::string& text) {
    std::string shown;
    for (const std::string_view line : split_lines(text)) {
        const std::string_view words = trimmed(line);
        const auto begins = [&](std::string_view mark) { return words.substr(0, mark.size()) == mark; };
        constexpr std::string_view todo = "// >>> TODO:";
        if (begins(todo))
            shown +=
                std::string(line.substr(0, line.find(todo))) + "//" + std::string(words.substr(todo.size()));
        else if (!begins("// <<<") && !begins("// ===") && !begins("//|") && !begins("// [") &&
                 !begins("// >>>"))
            shown += line;
        shown += '\n';
    }
    return shown;
}

// The solution, or a mutant of it; the solution where the edit does not apply, which the contract tests rule out.
std::string text_of_run(const Lesson& lesson, const std::string& from) {
    const std::string solution = read_file(lesson.paths.solution, largest_file).value_or("");
    for (const Mutant& mutant : lesson.mutants) {
        if (from != "mutant " + mutant.name) continue;
        try {
            return apply_mutant(mutant, solution);
        } catch (const std::exception&) {
            return solution;
        }
    }
    return solution;
}

std::string clock_text(double seconds) {
    const int whole = int(seconds);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// The case that the beat names, where it failed in the shown run; -1: it names none, or that one passed.
int failed_case(const App& app) {
    const Presentation& p = app.present_;
    const auto named = p.slot.options.find("case");
    if (!p.slot.loaded || named == p.slot.options.end()) return -1;
    const auto& cases = p.slot.loaded->run.cases;
    for (size_t i = 0; i < cases.size(); ++i)
        if (cases[i].name.find(named->second) != std::string::npos) return cases[i].passed ? -1 : int(i);
    return -1;
}

const Mutant* mutant_of(const App& app) {
    const auto& mutants = app.lessons_[app.current_].lesson.mutants;
    const auto found = std::find_if(mutants.begin(), mutants.end(), [&](const Mutant& one) {
        return app.present_.slot.origin == "mutant " + one.name;
    });
    return found == mutants.end() ? nullptr : &*found;
}

}  // namespace

bool shows_own_file(const App& app) {
    return app.present_.slot.origin == "exercise" && !(app.try_.active && app.try_.solution);
}

CodeView& code_of_beat(App& app) {
    return shows_own_file(app) ? app.code_ : app.present_.code;
}

int line_with(const CodeView& code, const std::string& piece) {
    if (piece.empty()) return 0;
    for (size_t i = 0; i < code.lines.size(); ++i)
        if (code.lines[i].find(piece) != std::string_view::npos) return int(i) + 1;
    return 0;
}

void point_at_line(App& app, CodeView& code) {
    code.named = line_with(code, app.beat().code);
    code.only_case = failed_case(app);
}

void look_at_fault(App& app) {
    Presentation& p = app.present_;
    p.looked_at = p.slot.loaded;
    p.fault_line = 0;
    if (!p.looked_at || p.looked_at->run.passed) return;
    if (const Finding* cause = fault_shown(app)) p.fault_line = std::max(0, cause->at.line);
    if (p.fault_line > 0) code_of_beat(app).reveal = p.fault_line;
}

const Finding* fault_shown(const App& app) {
    if (!app.present_.slot.loaded) return nullptr;
    const Run& run = app.present_.slot.loaded->run;
    const int shown = failed_case(app);
    const Mutant* mutant = mutant_of(app);
    const auto in_case = [&](const Finding& finding) { return shown < 0 || finding.case_index == shown; };
    for (const Finding& finding : run.findings)
        if (mutant && in_case(finding) && finding.kind == mutant->finding) return &finding;
    if (shown < 0) return cause_of(run);
    for (const Finding& finding : run.findings)
        if (in_case(finding) && finding.severity == Severity::error) return &finding;
    return nullptr;
}

std::string words_of_picture(const App& app) {
    if (!app.present_.slot.loaded) return "";
    const Run& run = app.present_.slot.loaded->run;
    const Finding* cause = fault_shown(app);
    const Mutant* mutant = mutant_of(app);
    if (cause && mutant && cause->kind == mutant->finding) return cause->message;
    const int shown = failed_case(app);
    if (shown < 0) return cause ? cause->message : run.headline;
    const std::string& message = run.cases[size_t(shown)].message;
    if (!message.empty()) return message.substr(0, message.find('\n'));
    return cause ? cause->message : run.headline;
}

void App::set_up_beat() {
    const Beat& shown = beat();
    const Lesson& lesson = now().lesson;
    end_try();
    cursor_ = {};
    present_.slot = {};
    present_.slot.name = shown.panel;
    present_.slot.origin = shown.from;
    present_.slot.options = shown.options;
    if (!shown.settings.empty() || !shown.slide.empty()) {
        for (const auto& [name, value] : shown.settings) try_.wanted.settings[name] = value;
        start_try();
    }
    present_.code = {};
    if (lesson.has_solution) {
        present_.code.path = shown.from == "exercise" ? lesson.paths.solution : lesson.paths.exercise;
        present_.code.close_gaps = true;
        set_text(present_.code, without_marks(text_of_run(lesson, shown.from)));
    }
    present_.fault_line = 0;
    present_.code_size = {};
}

// On the presenter's own screen, or under N.
std::string App::notes_of_beat() {
    const Lesson& lesson = now().lesson;
    const Beat& shown = beat();
    std::string notes =
        fmt::format("Beat {} of {}, {} of {} minutes.\nAsk: {}\nThen show: {}\nThen say: {}",
                    present_.beat + 1, lesson.beats.size(), clock_text(ImGui::GetTime() - present_.started),
                    lesson.minutes, shown.question, shown.picture, shown.takeaway);
    if (shown.right > 0)
        notes += fmt::format("\nRight is {}: {}", shown.right, shown.answers[size_t(shown.right - 1)]);
    if (present_.beat + 1 < lesson.beats.size())
        notes += fmt::format("\nNext: {}", lesson.beats[present_.beat + 1].question);
    return notes;
}

}  // namespace lab
