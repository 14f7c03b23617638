// `cudalab lessons`, and `cudalab` alone.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"

namespace lab {

namespace {

nlohmann::ordered_json json_of(const std::vector<Slider>& sliders) {
    auto list = nlohmann::ordered_json::array();
    for (const Slider& slider : sliders) {
        list.push_back({{"name", slider.name},
                        {"label", slider.label},
                        {"from", slider.from},
                        {"to", slider.to},
                        {"start", slider.start}});
        if (!slider.values.empty()) list.back()["values"] = slider.values;
        if (!slider.words.empty()) list.back()["words"] = slider.words;
    }
    return list;
}

nlohmann::ordered_json json_of(const Lesson& lesson, const LessonProgress& progress) {
    const Ticks ticks = ticks_of(lesson, progress);
    nlohmann::ordered_json json{{"number", lesson.number},
                                {"slug", lesson.slug},
                                {"title", lesson.title},
                                {"part", lesson.part},
                                {"quizzes", lesson.quizzes.size()},
                                {"mutants", lesson.mutants.size()},
                                {"panels", lesson.panels},
                                {"sliders", json_of(lesson.sliders)},
                                {"exercise", lesson.paths.exercise.string()},
                                {"solution", lesson.paths.solution.string()},
                                {"passed", ticks.exercise},
                                {"quizzes_right", ticks.quizzes_right},
                                {"complete", ticks.complete()},
                                {"minutes", lesson.minutes},
                                {"further", progress.further},
                                {"attempts", progress.attempts},
                                {"version", lesson.version}};
    if (!lesson.problems.empty()) json["problems"] = lesson.problems;
    return json;
}

void print_lesson(const Lesson& lesson, const Ticks& ticks) {
    const std::string quizzes = fmt::format("{}/{} questions", ticks.quizzes_right, ticks.quizzes_all);
    fmt::print("  {}  {}  {:<34} {:>4}  {}\n", ticks.exercise ? green("✓") : dim("·"),
               two_digits(lesson.number), lesson.title, fmt::format("{}'", lesson.minutes),
               ticks.quizzes ? green("✓ " + quizzes) : dim("· " + quizzes));
}

int list_lessons(const Home& home) {
    const std::vector<Lesson> lessons = load_lessons(home);
    if (lessons.empty()) return choose_lesson(home, "", false) ? 0 : 2;
    Progress progress;
    std::string part;
    const Lesson* next = nullptr;
    for (const Lesson& lesson : lessons) {
        if (lesson.part != part) fmt::print("{}{}\n", part.empty() ? "" : "\n", bold(lesson.part));
        part = lesson.part;
        const Ticks ticks = ticks_of(lesson, progress.of(lesson));
        if (!next && !ticks.complete()) next = &lesson;
        print_lesson(lesson, ticks);
        for (const std::string& problem : lesson.problems) fmt::print("      {}\n", red(problem));
    }
    if (!next) {
        fmt::print("\nEvery lesson is complete.\n");
        return 0;
    }
    const std::string number = two_digits(next->number);
    if (progress.of(*next).passed) {
        fmt::print("\nNext: `cudalab quiz {}` for the questions of lesson {} that are still open.\n", number,
                   number);
    } else {
        fmt::print("\nNext: open {} in your editor and run `cudalab watch {}`.\n",
                   shown_path(next->paths.exercise), number);
    }
    tell_notice(progress);
    return 0;
}

}  // namespace

int command_lessons(const Home& home, const LessonsOptions& options) {
    if (!options.json) return list_lessons(home);
    const std::vector<Lesson> lessons = load_lessons(home);
    if (lessons.empty()) return choose_lesson(home, "", true) ? 0 : 2;
    Progress progress;
    auto list = nlohmann::ordered_json::array();
    for (const Lesson& lesson : lessons) list.push_back(json_of(lesson, progress.of(lesson)));
    fmt::print("{}\n", list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    tell_notice(progress);
    return 0;
}

int command_none(const Home& home) {
    const auto app = program_beside("cudalab-app");
    if (!app.empty() && has_display()) {
        execl(app.c_str(), app.c_str(), nullptr);
        return complain(false, fmt::format("{} can't be started.", app.string()), 1);
    }
    const int code = list_lessons(home);
    if (code != 0) return code;
    fmt::print("\n{}\n", app.empty() ? "The window was not built here (configure with -DCUDALAB_APP=ON); "
                                       "every command works in the terminal."
                                     : "There is no display, so no window opens. `cudalab tour pictures/` "
                                       "draws every lesson and panel to PNG files.");
    return 0;
}

}  // namespace lab
