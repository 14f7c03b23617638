// `cudalab hint`: one step at a time.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/lessons/text.h"

namespace lab {

int command_hint(const Home& home, const HintOptions& options) {
    const Lesson lesson = load_lesson(home, options.slug);
    const int all = int(lesson.hints.size());
    if (all == 0) return complain(options.json, fmt::format("lesson {} has no hints.", lesson.slug), 1);
    Progress progress;
    const int opened = std::min(progress.of(lesson).hints, all);
    const int wanted = options.step ? options.step : options.all ? all : std::min(opened + 1, all);
    if (wanted > all) return complain(options.json, fmt::format("lesson {} has {} hints.", lesson.slug, all));
    const int first = options.all ? 1 : wanted;
    progress.record_hint(lesson, wanted);

    auto list = nlohmann::ordered_json::array();
    for (int step = first; step <= wanted; ++step) {
        const std::string text(trimmed(lesson.hints[size_t(step - 1)]));
        if (options.json) {
            list.push_back({{"step", step}, {"text", text}});
        } else {
            fmt::print("{}\n{}\n", bold(fmt::format("Hint {} of {}", step, all)),
                       wrapped(text, std::min(terminal_columns(), 90), "  "));
        }
    }
    if (options.json) {
        const nlohmann::ordered_json json{
            {"slug", lesson.slug}, {"hints", list}, {"of", all}, {"opened", std::max(opened, wanted)}};
        fmt::print("{}\n", json.dump(1));
    } else if (wanted < all) {
        fmt::print("{}\n",
                   dim(fmt::format("`cudalab hint {}` opens the next one.", two_digits(lesson.number))));
    } else if (opened == all && !options.step && !options.all) {
        fmt::print(
            "{}\n",
            dim(fmt::format(
                "That was the last one. `cudalab hint {0} --all` shows all; `cudalab solution {0} --give-up` "
                "shows the solution.",
                two_digits(lesson.number))));
    }
    tell_notice(progress);
    return 0;
}

}  // namespace lab
