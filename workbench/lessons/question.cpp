#include "workbench/lessons/question.h"

#include <fmt/format.h>

#include <set>

namespace lab {
namespace {

constexpr size_t most_findings = 3;

// Longer than any run of backticks in the code.
std::string fence_for(const std::string& code) {
    std::string fence = "```";
    while (code.find(fence) != std::string::npos) fence += '`';
    return fence;
}

std::string quoted(const std::string& text) {
    std::string out = "> ";
    for (const char c : text) out += c == '\n' ? std::string("\n> ") : std::string(1, c);
    return out + "\n";
}

std::string at_line(const Place& at) {
    return at.line > 0 ? fmt::format("Line {}: ", at.line) : "";
}

// Compiler errors, else findings, each kind and line once.
std::string details_of(const Run& run) {
    std::string text;
    std::set<std::string> said;
    for (const Diagnostic& one : run.diagnostics)
        if (one.level == "error" && said.size() < most_findings && said.insert(one.message).second)
            text += quoted(at_line(one.at) + one.message);
    for (const Finding& one : run.findings) {
        if (one.severity != Severity::error || said.size() >= most_findings) continue;
        if (run.headline.find(one.message) != std::string::npos) continue;
        if (said.insert(fmt::format("{} {}", one.kind, one.at.line)).second)
            text += quoted(at_line(one.at) + one.message);
    }
    return text;
}

}  // namespace

std::string as_question(const Lesson& lesson, const Run& run, const std::string& code) {
    const std::string fence = fence_for(code);
    std::string text = fmt::format(
        "I learn CUDA with cudalab, a workbook that runs kernels on a checked CPU machine. I am at lesson "
        "{:02}, \"{}\", "
        "about {}.\n\nMy file, {}:\n\n{}cuda\n{}{}{}\n\n",
        lesson.number, lesson.title, fmt::join(lesson.concepts, ", "),
        lesson.paths.exercise.filename().string(), fence, code,
        code.empty() || code.back() == '\n' ? "" : "\n", fence);
    text += "What cudalab says of it:\n\n" + quoted(run.headline);
    for (const Case& one : run.cases)
        if (!one.passed) {
            text += quoted(fmt::format("In the case \"{}\": {}", one.name, one.message));
            break;
        }
    text += details_of(run);
    if (!run.next_action.empty()) text += quoted(run.next_action);
    return text + "\nWhat have I misunderstood? Please explain the cause, and leave the correction to me.\n";
}

}  // namespace lab
