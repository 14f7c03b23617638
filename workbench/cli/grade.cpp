// `cudalab grade`: one exercise, one verdict.
#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <stdexcept>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/play/grade.h"
#include "workbench/progress/progress.h"
#include "workbench/record/text.h"

namespace lab {

namespace {

Attempt attempt_of(const Run& run) {
    Attempt attempt;
    attempt.passed = run.passed;
    attempt.status = name_of(run.status);
    attempt.source_hash = run.source_hash;
    for (const Finding& finding : run.findings) {
        if (finding.severity == Severity::error) attempt.kinds.push_back(finding.kind);
    }
    return attempt;
}

std::optional<Backend> backend_of(const std::string& name) {
    if (name == "cpu") return Backend::cpu;
    if (name == "cuda") return Backend::cuda;
    if (name == "auto") return Backend::both;
    return std::nullopt;
}

}  // namespace

int command_grade(const Home& home, const GradeOptions& options) {
    const auto backend = backend_of(options.backend);
    if (!backend)
        return complain(
            options.json,
            fmt::format(
                "there is no backend `{}`. It is cpu (the CPU machine), cuda (nvcc and this computer's "
                "GPU) or auto (the CPU machine, and the GPU where there is one).",
                options.backend));
    GradeRequest request;
    request.slug = options.slug;
    request.file = options.file;
    request.backend = *backend;
    request.times = options.times;
    request.publish = options.record && *backend != Backend::cuda;  // the app shows what the CPU machine saw
    Run run;
    try {
        run = grade(home, request);
    } catch (const std::runtime_error& error) {
        return complain(options.json, error.what(), 2);
    }
    if (options.json) {
        fmt::print("{}\n", to_json(run));
    } else {
        RenderOptions render;
        render.color = use_color();
        render.width = terminal_columns();
        render.verbose = options.verbose;
        fmt::print("{}", render_text(run, render));
    }
    std::fflush(stdout);
    // The CPU machine is the judge of what is done.
    if (!options.record || *backend == Backend::cuda) return run.passed ? 0 : 1;
    Progress progress;
    const Lesson lesson = load_lesson(home, options.slug);
    progress.record_attempt(lesson, attempt_of(run));
    if (all_reached(run.further)) progress.record_further(lesson);
    tell_notice(progress);
    return run.passed ? 0 : 1;
}

}  // namespace lab
