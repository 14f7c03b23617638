// gpu-parity: every lesson's solution and mutants, on the CPU machine and on the GPU of this computer, as a table in
// Markdown. Exit code 0 where they agree, 1 where they do not, 77 without a GPU.
//
// They agree when both pass or both fail. A mutant may pass on the GPU alone when its fault is one that hardware hides:
// one with a finding (a race that did not bite, a stray read), one that costs time and leaves right values, or one that
// only another card shows: the case that fails plays that card on the CPU machine.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <thread>

#include "simt/toolchain/files.h"
#include "simt/toolchain/process.h"
#include "workbench/lessons/cuts.h"
#include "workbench/lessons/parse.h"
#include "workbench/lessons/text.h"
#include "workbench/play/gpu.h"
#include "workbench/play/grade.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

struct Program {
    Lesson lesson;
    std::string name;  // "solution", or of a mutant
    std::string text;
    bool is_mutant = true;
};

struct Row {
    std::string cpu, gpu, judgement;
    std::map<std::string, int> sanitizer;  // tool -> errors; empty: not asked
    bool agrees = false, hidden = false;
    double gpu_seconds = 0;
};

std::string one_line(std::string text, size_t most) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::replace(text.begin(), text.end(), '|', '/');
    return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::set<std::string> error_kinds(const Run& run) {
    std::set<std::string> kinds;
    for (const Finding& finding : run.findings)
        if (finding.severity == Severity::error) kinds.insert(finding.kind);
    return kinds;
}

bool has_wrong_values(const Run& run) {
    return std::any_of(run.arrays.begin(), run.arrays.end(),
                       [](const ArrayValues& array) { return !array.wrong.empty(); });
}

std::string verdict(const Run& run) {
    if (run.passed) return "passes";
    const auto kinds = error_kinds(run);
    return kinds.empty() ? one_line(run.headline, 90) : fmt::format("{}", fmt::join(kinds, ", "));
}

constexpr const char* kTools[] = {"memcheck", "racecheck", "synccheck", "initcheck"};
constexpr int seconds_a_tool = 120;

bool has_any(const std::set<std::string>& kinds, std::initializer_list<const char*> wanted) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const char* part) {
        return std::any_of(kinds.begin(), kinds.end(),
                           [&](const std::string& kind) { return kind.find(part) != std::string::npos; });
    });
}

// Those of the tools that look for faults of these kinds; memcheck always.
std::vector<std::string> tools_for(const std::set<std::string>& kinds) {
    std::vector<std::string> tools = {kTools[0]};
    if (has_any(kinds, {"race"})) tools.emplace_back(kTools[1]);
    if (has_any(kinds, {"barrier", "sync", "mask", "deadlock"})) tools.emplace_back(kTools[2]);
    if (has_any(kinds, {"uninit", "never-written"})) tools.emplace_back(kTools[3]);
    return tools;
}

// How many errors one tool of compute-sanitizer counts over a grading on the GPU; -1: no word in time.
int errors_by(const std::string& tool, const fs::path& cudalab, const std::string& slug,
              const fs::path& file) {
    const auto outcome = simt::toolchain::run(
        {"compute-sanitizer", "--target-processes", "all", "--tool", tool, cudalab.string(), "grade", slug,
         file.string(), "--backend", "cuda", "--no-times", "--json"},
        "", seconds_a_tool);
    if (outcome.timed_out || !outcome.started) return -1;
    static const std::regex summary("(?:ERROR|RACECHECK) SUMMARY: ([0-9]+)");
    int errors = 0;
    for (std::sregex_iterator it(outcome.output.begin(), outcome.output.end(), summary), end; it != end; ++it)
        errors += std::atoi((*it)[1].str().c_str());
    return errors;
}

// The counts of all of these tools, which work beside each other. A failure that the grader itself brings about, such
// as an allocation that can't succeed, counts too.
std::map<std::string, int> ask_sanitizer(const fs::path& cudalab, const std::string& slug,
                                         const fs::path& file, const std::vector<std::string>& tools) {
    std::map<std::string, std::future<int>> answers;
    for (const std::string& tool : tools)
        answers[tool] =
            std::async(std::launch::async, [&, tool] { return errors_by(tool, cudalab, slug, file); });
    std::map<std::string, int> counts;
    for (auto& [tool, answer] : answers) counts[tool] = answer.get();
    return counts;
}

std::vector<std::string> names_of(const std::map<std::string, int>& counts) {
    std::vector<std::string> names;
    for (const auto& [tool, count] : counts) names.push_back(tool);
    return names;
}

