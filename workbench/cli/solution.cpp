// `cudalab solution`: opens after a pass, or when the learner gives up.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/lessons/parse.h"
#include "workbench/lessons/text.h"

namespace lab {

int command_solution(const Home& home, const SolutionOptions& options) {
    const Lesson lesson = load_lesson(home, options.slug);
    const std::string number = two_digits(lesson.number);
    if (!lesson.has_solution) return complain(options.json, no_solutions(), 1);
    Progress progress;
    const LessonProgress done = progress.of(lesson);
    if (!done.passed && !done.solution_opened && !options.give_up)
        return complain(options.json,
                        fmt::format("the solution opens when your exercise passes. `cudalab hint {0}` helps; "
                                    "`cudalab solution {0} --give-up` opens it now.",
                                    number),
                        1);
    const auto text = read_file(lesson.paths.solution);
    if (!text)
        return complain(options.json, fmt::format("{} can't be read.", lesson.paths.solution.string()), 1);
    if (!done.passed) progress.record_solution_opened(lesson);
    const std::string clean = clean_solution(*text);
    if (options.json) {
        const nlohmann::ordered_json json{
            {"slug", lesson.slug}, {"path", lesson.paths.solution.string()}, {"text", clean}};
        fmt::print("{}\n", json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else if (options.path) {
        fmt::print("{}\n", lesson.paths.solution.string());
    } else {
        fmt::print("{}", clean);
    }
    tell_notice(progress);
    return 0;
}

}  // namespace lab
