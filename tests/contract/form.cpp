// The checks that need no run.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tests/contract/contract.h"
#include "workbench/lessons/cuts.h"
#include "workbench/lessons/parse.h"
#include "workbench/lessons/quiz.h"
#include "workbench/lessons/text.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

Check at_least(const char* what, size_t least, size_t count) {
    return {what, fmt::format("at least {}", least), count >= least, fmt::format("{}", count), 0};
}

Check no_problems(const char* what, const std::vector<std::string>& problems) {
    return {what, "no problem", problems.empty(),
            problems.empty() ? "none" : fmt::format("{}", fmt::join(problems, "\n        ")), 0};
}

// A shared panel is a row of the app's table; a lesson's own is its panel.cpp and is called by the slug.
std::vector<std::string> unknown_panels(const Subject& subject) {
    const std::string table =
        read_file(subject.home.content / "app" / "panels" / "registry.cpp").value_or("");
    std::error_code none;
    const bool own = fs::exists(subject.lesson.paths.panel, none);
    std::vector<std::string> unknown;
    for (const std::string& panel : subject.lesson.panels) {
        const std::string quoted = '"' + panel + '"';
        const bool own_panel = own && panel == subject.lesson.slug;
        if (table.find(quoted) == std::string::npos && !own_panel)
            unknown.push_back(fmt::format(
                "no panel `{}` in app/panels/registry.cpp, and no panel.cpp for a panel called by the slug",
                panel));
    }
    return unknown;
}

// What a beat names must be there: its run, its line of code, its panel.
std::vector<std::string> broken_beats(const Subject& subject) {
    const Lesson& lesson = subject.lesson;
    const std::string solution = read_file(lesson.paths.solution).value_or("");
    std::vector<std::string> broken;
    for (size_t i = 0; i < lesson.beats.size(); ++i) {
        const Beat& beat = lesson.beats[i];
        const auto complain = [&](const std::string& what) {
            broken.push_back(fmt::format("beat {}: {}", i + 1, what));
        };
        std::string text = solution;
        if (beat.from.rfind("mutant ", 0) == 0) {
            const auto mutant =
                std::find_if(lesson.mutants.begin(), lesson.mutants.end(),
                             [&](const Mutant& one) { return "mutant " + one.name == beat.from; });
            if (mutant == lesson.mutants.end()) complain(fmt::format("there is no {}", beat.from));
            if (mutant != lesson.mutants.end()) text = apply_mutant(*mutant, solution);
        }
        if (text.find(beat.code) == std::string::npos)
            complain(fmt::format("`{}` is nowhere in the code", beat.code));
        if (std::find(lesson.panels.begin(), lesson.panels.end(), beat.panel) == lesson.panels.end())
            complain(fmt::format("`{}` is none of the lesson's panels", beat.panel));
    }
    return broken;
}

// The right answer, given as a reader would give it, is judged right; and every single wrong option is judged
// wrong.
std::vector<std::string> misjudged(const Lesson& lesson) {
    std::vector<std::string> wrong;
    for (const Quiz& quiz : lesson.quizzes) {
        Answer right;
        for (size_t i = 0; i < quiz.options.size(); ++i)
            if (quiz.options[i].right || quiz.kind == QuizKind::order || quiz.kind == QuizKind::match)
                right.chosen.push_back(int(i));
        right.text = quiz.kind == QuizKind::number ? fmt::format("{}", quiz.answer) : quiz.output;
        if (!judge(quiz, right).right)
            wrong.push_back(fmt::format("quiz `{}`: its own answer is judged wrong", quiz.id));
        if (quiz.kind != QuizKind::one) continue;
        for (size_t i = 0; i < quiz.options.size(); ++i)
            if (!quiz.options[i].right && judge(quiz, {{int(i)}, ""}).right)
                wrong.push_back(fmt::format("quiz `{}`: option {} is judged right", quiz.id, i + 1));
    }
    return wrong;
}

std::vector<std::string> repeated_options(const Lesson& lesson) {
    std::vector<std::string> repeated;
    for (const Quiz& quiz : lesson.quizzes) {
        std::set<std::string> texts;
        for (const QuizOption& option : quiz.options)
            if (!texts.insert(option.text).second && quiz.kind != QuizKind::order)
                repeated.push_back(fmt::format("quiz `{}`: two options read `{}`", quiz.id, option.text));
    }
    return repeated;
}

// A lesson has sliders and one experiment that asks for each of them, or neither.
std::vector<std::string> unmatched_sliders(const Lesson& lesson) {
    const std::string grader = read_file(lesson.paths.grader).value_or("");
    size_t experiments = 0;
    for (size_t at = grader.find("LAB_EXPERIMENT("); at != std::string::npos;
         at = grader.find("LAB_EXPERIMENT(", at + 1))
        ++experiments;
    const size_t wanted = lesson.sliders.empty() ? 0 : 1;
    std::vector<std::string> wrong;
    if (experiments != wanted)
        wrong.push_back(fmt::format("{} sliders, and {} LAB_EXPERIMENT in the grader, where {} belongs",
                                    lesson.sliders.size(), experiments, wanted));
    for (const Slider& slider : lesson.sliders)
        if (grader.find(fmt::format("at[\"{}\"]", slider.name)) == std::string::npos)
            wrong.push_back(fmt::format("the experiment never asks for at[\"{}\"]", slider.name));
    for (const Drawing& drawing : lesson.drawings)
        if (grader.find(fmt::format("at.drawing(\"{}\")", drawing.name)) == std::string::npos)
            wrong.push_back(fmt::format("the experiment never asks for at.drawing(\"{}\")", drawing.name));
    return wrong;
}

}  // namespace

std::vector<Check> check_form(const Subject& subject) {
    const Lesson& lesson = subject.lesson;
    // The cut, never the learner's own file: solving an exercise breaks no test. A file in exercises/ that
    // nobody has edited must be the newest cut.
    const LessonPaths committed =
        paths_of({subject.home.content, subject.home.content / "exercises"}, lesson.slug);
    int levels = 0;
    for (const Quiz& quiz : lesson.quizzes) levels |= 1 << quiz.level;
    return {no_problems("files", lesson.problems),
            no_problems("cut", check_cut(committed)),
            at_least("quizzes", 5, lesson.quizzes.size()),
            at_least("levels of questions", 3, size_t(__builtin_popcount(unsigned(levels)))),
            no_problems("quiz answers", misjudged(lesson)),
            no_problems("quiz options", repeated_options(lesson)),
            {"hints", "3", lesson.hints.size() == 3, fmt::format("{}", lesson.hints.size()), 0},
            at_least("mutants", 8, lesson.mutants.size()),
            at_least("goals of further", 1, lesson.further.size()),
            {"beats", "5 to 8", lesson.beats.size() >= 5 && lesson.beats.size() <= 8,
             fmt::format("{}", lesson.beats.size()), 0},
            no_problems("what beats name", broken_beats(subject)),
            {"receipt", "2 or 3 lines", lesson.receipt.size() >= 2 && lesson.receipt.size() <= 3,
             fmt::format("{}", lesson.receipt.size()), 0},
            no_problems("sliders", unmatched_sliders(lesson)),
            no_problems("panels", unknown_panels(subject))};
}

}  // namespace lab
