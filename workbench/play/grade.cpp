#include "workbench/play/grade.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <stdexcept>

#include "workbench/lessons/experiment.h"
#include "workbench/lessons/text.h"
#include "workbench/play/build.h"
#include "workbench/play/gpu.h"
#include "workbench/play/gpu_times.h"
#include "workbench/play/tools.h"
#include "workbench/play/two_verdicts.h"
#include "workbench/progress/progress.h"

extern char** environ;

namespace fs = std::filesystem;

namespace lab {

namespace {

using Clock = std::chrono::steady_clock;

fs::path run_folder(const std::string& slug) {
    return cache_folder() / "runs" / slug;
}

// A file in memory that the referee writes and this process reads after its end.
class MemoryFile {
  public:
    explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
        if (descriptor_ < 0)
            throw std::runtime_error(fmt::format("No memory file for the referee: {}.", strerror(errno)));
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    int descriptor() const { return descriptor_; }
    std::string text() const {
        std::string all(static_cast<size_t>(std::max<off_t>(0, lseek(descriptor_, 0, SEEK_END))), '\0');
        size_t done = 0;
        while (done < all.size()) {
            const ssize_t got =
                pread(descriptor_, all.data() + done, all.size() - done, static_cast<off_t>(done));
            if (got <= 0) break;
            done += static_cast<size_t>(got);
        }
        all.resize(done);
        return all;
    }

  private:
    int descriptor_;
};

struct Ended {
    int status = 0;
    bool timed_out = false;
};

// Waits for the process; kills it when its time is over.
Ended wait_for(pid_t pid, double seconds) {
    const auto start = Clock::now();
    const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    Ended ended;
    while (waitpid(pid, &ended.status, WNOHANG) == 0) {
        const double left = seconds - std::chrono::duration<double>(Clock::now() - start).count();
        if (left <= 0) {
            ended.timed_out = true;
            kill(pid, SIGKILL);
            waitpid(pid, &ended.status, 0);
            break;
        }
        pollfd on{pidfd, POLLIN, 0};
        poll(&on, pidfd >= 0 ? 1 : 0, pidfd >= 0 ? static_cast<int>(left * 1000) + 1 : 2);
    }
    if (pidfd >= 0) close(pidfd);
    return ended;
}

Ended run_referee(const fs::path& program, std::vector<std::string> words, int result, int complaints,
                  double seconds) {
    constexpr int kResult = 3;
    words.insert(words.begin(), program.string());
    words.insert(words.end(), {"--result", std::to_string(kResult)});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, complaints, 1);
    posix_spawn_file_actions_adddup2(&files, complaints, 2);
    posix_spawn_file_actions_adddup2(&files, result, kResult);
    pid_t pid = -1;
    const int failed = posix_spawn(&pid, program.c_str(), &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed)
        throw std::runtime_error(
            fmt::format("{} could not be started: {}. Build again.", program.string(), strerror(failed)));
    return wait_for(pid, seconds);
}

// A verdict that says that cudalab itself failed.
Run broken_referee(const Ended& ended, const std::string& complaints, double seconds) {
    Run run;
    run.status = ended.timed_out ? Status::timeout : Status::failed;
    run.headline =
        ended.timed_out
            ? fmt::format("Grading did not end within {:.0f} s.", seconds)
            : "The grader itself failed: " +
                  (complaints.empty() ? fmt::format("it ended with status {}.", ended.status) : complaints);
    run.next_action = ended.timed_out ? "Look for a loop that never ends."
                                      : "This is a fault of cudalab, not of your file. Please report it.";
    return run;
}

// Traces that no published run names and nobody can still be reading.
void sweep_traces(const fs::path& folder, const std::string& mine) {
    const auto limit = fs::file_time_type::clock::now() - std::chrono::minutes(10);
    const std::string latest = read_file(folder / "latest.json").value_or("");
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
        const std::string name = it->path().filename().string();
        if (it->path().extension() != ".trace" || name.rfind(mine, 0) == 0 ||
            latest.find(name) != std::string::npos)
            continue;
        std::error_code none;
        if (it->last_write_time(none) < limit) fs::remove(it->path(), none);
    }
}

simt::toolchain::CompileOptions compile_options(const Home& home, const Tools& tools, const fs::path& file) {
    simt::toolchain::CompileOptions options;
    options.sources = {file.string()};
    options.include_dirs = {home.content.string()};
    options.simt_library = tools.machine.string();
    options.simt_include = tools.simt_include.string();
    return options;
}

