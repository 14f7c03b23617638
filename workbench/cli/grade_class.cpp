// `cudalab grade LESSON FILE... --csv OUT`: a class's files, each in a process of its own, one row a file.
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/cli/process.h"
#include "workbench/lessons/text.h"
#include "workbench/record/run.h"

namespace lab {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The referee ends every run long before; this is for a process that no longer answers.
constexpr auto longest_wait = std::chrono::minutes(5);

// Summed over all launches of all cases.
constexpr const char* metric_columns[] = {"global_load_sectors",     "global_store_sectors",
                                          "global_ideal_sectors",    "shared_wavefronts",
                                          "shared_ideal_wavefronts", "divergent_branches"};

struct Row {
    fs::path file;
    Run run;
    std::string broken;  // why there is no run; empty: there is one
    bool done = false;
};

// A cell as RFC 4180 has it. Text that a spreadsheet would take for a formula gets an apostrophe: students choose it.
std::string cell(std::string text) {
    if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos)
        text.insert(0, "'");
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + "\"";
}

std::string joined(const std::vector<std::string>& cells) {
    return fmt::format("{}\r\n", fmt::join(cells, ","));
}

std::string head_row(const Lesson& lesson) {
    std::vector<std::string> cells = {"file",          "verdict", "status", "cases_passed", "cases",
                                      "first_finding", "line",    "what",   "try_next"};
    cells.insert(cells.end(), std::begin(metric_columns), std::end(metric_columns));
    for (const Goal& goal : lesson.further) cells.push_back(cell("goal: " + describe(goal)));
    cells.insert(cells.end(), {"gpu", "seconds"});
    return joined(cells);
}

double total(const Run& run, const std::string& metric) {
    double sum = 0;
    for (const Kernel& kernel : run.kernels)
        if (const auto found = kernel.metrics.find(metric); found != kernel.metrics.end())
            sum += found->second;
    return sum;
}

// The first fault's kind and line; of a file that does not compile, the compiler's.
std::pair<std::string, int> first_fault(const Run& run) {
    for (const Finding& finding : run.findings)
        if (finding.severity == Severity::error) return {finding.kind, finding.at.line};
    for (const Diagnostic& diagnostic : run.diagnostics)
        if (diagnostic.level == "error") return {"compile-error", diagnostic.at.line};
    return {"", 0};
}

std::string row_of(const Row& row, const Lesson& lesson) {
    const Run& run = row.run;
    const size_t goals = lesson.further.size(), metrics = std::size(metric_columns);
    if (!row.broken.empty()) {
        std::vector<std::string> cells = {cell(row.file.string()), "not graded", "", "", "", "", "",
                                          cell(row.broken)};
        cells.resize(cells.size() + 1 + metrics + goals + 2);
        return joined(cells);
    }
    const auto passed =
        std::count_if(run.cases.begin(), run.cases.end(), [](const Case& c) { return c.passed; });
    const auto [kind, line] = first_fault(run);
    std::vector<std::string> cells = {cell(row.file.string()),
                                      run.passed ? "passed" : "failed",
                                      name_of(run.status),
                                      std::to_string(passed),
                                      std::to_string(run.cases.size()),
                                      kind,
                                      line > 0 ? std::to_string(line) : "",
                                      cell(run.headline),
                                      cell(run.passed ? "" : run.next_action)};
    for (const char* metric : metric_columns)
        cells.push_back(run.kernels.empty() ? "" : describe_number(total(run, metric)));
    for (size_t i = 0; i < goals; ++i) {
        const bool known = i < run.further.size() && run.further[i].value;
        cells.push_back(known ? describe_number(*run.further[i].value) : "");
    }
    cells.push_back(!run.second ? "" : run.second->passed ? "passed" : "failed");
    cells.push_back(fmt::format("{:.2f}", run.total_seconds));
    return joined(cells);
}

std::string table_of(const std::vector<Row>& rows, const Lesson& lesson) {
    std::string text = head_row(lesson);
    for (const Row& row : rows)
        if (row.done) text += row_of(row, lesson);
    return text;
}

// A folder stands for the .cu files in it. Each file once, in the order of the command line.
std::vector<fs::path> files_of(const std::vector<std::string>& typed) {
    std::vector<fs::path> files;
    std::set<fs::path> seen;
    const auto take = [&](const fs::path& file) {
        std::error_code none;
        const fs::path whole = fs::weakly_canonical(file, none);
        if (seen.insert(none ? file : whole).second) files.push_back(file);
    };
    for (const std::string& name : typed) {
        if (!fs::is_directory(name)) {
            take(name);
            continue;
        }
        std::vector<fs::path> inside;
        for (const auto& entry : fs::directory_iterator(name))
            if (entry.path().extension() == ".cu") inside.push_back(entry.path());
        std::sort(inside.begin(), inside.end());
        for (const fs::path& file : inside) take(file);
    }
    return files;
}