// What the tools count beyond what they count for the lesson's solution: "racecheck: 12".
std::string sanitizer_words(const std::map<std::string, int>& counts,
                            std::map<std::string, int> of_solution) {
    std::vector<std::string> words;
    for (const auto& [tool, count] : counts) {
        if (count < 0)
            words.push_back(fmt::format("{}: no word in {} s", tool, seconds_a_tool));
        else if (const int more = count - std::max(0, of_solution[tool]); more > 0)
            words.push_back(fmt::format("{}: {}", tool, more));
    }
    return words.empty() ? fmt::format("{}: nothing", fmt::join(names_of(counts), ", "))
                         : fmt::format("{}", fmt::join(words, ", "));
}

// Do all cases that fail play a card that is not this GPU?
bool fails_on_another_card(const Run& cpu, const std::string& gpu) {
    bool any = false;
    for (size_t i = 0; i < cpu.cases.size(); ++i) {
        if (cpu.cases[i].passed) continue;
        const auto device =
            std::find_if(cpu.devices.begin(), cpu.devices.end(),
                         [&](const DeviceLimits& one) { return one.case_index == static_cast<int>(i); });
        if (device == cpu.devices.end() || device->name == gpu) return false;
        any = true;
    }
    return any;
}

Row judge(const Run& cpu, const Run& gpu, bool is_mutant) {
    Row row;
    row.cpu = verdict(cpu);
    row.gpu = gpu.passed ? "passes" : one_line(gpu.headline, 90);
    row.gpu_seconds = gpu.run_seconds;
    row.hidden = is_mutant && !cpu.passed && gpu.passed;
    const bool another_card = fails_on_another_card(cpu, gpu.device);
    const bool may_hide = another_card || !error_kinds(cpu).empty() || !has_wrong_values(cpu);
    row.agrees = is_mutant ? !cpu.passed && (!gpu.passed || may_hide) : cpu.passed && gpu.passed;
    row.judgement = !row.agrees                ? "**differs**"
                    : !row.hidden              ? "same"
                    : another_card             ? "shown by another card only"
                    : error_kinds(cpu).empty() ? "right values, only dearer"
                                               : "hidden by the hardware";
    return row;
}

bool is_asked_for(const std::string& slug, const std::vector<std::string>& only) {
    return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& part) {
               return slug.find(part) != std::string::npos;
           });
}

std::vector<Program> programs_of(const Home& home, const std::vector<std::string>& only) {
    std::vector<Program> programs;
    for (const Lesson& lesson : load_lessons(home)) {
        if (!is_asked_for(lesson.slug, only)) continue;
        const std::string solution = read_file(lesson.paths.solution).value_or("");
        programs.push_back({lesson, "solution", solution, false});
        programs.push_back({lesson, "stub", current_cut(lesson.paths), true});
        for (const Mutant& mutant : lesson.mutants)
            programs.push_back({lesson, mutant.name, apply_mutant(mutant, solution), true});
    }
    return programs;
}

struct Options {
    std::vector<std::string> only;
    bool sanitizer = false;
    unsigned workers = std::max(2u, std::thread::hardware_concurrency() / 2);
};

Row compare(const Home& home, const Program& program, const fs::path& scratch, const Options& options) {
    const fs::path file = scratch / fmt::format("{}_{}.cu", program.lesson.slug, program.name);
    write_file(file, program.text);
    GradeRequest request;
    request.slug = program.lesson.slug;
    request.file = file;
    request.traces = false;
    const Run cpu = grade(home, request);
    request.backend = Backend::cuda;
    Row row = judge(cpu, grade(home, request), program.is_mutant);
    // A program that is only dear has no fault that the tools could name.
    if (options.sanitizer && ((row.hidden && !error_kinds(cpu).empty()) || !program.is_mutant))
        row.sanitizer = ask_sanitizer(
            fs::read_symlink("/proc/self/exe").parent_path() / "cudalab", program.lesson.slug, file,
            row.hidden ? tools_for(error_kinds(cpu))
                       : std::vector<std::string>(std::begin(kTools), std::end(kTools)));
    return row;
}

void run_all(size_t count, unsigned workers, const std::function<void(size_t)>& job) {
    std::atomic<size_t> next{0};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < workers; ++i)
        threads.emplace_back([&] {
            for (size_t at = next++; at < count; at = next++) job(at);
        });
    for (std::thread& thread : threads) thread.join();
}

// Prints the rows in the order of the programs, each as soon as those in front of it are there: what stands in the
// table stays when the run is stopped.
class Table {
  public:
    Table(std::vector<Program> programs, bool sanitizer)
        : programs_(std::move(programs)),
          rows_(programs_.size()),
          done_(programs_.size()),
          sanitizer_(sanitizer) {
        fmt::print("| lesson | program | CPU machine | GPU | |{} GPU s |\n|-|-|-|-|-|{}-|\n",
                   sanitizer ? " compute-sanitizer |" : "", sanitizer ? "-|" : "");
        std::fflush(stdout);
    }

