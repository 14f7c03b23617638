#include "workbench/play/run_program.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "workbench/lessons/text.h"
#include "workbench/play/build.h"
#include "workbench/play/gpu.h"
#include "workbench/play/player.h"
#include "workbench/play/tools.h"

namespace lab {

namespace {

using Clock = std::chrono::steady_clock;

simt::toolchain::CompileOptions compile_options(const Home& home, const Tools& tools,
                                                const ProgramRequest& request) {
    simt::toolchain::CompileOptions options;
    options.sources = request.files;
    options.include_dirs = request.include_dirs;
    options.include_dirs.push_back(home.content.string());  // so that an exercise's interface.h is found
    options.defines = request.defines;
    if (!request.standard.empty()) options.standard = request.standard;
    options.mode = request.fast ? simt::toolchain::Mode::fast : simt::toolchain::Mode::checked;
    options.simt_library = tools.machine.string();
    options.simt_include = tools.simt_include.string();
    return options;
}

int call_main(const LoadedProgram& program, const ProgramRequest& request) {
    std::vector<std::string> words = request.arguments;
    words.insert(words.begin(), request.files.front());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    using Main = int (*)(int, char**, char**);
    const auto main_function = reinterpret_cast<Main>(resolve_or_end(program, "main"));
    return main_function(static_cast<int>(words.size()), arguments.data(), environ);
}

// Simulated device memory is this computer's: a program that fills more of it than there is would be killed.
uint64_t device_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page) / 4 * 3 : 0;
}

PlayRequest play_request(const ProgramRequest& request, const std::string& shared_object) {
    PlayRequest play;
    play.program = shared_object;
    play.session.advice_leaks = 1;
    if (!request.registers.empty()) play.session.registers = request.registers.c_str();
    play.session.step_budget = uint64_t{1} << 29;  // some 12 seconds of one core
    play.session.devices = request.devices;
    play.session.memory_budget = request.device_memory != 0
                                     ? request.device_memory
                                     : device_bytes() / static_cast<unsigned>(std::max(1, request.devices));
    play.limits.seconds = request.seconds > 0 ? request.seconds : request.fast ? 600 : 60;
    play.limits.data_bytes = uint64_t{8} << 30;
    play.limits.file_bytes = uint64_t{16} << 30;
    play.limits.open_files = 1024;
    play.limits.may_write_files = true;
    play.limits.may_exit = true;
    play.limits.streams = request.streams;
    if (request.streams == Streams::passed_on) play.limits.output_bytes = ~uint64_t{0};
    play.limits.kept_output_bytes = 1 << 20;
    play.limits.trace_bytes = 0;
    play.limits.report_bytes = uint64_t{1} << 30;  // a program may launch a million kernels
    play.body = [&request](const LoadedProgram& program) { return call_main(program, request); };
    return play;
}

// The same program, threads in descending order, out of sight.
PlayRequest second_request(PlayRequest play) {
    play.session.order = SIMT_ORDER_REVERSE;
    play.session.advice_leaks = 0;
    play.limits.streams = Streams::captured;
    play.limits.output_bytes = ~uint64_t{0};
    play.limits.kept_output_bytes = 0;
    play.limits.may_write_files = false;
    return play;
}

bool same_fault(const Finding& a, const Finding& b) {
    const auto in_either_order = [](const Finding& f) {
        const int other = f.other ? f.other->at.line : f.at.line;
        return std::pair(std::min(f.at.line, other), std::max(f.at.line, other));
    };
    return a.kind == b.kind && a.buffer == b.buffer && in_either_order(a) == in_either_order(b);
}

// Errors of threads that the first order did not bring to light. What the host does is the same in both.
void add_other_order(Report& report, const Report& other) {
    const size_t own = report.findings.size();
    for (const Finding& finding : other.findings) {
        if (finding.severity != Severity::error || !finding.thread) continue;
        const auto end = report.findings.begin() + static_cast<ptrdiff_t>(own);
        const bool known = std::any_of(report.findings.begin(), end,
                                       [&](const Finding& f) { return same_fault(f, finding); });
        if (!known) report.findings.push_back(finding);
    }
}

PlayResult play_orders(const Machine& machine, const ProgramRequest& request, const PlayRequest& first) {
    if (request.fast || request.orders == Orders::forward) return play(machine, first);
    if (request.orders == Orders::reverse) {
        PlayRequest reverse = first;
        reverse.session.order = SIMT_ORDER_REVERSE;
        return play(machine, reverse);
    }
    std::vector<PlayResult> results = play_all(machine, {first, second_request(first)});
    add_other_order(results[0].report, results[1].report);
    return std::move(results[0]);
}

