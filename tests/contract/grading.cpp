// The checks that run something: stub, solution, mutants, and the programs that prove quiz answers.
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <thread>

#include "tests/contract/contract.h"
#include "workbench/lessons/cuts.h"
#include "workbench/lessons/parse.h"
#include "workbench/lessons/text.h"
#include "workbench/play/grade.h"
#include "workbench/record/run.h"

namespace lab {

namespace {

std::string quoted(const std::string& text) {
    std::string safe = "'";
    for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return safe + "'";
}

struct Ended {
    int code = -1;
    std::string output;  // stdout
};

Ended run_shell(const std::string& command) {
    Ended ended;
    FILE* pipe = popen(("timeout -k 5 120 " + command + " </dev/null").c_str(), "r");
    if (!pipe) return ended;
    char piece[65536];
    while (const size_t count = fread(piece, 1, sizeof piece, pipe)) ended.output.append(piece, count);
    const int status = pclose(pipe);
    ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ended;
}

// Grades `text` as the lesson's exercise. Throws where no Run comes back.
Run grade_text(const Subject& subject, const std::string& name, const std::string& text) {
    const std::filesystem::path file = subject.scratch / (name + ".cu");
    write_file(file, text);
    const Ended ended = run_shell(fmt::format("{} grade {} {} --json", quoted(subject.cudalab.string()),
                                              subject.lesson.slug, quoted(file.string())));
    Run run = from_json(ended.output);
    if (ended.code != (run.passed ? 0 : 1))
        throw std::runtime_error(fmt::format("exit code {}, though the record says {}", ended.code,
                                             run.passed ? "passed" : "failed"));
    return run;
}

// What failed, in one line.
std::string summary(const Run& run) {
    std::string text = run.passed ? "passed" : run.headline.empty() ? name_of(run.status) : run.headline;
    return text.substr(0, text.find('\n'));
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

bool says(const Run& run, const std::string& part) {
    if (contains(run.headline, part) || contains(run.next_action, part)) return true;
    for (const Case& one : run.cases)
        if (contains(one.message, part)) return true;
    for (const Finding& finding : run.findings)
        if (contains(finding.message, part) || contains(finding.fix, part)) return true;
    return false;
}

std::string kinds_of(const Run& run) {
    std::vector<std::string> kinds;
    for (const Finding& finding : run.findings)
        if (std::find(kinds.begin(), kinds.end(), finding.kind) == kinds.end()) kinds.push_back(finding.kind);
    return kinds.empty() ? "no finding" : fmt::format("{}", fmt::join(kinds, ", "));
}

Check check_stub(const Subject& subject) {
    Check check{"stub", "compiles, fails", false, "", 0};
    const Run run = grade_text(subject, "stub", current_cut(subject.lesson.paths));
    check.holds = run.status != Status::compile_error && !run.passed && !run.cases.empty();
    check.came = summary(run);
    return check;
}

Check check_solution(const Subject& subject, const char* what, const std::string& text) {
    Check check{what, "passes, no finding", false, "", 0};
    const Run run = grade_text(subject, what, text);
    check.holds = run.passed && run.findings.empty() && !run.cases.empty();
    check.came = run.passed ? fmt::format("passed, {}", kinds_of(run)) : summary(run);
    return check;
}

// What a GPU is timed with plays on the CPU machine, too, where it is small.
Check check_timing(const Subject& subject) {
    Check check{"timing", "the solution passes, no finding", false, "", 0};
    GradeRequest request;
    request.slug = subject.lesson.slug;
    request.file = subject.lesson.paths.solution;
    request.timing = true;
    request.traces = false;
    const Run run = grade(subject.home, request);
    check.holds = run.passed && run.findings.empty() && run.cases.size() == 1 && !run.kernels.empty();
    check.came =
        run.passed ? fmt::format("{} launches, {}", run.kernels.size(), kinds_of(run)) : summary(run);
    return check;
}

// The solution alone misses a goal, and the edits that the lesson keeps for it reach them all.
Check check_further(const Subject& subject, const std::string& solution) {
    Check check{"further", "missed by the solution, reached by its edits", false, "", 0};
    const Run before = grade_text(subject, "further_before", solution);
    for (const GoalResult& one : before.further)
        if (!one.value)
            check.came = fmt::format("the solution has no number for `{}` in \"{}\"", describe(one.goal),
                                     one.goal.case_name);
    if (!check.came.empty()) return check;
    const Run after = grade_text(subject, "further", apply_further(subject.lesson, solution));
    std::vector<std::string> numbers;
    for (const GoalResult& one : after.further)
        numbers.push_back(fmt::format("{}{}", one.value ? describe_number(*one.value) : "none",
                                      one.reached() ? "" : " (" + describe(one.goal) + ")"));
    check.came = after.passed ? fmt::format("{}", fmt::join(numbers, ", ")) : summary(after);
    check.holds =
        !all_reached(before.further) && after.passed && after.findings.empty() && all_reached(after.further);
    if (all_reached(before.further)) check.came = "the solution reaches it already";
    return check;
}

Check check_mutant(const Subject& subject, const Mutant& mutant, const std::string& solution) {
    const std::string reasons = mutant.finding.empty() ? "" : mutant.finding;
    Check check{
        "mutant " + mutant.name,
        reasons + (mutant.fails.empty() ? "" : (reasons.empty() ? "" : "; ") + ("fails: " + mutant.fails)),
        false, "", 0};
    const Run run = grade_text(subject, "mutant_" + mutant.name, apply_mutant(mutant, solution));
    check.came = summary(run);
    if (run.passed) return check;
    if (run.status == Status::compile_error) {
        check.came = "it does not compile: " + check.came;
        return check;
    }
    const bool found =
        mutant.finding.empty() || std::any_of(run.findings.begin(), run.findings.end(),
                                              [&](auto& f) { return f.kind == mutant.finding; });
    const bool failed = mutant.fails.empty() || std::any_of(run.cases.begin(), run.cases.end(), [&](auto& c) {
                            return !c.passed && contains(c.name, mutant.fails);
                        });
    const bool said = mutant.says.empty() || says(run, mutant.says);
    check.holds = found && failed && said;
    if (!found) check.came = fmt::format("{} [{}]", kinds_of(run), check.came);
    if (!failed) check.came = fmt::format("no such case failed [{}]", check.came);
    if (!said) check.came = fmt::format("nothing says `{}` [{}]", mutant.says, check.came);
    return check;
}

// One run of the lesson's experiment, with one slider moved off its start (or none).
Check check_try(const Subject& subject, const std::string& what, const std::string& text,
                const std::string& setting, bool passes) {
    Check check{what, passes ? "right, no finding" : "compiles, wrong", false, "", 0};
    std::string name = what;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '='; }, '_');
    const std::filesystem::path file = subject.scratch / (name + ".cu");
    write_file(file, text);
    const Ended ended =
        run_shell(fmt::format("{} try {} {} --file {} --json", quoted(subject.cudalab.string()),
                              subject.lesson.slug, setting, quoted(file.string())));
    const Run run = from_json(ended.output);
    check.came = summary(run);
    const bool did_something =
        !run.kernels.empty() || !run.timelines.empty();  // a lesson may be about copies
    const bool played =
        run.status != Status::compile_error && run.cases.size() == 1 && (!passes || did_something);
    check.holds =
        played && run.passed == passes && ended.code == (passes ? 0 : 1) && (!passes || run.findings.empty());
    return check;
}

// What the program of a quiz must print, line by line.
std::string expected_output(const Quiz& quiz) {
    if (quiz.kind == QuizKind::output) return quiz.output;
    std::string lines;
    for (const QuizOption& option : quiz.options) {
        const bool choice = quiz.kind == QuizKind::one || quiz.kind == QuizKind::several;
        if (choice && !option.right) continue;
        const std::string text = quiz.kind == QuizKind::match ? option.match : option.text;
        lines += (option.value.empty() ? without_backticks(text) : option.value) + "\n";
    }
    return lines;
}

std::string without_trailing_space(const std::string& text) {
    std::string plain;
    for (std::string_view line : split_lines(text)) {
        const auto end = line.find_last_not_of(" \t");
        plain.append(line.substr(0, end == std::string_view::npos ? 0 : end + 1)).push_back('\n');
    }
    while (!plain.empty() && plain.back() == '\n') plain.pop_back();
    return plain;
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', '|');
    return text.substr(0, 100);
}

Check check_quiz(const Subject& subject, const Quiz& quiz) {
    Check check{"quiz " + quiz.id, "", false, "", 0};
    const std::filesystem::path file = subject.scratch / ("quiz_" + quiz.id + ".cu");
    const std::filesystem::path record = subject.scratch / ("quiz_" + quiz.id + ".json");
    write_file(file, quiz.verify);
    const Ended ended = run_shell(fmt::format("{} run {} --json {} 2>&1", quoted(subject.cudalab.string()),
                                              quoted(file.string()), quoted(record.string())));
    const auto text = read_file(record);
    if (!text)
        throw std::runtime_error(fmt::format("its verify program left no record (exit code {}): {}",
                                             ended.code, one_line(ended.output)));
    const Run run = from_json(*text);
    if (!quiz.verify_finding.empty()) {
        check.wanted = "finding " + quiz.verify_finding;
        check.came = kinds_of(run);
        check.holds = std::any_of(run.findings.begin(), run.findings.end(),
                                  [&](auto& f) { return f.kind == quiz.verify_finding; });
        return check;
    }
    // A question about a faulty program may well have findings; what it prints is what counts.
    if (run.status != Status::ok && run.status != Status::findings) {
        check.wanted = "a run to its end";
        check.came = summary(run);
        return check;
    }
    if (quiz.kind == QuizKind::number) {
        double value = 0;
        if (quiz.verify_metric.empty()) {
            value = std::strtod(run.output.c_str(), nullptr);
        } else {
            for (const Kernel& kernel : run.kernels)
                if (const auto metric = kernel.metrics.find(quiz.verify_metric);
                    metric != kernel.metrics.end())
                    value += metric->second;
        }
        check.wanted =
            fmt::format("{}{}{}", quiz.verify_metric, quiz.verify_metric.empty() ? "" : " = ", quiz.answer);
        check.came = quiz.verify_metric.empty() ? one_line(run.output) : fmt::format("{}", value);
        check.holds = std::fabs(value - quiz.answer) <= quiz.tolerance + 1e-9 &&
                      (!run.output.empty() || !quiz.verify_metric.empty());
        return check;
    }
    const std::string wanted = without_trailing_space(expected_output(quiz)),
                      came = without_trailing_space(run.output);
    check.wanted = one_line(wanted);
    check.came = one_line(came);
    check.holds = wanted == came;
    return check;
}

using Job = std::function<Check()>;
using Jobs = std::vector<std::pair<std::string, Job>>;

void add_tries(Jobs& jobs, const Subject& subject, const std::string& solution) {
    if (subject.lesson.sliders.empty()) return;
    const auto add = [&](const std::string& what, const std::string& text, const std::string& setting,
                         bool passes) {
        jobs.emplace_back(what, [=, &subject] { return check_try(subject, what, text, setting, passes); });
    };
    add("try stub", current_cut(subject.lesson.paths), "", false);
    add("try solution", solution, "", true);
    for (const Slider& slider : subject.lesson.sliders)
        for (const int value : {slider.from, slider.to}) {
            const std::string setting = fmt::format("{}={}", slider.name, value);
            add("try " + setting, solution, setting, true);
        }
    add("try grid=1", solution, "grid=1", subject.lesson.any_grid);
}

// Runs all jobs on a few threads; the checks come in the order of the jobs.
std::vector<Check> run_all(const Jobs& jobs, unsigned workers) {
    std::vector<Check> checks(jobs.size());
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i = next++; i < jobs.size(); i = next++) {
            const auto begin = std::chrono::steady_clock::now();
            try {
                checks[i] = jobs[i].second();
            } catch (const std::exception& error) {
                checks[i] = {jobs[i].first, "a record", false, one_line(error.what()), 0};
            }
            checks[i].seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < workers; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    return checks;
}

}  // namespace

