// gpu-programs: the correct programs of tests/fidelity and tests/unit/headers, and of folders named on the command line,
// on the CPU machine and on the GPU of this computer. A table in Markdown of those that differ in what they print or in
// their exit code. Exit code 0 where none differs, 1 where one does, 77 without a GPU.
//
// A program is correct where its first line says so (`// correct`, `// advice: ...`), or where it says nothing at all:
// the kernels whose counters are known, and the groups of the API. What a faulty program prints is anybody's guess. A
// program that may differ says why near its top: `// On a GPU it differs: REASON`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "workbench/lessons/text.h"
#include "workbench/play/gpu.h"
#include "workbench/play/run_program.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

struct Options {
    std::vector<std::string> folders;
    unsigned workers = std::max(2u, std::thread::hardware_concurrency() / 2);
};

struct Outcome {
    std::string output;
    int exit_code = 0;
    std::string headline;  // not empty: it did not run to its end
};

struct Row {
    fs::path file;
    std::string may_differ;  // why; empty: it may not
    Outcome cpu, gpu;
    bool agrees() const {
        return cpu.headline.empty() && gpu.headline.empty() && cpu.exit_code == gpu.exit_code &&
               cpu.output == gpu.output;
    }
};

constexpr const char* mark_of_difference = "// On a GPU it differs: ";

std::string why_it_may_differ(const std::string& text) {
    const size_t at = text.substr(0, 2000).find(mark_of_difference);
    if (at == std::string::npos) return "";
    const size_t from = at + std::string_view(mark_of_difference).size();
    return text.substr(from, text.find('\n', from) - from);
}

std::vector<Row> correct_programs(const std::vector<std::string>& folders) {
    std::vector<Row> rows;
    for (const std::string& folder : folders) {
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() != ".cu") continue;
            const std::string text = read_file(entry.path()).value_or("");
            if (text.rfind("// fault", 0) != 0)
                rows.push_back({entry.path(), why_it_may_differ(text), {}, {}});
        }
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.file < b.file; });
    return rows;
}

Outcome run_on(const Home& home, const fs::path& file, bool gpu) {
    ProgramRequest request;
    request.files = {file.string()};
    request.on_gpu = gpu;
    request.streams = Streams::captured;
    request.orders = Orders::forward;
    try {
        const Run run = run_program(home, request).run;
        const bool ended =
            run.status == Status::ok || run.status == Status::failed || run.status == Status::findings;
        return {run.output, run.exit_code, ended ? "" : run.headline};
    } catch (const std::exception& error) {
        return {"", -1, error.what()};
    }
}

// The first line in which they differ, for a cell of the table.
std::string first_difference(const std::string& a, const std::string& b) {
    const auto lines = split_lines(a), others = split_lines(b);
    for (size_t i = 0; i < std::max(lines.size(), others.size()); ++i) {
        const std::string_view one = i < lines.size() ? lines[i] : "(nothing)",
                               other = i < others.size() ? others[i] : "(nothing)";
        if (one != other) return fmt::format("line {}: `{}` and `{}`", i + 1, one, other);
    }
    return "";
}

std::string difference(const Row& row) {
    if (!row.cpu.headline.empty()) return "the CPU machine: " + row.cpu.headline;
    if (!row.gpu.headline.empty()) return "the GPU: " + row.gpu.headline;
    if (row.cpu.exit_code != row.gpu.exit_code)
        return fmt::format("exit codes {} and {}; {}", row.cpu.exit_code, row.gpu.exit_code,
                           first_difference(row.cpu.output, row.gpu.output));
    return first_difference(row.cpu.output, row.gpu.output);
}

int compare_all(const Options& options) {
    const GpuSetup gpu = find_gpu();
    if (!gpu.ready()) {
        fmt::print("Skipped: {} {}\n", gpu.problem, gpu.remedy);
        return 77;
    }
    const Home home = find_home();
    std::vector<Row> rows = correct_programs(options.folders);
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i = next++; i < rows.size(); i = next++) {
            rows[i].cpu = run_on(home, rows[i].file, false);
            rows[i].gpu = run_on(home, rows[i].file, true);
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < options.workers; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();

    fmt::print("{}, driver {}, CUDA Toolkit {}\n\n", gpu.cards.front().name, gpu.cards.front().driver,
               gpu.toolkit);
    size_t printing = 0, different = 0, known = 0;
    std::string table;
    for (const Row& row : rows) {
        printing += !row.cpu.output.empty();
        if (row.agrees()) continue;
        ++(row.may_differ.empty() ? different : known);
        table += fmt::format("| {}/{} | {} | {} |\n", row.file.parent_path().filename().string(),
                             row.file.filename().string(), difference(row),
                             row.may_differ.empty() ? "**differs**" : row.may_differ);
    }
    if (!table.empty()) fmt::print("| program | CPU machine and GPU | |\n|-|-|-|\n{}\n", table);
    fmt::print(
        "{} correct programs, {} of them print something: {} do the same on both, {} differ as they say, {} "
        "differ.\n",
        rows.size(), printing, rows.size() - different - known, known, different);
    return different == 0 ? 0 : 1;
}

}  // namespace

}  // namespace lab

int main(int argc, char** argv) {
    lab::Options options;
    CLI::App app(
        "Runs correct programs on the CPU machine and on this computer's GPU, and compares what they print.");
    app.add_option("folders", options.folders, "folders of programs (.cu)")
        ->required()
        ->check(CLI::ExistingDirectory);
    app.add_option("--workers", options.workers, "programs at a time");
    CLI11_PARSE(app, argc, argv);
    return lab::compare_all(options);
}
