// Every program of faults/ through `cudalab run`'s own path. Line 1 of a program says what it is:
//   // fault: KIND; line: N [; with: M]     an error of that kind at that line must be found
//   // advice: KIND; line: N                no error; advice of that kind may be given
//   // correct                              no error
// Line 2 may say how it is run:
//   // devices: N                           with so many devices
//   // default-stream: per-thread           as with the option of this name
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "tests/fidelity/table.h"
#include "workbench/play/run_program.h"

namespace {

namespace fs = std::filesystem;

struct Expected {
    enum class Type { fault, advice, correct } type = Type::correct;
    std::string kind;
    int line = 0;
};

Expected expectation(const fs::path& program) {
    std::ifstream file(program);
    std::string first;
    std::getline(file, first);
    if (first.rfind("// correct", 0) == 0) return {};
    static const std::regex form(R"(// (fault|advice): ([a-z-]+); line: (\d+).*)");
    std::smatch match;
    if (!std::regex_match(first, match, form))
        throw std::runtime_error("line 1 of " + program.string() + " says nothing: " + first);
    return {match[1] == "fault" ? Expected::Type::fault : Expected::Type::advice, match[2],
            std::stoi(match[3])};
}

void set_conditions(const fs::path& program, lab::ProgramRequest& request) {
    std::ifstream file(program);
    std::string line;
    std::getline(file, line);
    std::getline(file, line);
    std::smatch match;
    static const std::regex devices(R"(// devices: (\d+))"),
        stream(R"(// default-stream: (legacy|per-thread))");
    if (std::regex_match(line, match, devices)) request.devices = std::stoi(match[1]);
    if (std::regex_match(line, match, stream) && match[1] == "per-thread")
        request.defines.emplace_back("CUDA_API_PER_THREAD_DEFAULT_STREAM=1");
}

std::string seen(const lab::Run& run) {
    std::string text;
    for (const lab::Finding& f : run.findings)
        text += fmt::format("{}{} {}:{}", text.empty() ? "" : ", ",
                            f.severity == lab::Severity::advice ? "(advice)" : "", f.kind, f.at.line);
    return text.empty() ? "nothing" : text;
}

std::optional<std::string> verdict(const Expected& expected, const lab::Run& run) {
    if (run.status == lab::Status::compile_error) return "does not compile";
    const auto errors = std::count_if(run.findings.begin(), run.findings.end(), [](const lab::Finding& f) {
        return f.severity == lab::Severity::error;
    });
    if (expected.type != Expected::Type::fault)
        return errors == 0 ? std::nullopt : std::optional("a correct program was accused");
    // The first thing said is the cause. A leak is advice in `cudalab run`: many good programs leak at their
    // end.
    for (const lab::Finding& f : run.findings) {
        if (expected.kind != "leak" && f.severity != lab::Severity::error) continue;
        if (f.kind == expected.kind && f.at.line == expected.line) return std::nullopt;
        if (expected.kind == "unchecked-error") continue;  // its cause is said first
        if (expected.kind != "leak")
            return fmt::format("the first finding is {} at line {}", f.kind, f.at.line);
    }
    return "not found";
}

// What the tools on the card said, and where that differs from what is there to be found.
std::string beside(const Expected& expected, const Row& row) {
    if (row.empty()) return "not measured";
    const std::string& tools = row.at("found_by");
    const std::string& result = row.at("plain_result");
    const bool faulty = expected.type == Expected::Type::fault;
    std::string text = tools.empty() ? "nothing" : tools;
    if (faulty && tools.empty()) text += " (missed)";
    return text + "; " + (result.empty() ? "not run" : result);
}

std::vector<fs::path> programs_of(const char* folder) {
    std::vector<fs::path> programs;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".cu") programs.push_back(entry.path());
    std::sort(programs.begin(), programs.end());
    return programs;
}

lab::Run run_captured(const lab::Home& home, const fs::path& program, lab::Orders orders, bool fast = false) {
    lab::ProgramRequest request;
    request.files = {program};
    request.fast = fast;
    request.streams = lab::Streams::captured;
    request.seconds = 20;
    request.orders = orders;
    set_conditions(program, request);
    return lab::run_program(home, request).run;
}