// Grades the rows, some at a time, and calls `told` after each.
class Grading {
  public:
    Grading(std::vector<Row>& rows, const GradeOptions& options, std::function<void(const Row&)> told)
        : rows_(rows), options_(options), told_(std::move(told)) {}

    void run(size_t at_once) {
        while (next_ < rows_.size() || !working_.empty()) {
            while (working_.size() < at_once && next_ < rows_.size()) start(rows_[next_++]);
            wait();
        }
    }

  private:
    struct Working {
        Row* row;
        std::unique_ptr<Child> child;
        Clock::time_point since;
    };

    void start(Row& row) {
        Working work{&row, std::make_unique<Child>(), Clock::now()};
        try {
            work.child->start({own_program().string(), "grade", options_.slug, row.file.string(), "--backend",
                               options_.backend, "--json"},
                              {}, true);
        } catch (const std::runtime_error& error) {
            return finish(row, {}, error.what());
        }
        working_.push_back(std::move(work));
    }

    void wait() {
        std::vector<pollfd> pipes;
        for (const Working& work : working_) pipes.push_back({work.child->descriptor(), POLLIN, 0});
        poll(pipes.data(), pipes.size(), 500);
        for (size_t i = 0; i < working_.size(); ++i)
            if (pipes[i].revents != 0) working_[i].child->read_some();
        for (size_t i = working_.size(); i-- > 0;) {
            Working& work = working_[i];
            const bool late = Clock::now() - work.since > longest_wait;
            if (!work.child->done() && !late) continue;
            const std::string output = work.child->output();
            Row& row = *work.row;
            const bool done = work.child->done();
            if (done) work.child->finish();
            working_.erase(working_.begin() + std::ptrdiff_t(i));
            finish(row, output, done ? "" : "Grading did not end within five minutes and was stopped.");
        }
    }

    void finish(Row& row, const std::string& output, const std::string& broken) {
        row.done = true;
        row.broken = broken;
        if (broken.empty()) {
            try {
                row.run = from_json(output);
            } catch (const std::runtime_error&) {
                row.broken = "The grader left no verdict. Grade this file alone to see what it says.";
            }
        }
        told_(row);
    }

    std::vector<Row>& rows_;
    const GradeOptions& options_;
    std::function<void(const Row&)> told_;
    size_t next_ = 0;
    std::vector<Working> working_;
};

std::string outcome(const Row& row) {
    if (!row.broken.empty()) return row.broken;
    return row.run.passed ? "passed" : row.run.headline;
}

// The first file that cannot be read, in a sentence; empty: all can.
std::string unreadable(const std::vector<fs::path>& files) {
    for (const fs::path& file : files)
        if (!fs::is_regular_file(file) || !read_file(file))
            return fmt::format("{} cannot be read. Nothing was graded. Look at its name and its permissions.",
                               file.string());
    return files.empty() ? "there is no .cu file in what you named." : "";
}

}  // namespace

int command_grade_class(const Home& home, const GradeOptions& options,
                        const std::vector<std::string>& typed) {
    const std::vector<fs::path> files = files_of(typed);
    if (const std::string problem = unreadable(files); !problem.empty()) return complain(false, problem);
    const Lesson lesson = load_lesson(home, options.slug);
    const bool to_stdout = options.csv == "-";
    std::vector<Row> rows;
    for (const fs::path& file : files) rows.push_back({file, {}, {}, false});

    fmt::print(stderr,
               "Each program runs in a child with limits on time, memory, files and output. Limits are no "
               "sandbox: grade\n"
               "what you would not run yourself in a container, or as a user who owns nothing.\n");
    size_t done = 0;
    const auto told = [&](const Row& row) {
        fmt::print(stderr, "{:>{}} of {}  {}: {}\n", ++done, std::to_string(rows.size()).size(), rows.size(),
                   row.file.string(), outcome(row));
        // After every file, so that who stops half way keeps what there is.
        if (!to_stdout) write_file(options.csv, table_of(rows, lesson));
    };
    if (!to_stdout)
        write_file(options.csv, table_of(rows, lesson));  // a place that cannot be written shows now
    const size_t cores = std::max(1u, std::thread::hardware_concurrency());
    // A card is timed and limited by one program at a time.
    Grading(rows, options, told)
        .run(options.backend == "cpu" ? options.jobs > 0 ? size_t(options.jobs) : cores : 1);

    const auto passed =
        std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.run.passed; });
    const auto broken =
        std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.broken.empty(); });
    if (to_stdout) fmt::print("{}", table_of(rows, lesson));
    fmt::print(stderr, "{} of {} passed.{}\n", passed, rows.size(),
               to_stdout ? "" : fmt::format(" {} has a row for each.", options.csv));
    return broken > 0 ? 1 : 0;
}

}  // namespace lab