    void put(size_t at, Row row) {
        const std::lock_guard<std::mutex> guard(lock_);
        rows_[at] = std::move(row);
        done_[at] = true;
        while (printed_ < rows_.size() && done_[printed_]) print(printed_++);
        std::fflush(stdout);
    }

    // The line under the table. Returns how many rows differ.
    size_t sum_up() const {
        fmt::print("\n{} programs: {} agree, {} of them pass on the GPU only, {} differ.\n", rows_.size(),
                   rows_.size() - different_, hidden_, different_);
        return different_;
    }

    // For a run that is stopped: the rows that wait for one in front of them, and how many programs have none.
    void print_what_there_is() {
        const std::lock_guard<std::mutex> guard(lock_);
        for (size_t at = printed_; at < rows_.size(); ++at)
            if (done_[at]) print(at);
        const auto there = std::count(done_.begin(), done_.end(), true);
        fmt::print("\nStopped: {} of {} programs have a row, {} of them pass on the GPU only, {} differ.\n",
                   there, rows_.size(), hidden_, different_);
        std::fflush(stdout);
    }

  private:
    void print(size_t at) {
        const Program& program = programs_[at];
        const Row& row = rows_[at];
        if (!program.is_mutant) of_solution_[program.lesson.slug] = row.sanitizer;
        different_ += !row.agrees;
        hidden_ += row.hidden;
        const std::string words = row.hidden && !row.sanitizer.empty()
                                      ? sanitizer_words(row.sanitizer, of_solution_[program.lesson.slug])
                                      : "";
        fmt::print("| {} | {} | {} | {} | {} |{} {:.2f} |\n", program.lesson.slug, program.name, row.cpu,
                   row.gpu, row.judgement, sanitizer_ ? " " + words + " |" : "", row.gpu_seconds);
    }

    const std::vector<Program> programs_;
    std::vector<Row> rows_;
    std::vector<bool> done_;
    bool sanitizer_;
    std::mutex lock_;
    size_t printed_ = 0, different_ = 0, hidden_ = 0;
    std::map<std::string, std::map<std::string, int>> of_solution_;  // slug -> counts
};

volatile std::sig_atomic_t stop_signal = 0;

// Ctrl+C, or the end of the time that `timeout` gave, leaves what stands in the table.
void leave_the_table_when_stopped(Table& table) {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int number) { stop_signal = number; });
    std::thread([&table] {
        while (stop_signal == 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        table.print_what_there_is();
        _exit(128 + stop_signal);
    }).detach();
}

int compare_all(const Options& options) {
    const GpuSetup gpu = find_gpu();
    if (!gpu.ready()) {
        fmt::print("Skipped: {} {}\n", gpu.problem, gpu.remedy);
        return 77;
    }
    const Home home = find_home();
    const std::vector<Program> programs = programs_of(home, options.only);
    if (programs.empty()) {
        fmt::print(stderr, "No lesson has {} in its name. `cudalab list` shows the lessons.\n",
                   fmt::join(options.only, " or "));
        return 2;
    }
    const fs::path scratch = fs::temp_directory_path() / fmt::format("cudalab-parity-{}", getpid());
    fs::create_directories(scratch);
    setenv("CUDALAB_DATA", (scratch / "data").c_str(), 1);
    fmt::print("{}, driver {}, CUDA Toolkit {}\n\n", gpu.cards.front().name, gpu.cards.front().driver,
               gpu.toolkit);
    static Table table(programs,
                       options.sanitizer);  // for the rest of the process: a signal's thread prints it
    leave_the_table_when_stopped(table);
    run_all(programs.size(), options.workers, [&](size_t i) {
        Row row;
        try {
            row = compare(home, programs[i], scratch, options);
        } catch (const std::exception& error) {
            row.judgement = "**no verdict**: " + one_line(error.what(), 200);
        }
        table.put(i, std::move(row));
    });
    std::error_code none;
    fs::remove_all(scratch, none);
    return table.sum_up() == 0 ? 0 : 1;
}

}  // namespace

}  // namespace lab

int main(int argc, char** argv) {
    lab::Options options;
    CLI::App app("Grades every lesson's solution and mutants on the CPU machine and on this computer's GPU.");
    app.add_option("lessons", options.only, "only lessons whose slug has one of these in it");
    app.add_flag("--sanitizer", options.sanitizer,
                 "ask compute-sanitizer about faulty programs that pass on the GPU only");
    app.add_option("--workers", options.workers, "gradings at a time");
    CLI11_PARSE(app, argc, argv);
    return lab::compare_all(options);
}