// What plays the cases: a compiled exercise and the library of the machine that it runs on.
struct Played {
    std::string program, machine, backend;
    bool fast = false;  // compiled without checks
};

Run play_cases(const Tools& tools, const GradeRequest& request, const Played& played) {
    const fs::path folder = run_folder(request.slug);
    std::error_code failed;
    fs::create_directories(folder, failed);
    const std::string mine = fmt::format("{}-", getpid());
    std::vector<std::string> words = {"--lesson",  request.slug,   "--program", played.program,
                                      "--machine", played.machine, "--backend", played.backend};
    if (!failed && request.traces) words.insert(words.end(), {"--trace-prefix", (folder / mine).string()});
    if (const auto& experiment = request.experiment) {
        words.insert(words.end(),
                     {"--experiment", "--grid", fmt::format("{}", fmt::join(experiment->grid, ","))});
        if (played.fast) words.push_back("--fast");
        if (!request.live.empty()) words.insert(words.end(), {"--live", request.live.string()});
        for (const auto& [name, value] : experiment->settings)
            words.insert(words.end(), {"--set", fmt::format("{}={}", name, value)});
        for (const auto& [name, bytes] : experiment->drawings)
            words.insert(words.end(), {"--drawing", fmt::format("{}={}", name, hex_of(bytes))});
    }
    if (request.timing) words.push_back("--timing");
    if (!request.only_case.empty()) words.insert(words.end(), {"--case", request.only_case});

    const MemoryFile result("cudalab-run"), complaints("cudalab-referee");
    const Ended ended =
        run_referee(tools.referee, words, result.descriptor(), complaints.descriptor(), request.seconds);
    if (!failed) sweep_traces(folder, mine);
    try {
        if (!ended.timed_out) return from_json(result.text());
    } catch (const std::runtime_error&) {
        // No whole Run: the referee has failed, and has said why.
    }
    return broken_referee(ended, std::string(trimmed(complaints.text())), request.seconds);
}

// In as many dimensions as `other`, which stands beside it in the sentence.
std::string blocks_of(const Dim3& grid, const Dim3& other) {
    if (grid.z > 1 || other.z > 1) return fmt::format("{} by {} by {}", grid.x, grid.y, grid.z);
    if (grid.y > 1 || other.y > 1) return fmt::format("{} by {}", grid.x, grid.y);
    return fmt::format("{}", grid.x);
}

// An experiment has one case and is no grading; where its grid was not the program's own, the advice to mend
// the program's grid would be wrong.
void put_experiment(Run& run, const Home& home, const GradeRequest& request) {
    if (run.passed)
        run.headline =
            fmt::format("Right with {}.", describe(load_lesson(home, request.slug), *request.experiment));
    for (const Kernel& kernel : run.kernels) {
        if (!kernel.asked_grid || *kernel.asked_grid == kernel.grid || run.passed) continue;
        const Dim3 &chosen = kernel.grid, &asked = *kernel.asked_grid;
        const std::string blocks = blocks_of(chosen, asked);
        run.next_action =
            fmt::format("You chose a grid of {} {}; line {} launches {}. Put the grid back to as launched.",
                        blocks, blocks == "1" ? "block" : "blocks", kernel.at.line, blocks_of(asked, chosen));
        return;
    }
}

double since(Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
}

Run grade_on_cpu(const Home& home, const Tools& tools, const GradeRequest& request, const fs::path& file) {
    auto options = compile_options(home, tools, file);
    options.use_cache = request.use_compile_cache;
    const bool fast = request.experiment && load_lesson(home, request.slug).fast_experiment;
    if (fast) options.mode = simt::toolchain::Mode::fast;
    const auto program = simt::toolchain::compile(options);
    Run run;
    double run_seconds = 0;
    if (program.ok) {
        const auto start = Clock::now();
        run = play_cases(tools, request, {program.shared_object, tools.machine.string(), "cpu", fast});
        run_seconds = since(start);
        map_columns(run, program);
    }
    put_compilation(run, program);
    run.run_seconds = run_seconds;
    return run;
}

