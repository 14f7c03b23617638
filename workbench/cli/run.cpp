// `cudalab run`: any CUDA program, compiled and run on the CPU machine.
//
// The program's own stdin, stdout and stderr are this process's; findings follow on stderr. Exit code: the
// program's own when it ran without a finding of severity error; 1 with one, after a crash or a timeout, and
// when it does not compile; 2 for a wrong command line. `--json -` prints the record in place of everything
// else: what the program printed then stands in it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/cli/process.h"
#include "workbench/lessons/text.h"
#include "workbench/play/registers.h"
#include "workbench/play/run_program.h"
#include "workbench/record/costs.h"
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

// Of a program that is right: what to look at next.
void print_costs(const Run& run) {
    constexpr size_t most = 3;
    if (run.status != Status::ok && run.status != Status::failed) return;
    for (const CostlyLine& line : costly_lines(run, most))
        fmt::print(stderr, "{}:{}:{}: cost: {}: {}.\n", line.at.file, line.at.line, line.at.column,
                   line.kernel, line.sentence);
}

// Registers as the machine wants them.
std::string joined(const std::map<std::string, KernelResources>& kernels) {
    std::string text;
    for (const auto& [name, resources] : kernels)
        if (resources.registers > 0)
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, resources.registers);
    return text;
}

double metric(const Kernel& kernel, const char* name) {
    const auto found = kernel.metrics.find(name);
    return found == kernel.metrics.end() ? 0 : found->second;
}

std::string limiter_of(const Kernel& kernel) {
    const std::pair<const char*, const char*> limits[] = {{"occupancy_limit_warps", "threads an SM"},
                                                          {"occupancy_limit_blocks", "blocks an SM"},
                                                          {"occupancy_limit_registers", "registers"},
                                                          {"occupancy_limit_shared_mem", "shared memory"}};
    const auto least = std::min_element(
        std::begin(limits), std::end(limits),
        [&](const auto& a, const auto& b) { return metric(kernel, a.first) < metric(kernel, b.first); });
    return metric(kernel, "occupancy_pct") > 99.9 ? "" : least->second;
}

// One row a kernel and shape of its launches.
void print_occupancy(const Run& run, const CompiledKernels& compiled) {
    constexpr const char* row = "{:<24} {:>12} {:>9} {:>13} {:>13} {:>10}  {}\n";
    std::set<std::string> seen;
    fmt::print(stderr, row, "kernel", "block", "registers", "shared bytes", "local bytes", "occupancy",
               "limited by");
    for (const Kernel& kernel : run.kernels) {
        const auto found = compiled.kernels.find(kernel_base_name(kernel.name));
        const bool known = found != compiled.kernels.end();
        const std::string line = fmt::format(
            row, kernel.name, fmt::format("{}x{}x{}", kernel.block.x, kernel.block.y, kernel.block.z),
            known ? fmt::format("{}", found->second.registers)
                  : fmt::format("{:.0f}?", metric(kernel, "registers")),
            kernel.shared_bytes, known ? fmt::format("{}", found->second.stack_bytes) : "?",
            fmt::format("{:.1f} %", metric(kernel, "occupancy_pct")), limiter_of(kernel));
        if (seen.insert(line).second) fmt::print(stderr, "{}", line);
    }
    if (compiled.compiler.empty())
        fmt::print(stderr, "There is no nvcc here: 32 registers a thread is an estimate. For an H200.\n");
    else if (!compiled.error.empty())
        fmt::print(stderr,
                   "nvcc did not compile it, so the registers are an estimate. For an H200. It said: {}\n",
                   std::string(split_lines(compiled.error).front()));
    else
        fmt::print(stderr, "Registers and local memory: nvcc for sm_90. Occupancy: an H200's.\n");
}

void print_timeline(const Run& run, const RunOptions& options) {
    if (options.fast) {
        fmt::print(stderr, "There is no timeline with --fast: it runs everything at once.\n");
    } else if (run.timelines.empty()) {
        fmt::print(stderr, "There is no timeline: the program queued nothing.\n");
    } else {
        fmt::print(stderr, "{}", timeline_text(run.timelines.front(), terminal_columns()));
    }
}