TEST_CASE("every faulty program gets a finding of its kind at its line, and no correct one gets an error") {
    const lab::Home home = lab::find_home();
    const auto programs = programs_of(FAULTS_DIR);
    std::map<std::string, Row> card;
    for (const Row& row : read_table(SANITIZER_CSV)) card[row.at("program")] = row;
    fmt::print("{:<26} {:<24} {:<8} {:<40} {}\n", "program", "what it is", "verdict", "the CPU machine",
               "compute-sanitizer on an H200; its plain run");
    REQUIRE(programs.size() >= 43);
    for (const fs::path& program : programs) {
        const std::string name = program.stem();
        const Expected expected = expectation(program);
        const lab::Run run = run_captured(home, program, lab::Orders::both);
        const auto wrong = verdict(expected, run);
        fmt::print("{:<26} {:<24} {:<8} {:<40} {}\n", name,
                   expected.kind.empty() ? "correct" : fmt::format("{}:{}", expected.kind, expected.line),
                   !wrong ? "right" : "WRONG", seen(run), beside(expected, card[program.filename()]));
        CHECK_MESSAGE(!wrong, name << ": " << wrong.value_or("") << "; seen: " << seen(run));
    }
}

// Each faulty program of a folder gets a finding of its kind at its line. Each correct one is silent, and prints
// "right", in either order. How many are correct.
int judge_in_both_orders(const std::vector<fs::path>& programs) {
    const lab::Home home = lab::find_home();
    int correct = 0;
    for (const fs::path& program : programs) {
        const std::string name = program.stem();
        const Expected expected = expectation(program);
        if (expected.type != Expected::Type::correct) {
            const lab::Run run = run_captured(home, program, lab::Orders::both);
            const auto wrong = verdict(expected, run);
            fmt::print("{:<36} {:<22} {}\n", name, fmt::format("{}:{}", expected.kind, expected.line),
                       seen(run));
            CHECK_MESSAGE(!wrong, name << ": " << wrong.value_or("") << "; seen: " << seen(run));
            continue;
        }
        ++correct;
        for (const lab::Orders order : {lab::Orders::forward, lab::Orders::reverse}) {
            const lab::Run run = run_captured(home, program, order);
            const auto wrong = verdict(expected, run);
            CHECK_MESSAGE(!wrong, name << ": " << wrong.value_or("") << "; seen: " << seen(run));
            CHECK_MESSAGE(run.output == "right\n", name << " printed: " << run.output);
        }
    }
    fmt::print("{} correct programs, {} others\n", correct, programs.size() - correct);
    return correct;
}

void run_without_checks(const std::vector<fs::path>& programs) {
    for (const fs::path& program : programs) {
        if (expectation(program).type != Expected::Type::correct) continue;
        const lab::Run run = run_captured(lab::find_home(), program, lab::Orders::forward, true);
        CHECK_MESSAGE(run.output == "right\n", program.stem() << " printed in fast mode: " << run.output);
    }
}

// Programs whose threads synchronise by other means than __syncthreads alone: fences with flags, counters and
// locks, __syncwarp, hand-over from block to block. Each faulty one lacks one thing.
TEST_CASE(
    "programs that hand over through fences, flags, locks and warps are judged right in both orders, and "
    "fast mode runs "
    "them") {
    const auto programs = programs_of(ORDERED_DIR);
    CHECK(judge_in_both_orders(programs) >= 50);
    run_without_checks(programs);
}

// Programs whose host and streams must wait for each other. On an H200 the correct ones print "right", too.
TEST_CASE("programs with streams, events, pinned and managed memory are judged right in both orders") {
    const auto programs = programs_of(HOST_DIR);
    CHECK(programs.size() >= 30);
    CHECK(judge_in_both_orders(programs) >= 15);
    const lab::Run run =
        run_captured(lab::find_home(), fs::path(HOST_DIR) / "nobody_waits.cu", lab::Orders::both);
    CHECK(seen(run).find("(advice) not-waited:6") == 0);
}

// Programs with tiles, coalesced groups and grids that meet. The correct ones also run without checks, where their threads
// meet by other means.
TEST_CASE("programs with cooperative groups are judged right in both orders, and fast mode runs them") {
    const auto programs = programs_of(GROUPS_DIR);
    CHECK(programs.size() >= 28);
    CHECK(judge_in_both_orders(programs) >= 12);
    run_without_checks(programs);
}

// Programs with several devices, or with a default stream for each thread. The correct ones also run without checks.
TEST_CASE("programs with several devices or default streams are judged right, and fast mode runs them") {
    const auto programs = programs_of(DEVICES_DIR);
    CHECK(programs.size() >= 26);
    CHECK(judge_in_both_orders(programs) >= 12);
    run_without_checks(programs);
}

// Programs that a checker is easily wrong about: padding, the same bytes in several sizes, memory that is carved, reused or made in
// place, partial warps.
TEST_CASE("programs made to mislead a checker are judged right, and fast mode runs them") {
    const auto programs = programs_of(TRICKY_DIR);
    CHECK(programs.size() >= 40);
    CHECK(judge_in_both_orders(programs) >= 20);
    run_without_checks(programs);
}

}  // namespace
