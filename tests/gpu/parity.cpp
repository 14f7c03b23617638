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
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
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

// How many errors each of compute-sanitizer's tools counts over a grading on the GPU; -1: no word in 180 s. A failure
// that the grader itself brings about, such as an allocation that can't succeed, counts too.
std::map<std::string, int> ask_sanitizer(const fs::path& cudalab, const std::string& slug,
                                         const fs::path& file) {
    std::map<std::string, int> counts;
    for (const char* tool : kTools) {
        const auto outcome = simt::toolchain::run(
            {"compute-sanitizer", "--target-processes", "all", "--tool", tool, cudalab.string(), "grade",
             slug, file.string(), "--backend", "cuda", "--json"},
            "", 180);
        static const std::regex summary("(?:ERROR|RACECHECK) SUMMARY: ([0-9]+)");
        int errors = 0;
        for (std::sregex_iterator it(outcome.output.begin(), outcome.output.end(), summary), end; it != end;
             ++it)
            errors += std::atoi((*it)[1].str().c_str());
        counts[tool] = outcome.timed_out || !outcome.started ? -1 : errors;
    }
    return counts;
}

// What the tools count beyond what they count for the lesson's solution: "racecheck: 12".
std::string sanitizer_words(const std::map<std::string, int>& counts,
                            std::map<std::string, int> of_solution) {
    std::vector<std::string> words;
    for (const auto& [tool, count] : counts) {
        if (count < 0)
            words.push_back(tool + ": no word in 180 s");
        else if (const int more = count - std::max(0, of_solution[tool]); more > 0)
            words.push_back(fmt::format("{}: {}", tool, more));
    }
    return words.empty() ? "nothing" : fmt::format("{}", fmt::join(words, ", "));
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

std::vector<Program> programs_of(const Home& home, const std::string& only) {
    std::vector<Program> programs;
    for (const Lesson& lesson : load_lessons(home)) {
        if (!only.empty() && lesson.slug.find(only) == std::string::npos) continue;
        const std::string solution = read_file(lesson.paths.solution).value_or("");
        programs.push_back({lesson, "solution", solution, false});
        programs.push_back({lesson, "stub", current_cut(lesson.paths), true});
        for (const Mutant& mutant : lesson.mutants)
            programs.push_back({lesson, mutant.name, apply_mutant(mutant, solution), true});
    }
    return programs;
}

struct Options {
    std::string only;
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
    if (options.sanitizer && (row.hidden || !program.is_mutant))
        row.sanitizer = ask_sanitizer(fs::read_symlink("/proc/self/exe").parent_path() / "cudalab",
                                      program.lesson.slug, file);
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

int compare_all(const Options& options) {
    const GpuSetup gpu = find_gpu();
    if (!gpu.ready()) {
        fmt::print("Skipped: {} {}\n", gpu.problem, gpu.remedy);
        return 77;
    }
    const Home home = find_home();
    const fs::path scratch = fs::temp_directory_path() / fmt::format("cudalab-parity-{}", getpid());
    fs::create_directories(scratch);
    setenv("CUDALAB_DATA", (scratch / "data").c_str(), 1);
    const std::vector<Program> programs = programs_of(home, options.only);
    std::vector<Row> rows(programs.size());
    run_all(programs.size(), options.workers, [&](size_t i) {
        try {
            rows[i] = compare(home, programs[i], scratch, options);
        } catch (const std::exception& error) {
            rows[i].judgement = "**no verdict**: " + one_line(error.what(), 200);
        }
    });
    std::error_code none;
    fs::remove_all(scratch, none);

    fmt::print("{}, driver {}, CUDA Toolkit {}\n\n", gpu.cards.front().name, gpu.cards.front().driver,
               gpu.toolkit);
    fmt::print("| lesson | program | CPU machine | GPU | |{} GPU s |\n|-|-|-|-|-|{}-|\n",
               options.sanitizer ? " compute-sanitizer |" : "", options.sanitizer ? "-|" : "");
    std::map<std::string, std::map<std::string, int>> of_solution;  // slug -> counts
    for (size_t i = 0; i < rows.size(); ++i)
        if (!programs[i].is_mutant) of_solution[programs[i].lesson.slug] = rows[i].sanitizer;
    size_t different = 0, hidden = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        different += !row.agrees;
        hidden += row.hidden;
        const std::string words =
            row.hidden ? sanitizer_words(row.sanitizer, of_solution[programs[i].lesson.slug]) : "";
        fmt::print("| {} | {} | {} | {} | {} |{} {:.2f} |\n", programs[i].lesson.slug, programs[i].name,
                   row.cpu, row.gpu, row.judgement, options.sanitizer ? " " + words + " |" : "",
                   row.gpu_seconds);
    }
    fmt::print("\n{} programs: {} agree, {} of them pass on the GPU only, {} differ.\n", rows.size(),
               rows.size() - different, hidden, different);
    return different == 0 ? 0 : 1;
}

}  // namespace

}  // namespace lab

int main(int argc, char** argv) {
    lab::Options options;
    CLI::App app("Grades every lesson's solution and mutants on the CPU machine and on this computer's GPU.");
    app.add_option("lesson", options.only, "only lessons whose slug has this in it");
    app.add_flag("--sanitizer", options.sanitizer, "ask compute-sanitizer about what passes on the GPU only");
    app.add_option("--workers", options.workers, "gradings at a time");
    CLI11_PARSE(app, argc, argv);
    return lab::compare_all(options);
}