// 0: it is drawn.
int draw_picture(const Run& run, const std::string& picture) {
    if (run.timelines.empty())
        return complain(false, fmt::format("there is no timeline to draw, so {} is not written.", picture),
                        1);
    const auto app = program_beside("cudalab-app");
    if (app.empty())
        return complain(false,
                        "the window was not built here, so there is nothing to draw with. Configure with "
                        "-DCUDALAB_APP=ON (the default) and build again, or use --timeline.",
                        1);
    const fs::path record = fs::temp_directory_path() / fmt::format("cudalab-timeline-{}.json", getpid());
    write_file(record.string(), to_json(run));
    const Captured drawn = capture({app.string(), "--draw-timeline", record.string(), picture}, 60'000);
    std::error_code ignored;
    fs::remove(record, ignored);
    std::fputs(drawn.output.c_str(), stderr);
    return drawn.code == 0 ? 0 : 1;
}

double time_limit() {
    const char* text = std::getenv("CUDALAB_TIME_LIMIT");  // seconds
    return text ? std::max(0.0, std::atof(text)) : 0;
}

// A sentence; empty: the backend is one, and the other options go with it.
std::string wrong_backend(const RunOptions& options) {
    if (options.backend == "cpu") return "";
    if (options.backend != "cuda")
        return fmt::format(
            "there is no backend `{}`. It is cpu (the CPU machine) or cuda (nvcc and this computer's GPU).",
            options.backend);
    const std::pair<bool, const char*> of_cpu[] = {{options.fast, "--fast"},
                                                   {options.occupancy, "--occupancy"},
                                                   {options.timeline, "--timeline"},
                                                   {!options.picture.empty(), "--picture"},
                                                   {options.device_memory != 0, "--device-memory"},
                                                   {options.devices != 0, "--devices"}};
    for (const auto& [given, name] : of_cpu)
        if (given)
            return fmt::format("{} is an option of the CPU machine. Leave it or --backend cuda out.", name);
    return "";
}

// As the option says, or the environment; 0: it is no number from 1 to 16.
int device_count(const RunOptions& options) {
    const char* text = std::getenv("CUDALAB_DEVICES");
    if (options.devices != 0 || text == nullptr || *text == '\0') return std::max(1, options.devices);
    constexpr int most = 16;
    int count = 0;
    const char* end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, count);
    return error == std::errc() && rest == end && count >= 1 && count <= most ? count : 0;
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
    if (const std::string wrong = wrong_backend(options); !wrong.empty()) return complain(to_stdout, wrong);
    ProgramRequest request;
    request.on_gpu = options.backend == "cuda";
    request.files = options.files;
    request.include_dirs = options.include_dirs;
    request.defines = options.defines;
    request.standard = options.standard;
    request.fast = options.fast;
    request.device_memory = options.device_memory;
    request.devices = device_count(options);
    if (request.devices == 0)
        return complain(
            to_stdout,
            fmt::format(
                "CUDALAB_DEVICES is \"{}\", which is no number of devices. Set it to a number from 1 to "
                "16, or unset it.",
                std::getenv("CUDALAB_DEVICES")));
    if (options.default_stream == "per-thread")
        request.defines.emplace_back("CUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    request.arguments = options.arguments;
    request.streams = to_stdout ? Streams::captured : options.json ? Streams::passed_on : Streams::ours;
    request.seconds = time_limit();
    ProgramRun done;
    CompiledKernels compiled;
    if (options.occupancy) {
        compiled = compiled_kernels(options.files, options.include_dirs, options.defines, options.standard);
        request.registers = joined(compiled.kernels);
    }
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
        print_costs(done.run);
        if (options.occupancy && !done.run.kernels.empty()) print_occupancy(done.run, compiled);
        if (options.timeline) print_timeline(done.run, options);
    }
    if (!options.picture.empty())
        if (const int code = draw_picture(done.run, options.picture); code != 0) return code;
    return exit_code_of(done.run);
}

}  // namespace lab