Run grade_on_gpu(const Home& home, const Tools& tools, const GradeRequest& request, const fs::path& file,
                 const GpuSetup& gpu) {
    const std::string machine = machine_for_gpu(gpu, home);
    const GpuProgram program =
        compile_for_gpu(gpu, {{file.string()}, {home.content.string()}, {}}, request.use_compile_cache);
    Run run;
    double run_seconds = 0;
    if (program.ok) {
        const auto start = Clock::now();
        run = play_cases(tools, request, {program.shared_object, machine, "cuda"});
        run_seconds = since(start);
    }
    for (const Finding& finding : run.findings)
        if (finding.kind == "gpu-unavailable") throw std::runtime_error(finding.message + ". " + finding.fix);
    put_compilation(run, program);
    run.backend = "cuda";
    run.device = gpu.cards.front().name;
    run.run_seconds = run_seconds;
    return run;
}

void put_source(Run& run, const GradeRequest& request, const fs::path& file) {
    run.lesson = request.slug;
    run.source = file.string();
    run.source_hash = fingerprint(read_file(file).value_or(""));
    if (run.passed) run.headline = fmt::format("All {} cases pass.", run.cases.size());
    run.exit_code = run.passed ? 0 : 1;
}

// The times of a file that has passed on the GPU, the solution's beside them.
void put_times(Run& run, const Home& home, const Tools& tools, const GradeRequest& request,
               const fs::path& file, const GpuSetup& gpu) {
    GradeRequest again = request;
    again.timing = true;
    again.traces = false;
    const Run mine = grade_on_gpu(home, tools, again, file, gpu);
    if (!mine.times) {
        if (!mine.cases.empty())
            run.times = times_without(gpu, mine.headline);  // it has a timing, which failed
        return;
    }
    run.times = mine.times;
    if (has_solutions(home)) {
        const Run other =
            grade_on_gpu(home, tools, again, load_lesson(home, request.slug).paths.solution, gpu);
        add_solution(*run.times, other.times.value_or(Times{}));
    }
    add_card(*run.times, gpu, home);
}

// The GPU's verdict beside the CPU machine's, which stands alone where no exercise can run on a GPU.
void put_second(Run& run, const Home& home, const Tools& tools, const GradeRequest& request,
                const fs::path& file) {
    const GpuSetup gpu = find_gpu();
    if (!gpu.ready()) return;
    try {
        Run other = grade_on_gpu(home, tools, request, file, gpu);
        put_source(other, request, file);
        add_second(run, other);
        if (other.passed && request.times) put_times(run, home, tools, request, file, gpu);
    } catch (const std::runtime_error& error) {
        run.second = SecondVerdict{gpu.cards.front().name, false, error.what(), 0, 0, 0};
    }
}

// The GPU's verdict where it is asked for; the CPU machine's words where it failed.
Run grade_for_gpu(const Home& home, const Tools& tools, const GradeRequest& request, const fs::path& file) {
    const GpuSetup gpu = find_gpu();
    if (!gpu.ready()) throw std::runtime_error(gpu.problem + " " + gpu.remedy);
    Run run = grade_on_gpu(home, tools, request, file, gpu);
    put_source(run, request, file);
    if (!run.passed && run.status != Status::compile_error) {
        GradeRequest again = request;
        again.traces = false;
        Run cpu = grade_on_cpu(home, tools, again, file);
        put_source(cpu, request, file);
        explain(run, cpu);
    }
    if (run.passed && request.times) put_times(run, home, tools, request, file, gpu);
    return run;
}

}  // namespace

fs::path latest_run_path(const std::string& slug) {
    return run_folder(slug) / "latest.json";
}

Run grade(const Home& home, const GradeRequest& request) {
    const auto start = Clock::now();
    const Tools tools = find_tools(home);
    fs::path file = request.file.empty() ? home.exercises / (request.slug + ".cu") : request.file;
    file = fs::absolute(file).lexically_normal();
    Run run;
    if (request.backend == Backend::cuda) {
        run = grade_for_gpu(home, tools, request, file);
    } else {
        run = grade_on_cpu(home, tools, request, file);
        put_source(run, request, file);
    }
    if (request.backend == Backend::both && run.status != Status::compile_error)
        put_second(run, home, tools, request, file);
    if (request.experiment)
        put_experiment(run, home, request);
    else if (request.backend != Backend::cuda && request.only_case.empty() && !request.timing)
        run.further = judge(load_lesson(home, request.slug).further, run);
    run.exit_code = run.passed ? 0 : 1;
    run.total_seconds = since(start);
    if (request.publish) {
        std::error_code failed;
        fs::create_directories(run_folder(request.slug), failed);
        write_file(latest_run_path(request.slug), to_json(run));
    }
    return run;
}

}  // namespace lab