Status status_of(const PlayResult& result, bool errors) {
    if (result.ending == Ending::timeout) return Status::timeout;
    if (result.ending == Ending::signal && result.report.closed && errors) return Status::crashed;
    if (!result.ended_well()) return Status::crashed;
    if (errors) return Status::findings;
    return result.exit_code == 0 ? Status::ok : Status::failed;
}

std::string headline_of(const Run& run, const PlayResult& result, size_t errors) {
    if (!result.reason.empty()) return result.reason;
    if (errors == 1) return "1 finding.";
    if (errors > 1) return fmt::format("{} findings.", errors);
    return run.exit_code == 0 ? "It ran without a finding."
                              : fmt::format("It ended with exit code {}.", run.exit_code);
}

void put_result(Run& run, PlayResult&& result) {
    run.findings = std::move(result.report.findings);
    run.kernels = std::move(result.report.kernels);
    run.buffers = std::move(result.report.buffers);
    run.devices = std::move(result.report.devices);
    run.timelines = std::move(result.report.timelines);
    std::stable_partition(run.findings.begin(), run.findings.end(),
                          [](const Finding& f) { return f.severity == Severity::error; });
    const auto errors = std::count_if(run.findings.begin(), run.findings.end(),
                                      [](const Finding& f) { return f.severity == Severity::error; });
    run.exit_code = result.exit_code;
    run.status = status_of(result, errors != 0);
    run.passed = run.status == Status::ok;
    run.headline = headline_of(run, result, static_cast<size_t>(errors));
    for (const Finding& finding : run.findings) {
        if (run.next_action.empty() && finding.severity == Severity::error) run.next_action = finding.fix;
    }
    run.output = std::move(result.output);
    run.output_cut = result.output_cut;
    run.run_seconds = result.seconds;
}

void run_on_cpu(ProgramRun& done, const Home& home, const Tools& tools, const ProgramRequest& request) {
    const auto program = simt::toolchain::compile(compile_options(home, tools, request));
    put_compilation(done.run, program);
    done.has_main = !program.ok || program.has_main;
    if (!program.ok || !program.has_main) return;
    const Machine machine = load_machine(tools.machine.string());
    put_result(done.run, play_orders(machine, request, play_request(request, program.shared_object)));
    map_columns(done.run, program);
}

bool has_main(const std::string& shared_object) {
    void* program = dlopen(shared_object.c_str(), RTLD_LAZY | RTLD_LOCAL);
    const bool found = program != nullptr && dlsym(program, "main") != nullptr;
    if (program != nullptr) dlclose(program);
    return found;
}

void run_on_gpu(ProgramRun& done, const Home& home, const ProgramRequest& request) {
    const GpuSetup gpu = find_gpu();
    if (!gpu.ready()) throw std::runtime_error(gpu.problem + " " + gpu.remedy);
    GpuSources sources{request.files, request.include_dirs, request.defines};
    sources.include_dirs.push_back(home.content.string());
    if (!request.standard.empty()) sources.standard = request.standard;
    const Machine machine = load_machine(machine_for_gpu(gpu, home), "cuda");
    const GpuProgram program = compile_for_gpu(gpu, sources, true);
    put_compilation(done.run, program);
    done.run.backend = "cuda";
    done.run.device = gpu.cards.front().name;
    if (!program.ok) return;
    PlayRequest play_it = play_request(request, program.shared_object);
    play_it.session.memory_budget = 0;
    play_it.limits.sandboxed = false;
    play_it.limits.open_files = 4096;
    play_it.limits.seconds = request.seconds > 0 ? request.seconds : 600;
    const PlayResult result = play(machine, play_it);
    if (result.ending == Ending::not_loaded && !has_main(program.shared_object)) {
        done.has_main = false;
        return;
    }
    put_result(done.run, PlayResult(result));
}

}  // namespace

ProgramRun run_program(const Home& home, const ProgramRequest& request) {
    const auto start = Clock::now();
    const Tools tools = find_tools(home);
    ProgramRun done;
    Run& run = done.run;
    run.source = request.files.front();
    run.source_hash = fingerprint(read_file(request.files.front()).value_or(""));
    if (request.on_gpu)
        run_on_gpu(done, home, request);
    else
        run_on_cpu(done, home, tools, request);
    run.total_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return done;
}

}  // namespace lab
