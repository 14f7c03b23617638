#include "workbench/play/two_verdicts.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab {

namespace {

int first_failing(const Run& run) {
    const auto found =
        std::find_if(run.cases.begin(), run.cases.end(), [](const Case& one) { return !one.passed; });
    return found == run.cases.end() ? -1 : static_cast<int>(found - run.cases.begin());
}

size_t failing(const Run& run) {
    return static_cast<size_t>(
        std::count_if(run.cases.begin(), run.cases.end(), [](const Case& one) { return !one.passed; }));
}

// The first element that the grader calls wrong on one of them only: "out[17]"; empty: the Runs hold no such array.
std::string where_they_differ(const Run& gpu, const Run& cpu, int case_index) {
    for (const ArrayValues& array : gpu.arrays) {
        const auto other = std::find_if(cpu.arrays.begin(), cpu.arrays.end(), [&](const ArrayValues& a) {
            return a.case_index == array.case_index && a.name == array.name;
        });
        if (array.case_index != case_index || other == cpu.arrays.end()) continue;
        for (uint64_t i = 0; i < std::min(array.elements(), other->elements()); ++i)
            if (array.is_wrong(i) != other->is_wrong(i)) return fmt::format("{}[{}]", array.name, i);
    }
    return "";
}

Finding difference(const Run& gpu, const Run& cpu, const std::string& device) {
    const int index = first_failing(gpu);
    Finding finding;
    finding.kind = "backends-differ";
    finding.case_index = index;
    const std::string where = where_they_differ(gpu, cpu, index);
    finding.message = fmt::format(
        "The GPU ({}) and the CPU machine differ{}: every case passes on the CPU machine, and {} of {} fail "
        "on the GPU",
        device, where.empty() ? "" : " at " + where, failing(gpu), gpu.cases.size());
    finding.fix =
        "Look for what CUDA leaves open and this card does otherwise: the order of blocks, memory that "
        "nobody wrote, "
        "more threads or shared memory than this card has.";
    return finding;
}

}  // namespace

void explain(Run& gpu, const Run& cpu) {
    if (cpu.passed) {
        gpu.findings.insert(gpu.findings.begin(), difference(gpu, cpu, gpu.device));
        return;
    }
    // What the card itself complained of says less than the line and the thread.
    const int shown = first_failing(gpu);
    std::vector<Finding> findings = cpu.findings;
    const bool any_there = std::any_of(findings.begin(), findings.end(),
                                       [&](const Finding& f) { return f.case_index == shown; });
    if (!findings.empty() && !any_there) findings.front().case_index = shown;
    findings.insert(findings.end(), gpu.findings.begin(), gpu.findings.end());
    gpu.findings = std::move(findings);
    if (!cpu.next_action.empty()) gpu.next_action = cpu.next_action;
}

void add_second(Run& cpu, const Run& gpu) {
    SecondVerdict second;
    second.device = gpu.device;
    second.passed = gpu.passed;
    second.headline = gpu.passed ? "" : gpu.headline;
    second.cases = gpu.cases.size();
    second.failed = failing(gpu);
    second.seconds = gpu.compile_seconds + gpu.run_seconds;
    cpu.second = second;
    if (!cpu.passed || gpu.passed) return;
    cpu.passed = false;
    cpu.status = gpu.status == Status::ok ? Status::failed : gpu.status;
    cpu.headline = gpu.headline;
    cpu.next_action = gpu.next_action;
    if (gpu.status == Status::compile_error) {
        cpu.diagnostics = gpu.diagnostics;
        return;
    }
    const Run alone = cpu;
    cpu.cases = gpu.cases;
    cpu.findings.insert(cpu.findings.begin(), difference(gpu, alone, gpu.device));
}

}  // namespace lab