std::vector<Check> check_by_running(const Subject& subject, unsigned workers) {
    const auto solution = read_file(subject.lesson.paths.solution);
    if (!solution) return {{"solution", "a file", false, "it can't be read", 0}};
    Jobs jobs;
    jobs.emplace_back("stub", [&] { return check_stub(subject); });
    jobs.emplace_back("solution", [&] { return check_solution(subject, "solution", *solution); });
    jobs.emplace_back("solution as shown", [&] {
        return check_solution(subject, "solution as shown", clean_solution(*solution));
    });
    jobs.emplace_back("further", [&] { return check_further(subject, *solution); });
    std::error_code none;
    if (std::filesystem::exists(subject.lesson.paths.grader.parent_path() / "timing.cpp", none))
        jobs.emplace_back("timing", [&] { return check_timing(subject); });
    for (const Mutant& mutant : subject.lesson.mutants)
        jobs.emplace_back("mutant " + mutant.name, [&] { return check_mutant(subject, mutant, *solution); });
    for (const Quiz& quiz : subject.lesson.quizzes)
        if (!quiz.verify.empty())
            jobs.emplace_back("quiz " + quiz.id, [&] { return check_quiz(subject, quiz); });
    add_tries(jobs, subject, *solution);
    return run_all(jobs, workers);
}

}  // namespace lab
