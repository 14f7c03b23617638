// Every program of faults/ through `cudalab run`'s own path. Line 1 of a program says what it is:
//   // fault: KIND; line: N [; with: M]     an error of that kind at that line must be found
//   // advice: KIND; line: N                no error; advice of that kind may be given
//   // correct                              no error
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>

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

// Streams are still executed in order and at once, so that what goes wrong between them cannot be seen yet.
const std::set<std::string> needs_lazy_streams = {"async_read_too_early", "nonblocking_vs_default",
                                                  "streams_no_event", "managed_touched"};

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

TEST_CASE("every faulty program gets a finding of its kind at its line, and no correct one gets an error") {
    const lab::Home home = lab::find_home();
    std::vector<fs::path> programs;
    for (const auto& entry : fs::directory_iterator(FAULTS_DIR)) programs.push_back(entry.path());
    std::sort(programs.begin(), programs.end());
    REQUIRE(programs.size() >= 44);
    for (const fs::path& program : programs) {
        const std::string name = program.stem();
        const Expected expected = expectation(program);
        lab::ProgramRequest request;
        request.files = {program};
        request.streams = lab::Streams::captured;
        request.seconds = 20;
        const lab::Run run = lab::run_program(home, request).run;
        const auto wrong = verdict(expected, run);
        fmt::print("{:<26} {:<24} {:<10} {}\n", name,
                   expected.kind.empty() ? "correct" : fmt::format("{}:{}", expected.kind, expected.line),
                   !wrong                                ? "right"
                   : needs_lazy_streams.count(name) != 0 ? "not yet"
                                                         : "WRONG",
                   seen(run));
        if (needs_lazy_streams.count(name) != 0) {
            // Kept honest: once the machine sees one of these, it leaves the list.
            CHECK_MESSAGE(wrong,
                          name << " is judged right now: take it off the list of what cannot be seen yet");
            continue;
        }
        CHECK_MESSAGE(!wrong, name << ": " << wrong.value_or("") << "; seen: " << seen(run));
    }
}

}  // namespace
