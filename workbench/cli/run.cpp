// `cudalab run`: any CUDA program, compiled and run on the CPU machine.
//
// The program's own stdin, stdout and stderr are this process's; findings follow on stderr. Exit code: the
// program's own when it ran without a finding of severity error; 1 with one, after a crash or a timeout, and
// when it does not compile; 2 for a wrong command line. `--json -` prints the record in place of everything
// else: what the program printed then stands in it.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/lessons/text.h"
#include "workbench/play/run_program.h"
#include "workbench/record/text.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

int no_main(const Home& home, const RunOptions& options, bool json) {
    const std::string& file = options.files.front();
    if (const auto slug = slug_from(home, file)) {
        return complain(
            json,
            fmt::format(
                "{} is an exercise and has no main of its own: its grader calls it. Try `cudalab grade {}`.",
                file, *slug));
    }
    return complain(json, fmt::format("{} has no main function, so there is nothing to run. Add one, or name "
                                      "the file that has it as well.",
                                      file));
}

int exit_code_of(const Run& run) {
    if (run.status == Status::ok || run.status == Status::failed) return run.exit_code;
    return 1;
}

void print_words(const Run& run) {
    RenderOptions render;
    render.color = use_color(2);
    render.width = terminal_columns();
    std::string text = render_findings(run, render);
    if (run.status == Status::crashed || run.status == Status::timeout)
        text += fmt::format("cudalab: {}\n", run.headline);
    if (run.status == Status::compile_error && run.diagnostics.empty())
        text += fmt::format("cudalab: {}\n", run.headline);
    std::fputs(text.c_str(), stderr);
}

double time_limit() {
    const char* text = std::getenv("CUDALAB_TIME_LIMIT");  // seconds
    return text ? std::max(0.0, std::atof(text)) : 0;
}

}  // namespace

int command_run(const Home& home, const RunOptions& options) {
    const bool to_stdout = options.json && (*options.json == "-" || options.json->empty());
    for (const std::string& file : options.files) {
        std::error_code none;
        if (!fs::exists(file, none))
            return complain(
                to_stdout,
                fmt::format("there is no file {}. Look at its name and at the folder that you are in.",
                            file));
    }
    ProgramRequest request;
    request.files = options.files;
    request.include_dirs = options.include_dirs;
    request.defines = options.defines;
    request.standard = options.standard;
    request.fast = options.fast;
    request.arguments = options.arguments;
    request.streams = to_stdout ? Streams::captured : options.json ? Streams::passed_on : Streams::ours;
    request.seconds = time_limit();
    ProgramRun done;
    try {
        done = run_program(home, request);
        if (!done.has_main) return no_main(home, options, to_stdout);
        if (options.json && !to_stdout) write_file(*options.json, to_json(done.run) + "\n");
    } catch (const std::runtime_error& error) {
        return complain(to_stdout, error.what(), 2);
    }
    if (to_stdout) {
        fmt::print("{}\n", to_json(done.run));
    } else {
        print_words(done.run);
    }
    return exit_code_of(done.run);
}

}  // namespace lab
