// `cudalab try`: the exercise once more, at the sizes that the reader chose. No grading.
#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/lessons/experiment.h"
#include "workbench/play/grade.h"
#include "workbench/record/text.h"

namespace lab {

namespace {

constexpr size_t kFindings = 2;  // that are shown

std::string extent(const Dim3& d) {
    if (d.z > 1) return fmt::format("{}x{}x{}", d.x, d.y, d.z);
    return d.y > 1 ? fmt::format("{}x{}", d.x, d.y) : fmt::format("{}", d.x);
}

std::string launch_words(const Kernel& kernel) {
    std::string words =
        fmt::format("  {}<<<{}, {}>>>", kernel.name, extent(kernel.grid), extent(kernel.block));
    if (kernel.asked_grid && *kernel.asked_grid != kernel.grid)
        words += fmt::format("  (line {} asks for a grid of {})", kernel.at.line, extent(*kernel.asked_grid));
    if (kernel.status == "refused") words += fmt::format("  refused: {}", kernel.error);
    return words;
}

void print_words(const Run& run, const std::string& what) {
    RenderOptions render;
    render.color = use_color();
    render.width = terminal_columns();
    fmt::print("{}\n", bold(what));
    if (run.status == Status::compile_error) {
        fmt::print("{}", render_text(run, render));
        return;
    }
    for (const Kernel& kernel : run.kernels) fmt::print("{}\n", dim(launch_words(kernel)));
    const bool played = !run.cases.empty() && !run.passed;
    const std::string verdict = played ? run.cases.front().message : run.headline;
    fmt::print("{}\n", run.passed ? green(verdict) : red(verdict));
    Run told = run;
    if (told.findings.size() > kFindings) told.findings.resize(kFindings);
    fmt::print("{}", render_findings(told, render));
    if (!run.passed && !run.next_action.empty()) fmt::print("{}{}\n", bold("Next: "), run.next_action);
    fmt::print("{}\n",
               dim(fmt::format("{:.0f} ms: {:.0f} compiling, {:.0f} running", run.total_seconds * 1000,
                               run.compile_seconds * 1000, run.run_seconds * 1000)));
}

}  // namespace

int command_try(const Home& home, const TryOptions& options) {
    const Lesson lesson = load_lesson(home, options.slug);
    GradeRequest request;
    request.slug = options.slug;
    request.file = options.solution ? lesson.paths.solution.string() : options.file;
    request.traces = options.json;
    request.live = options.live;
    if (options.solution && !lesson.has_solution) return complain(options.json, no_solutions(), 1);
    std::error_code none;
    if (!request.file.empty() && !std::filesystem::exists(request.file, none))
        return complain(
            options.json,
            fmt::format("there is no file {}. Look at its name and at the folder that you are in.",
                        request.file.string()));
    Run run;
    try {
        request.experiment = read_experiment(lesson, options.settings);
        run = grade(home, request);
    } catch (const std::runtime_error& error) {
        return complain(options.json, error.what(), 2);
    }
    if (options.json) {
        fmt::print("{}\n", to_json(run, -1));
    } else {
        print_words(run, fmt::format("{} with {}{}", lesson.slug, describe(lesson, *request.experiment),
                                     options.solution ? " (the solution)" : ""));
    }
    std::fflush(stdout);
    return run.passed ? 0 : 1;
}

}  // namespace lab
