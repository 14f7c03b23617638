#include "workbench/record/goals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workbench/record/run.h"

namespace lab {

namespace {

constexpr std::string_view of_timeline = "timeline.";

std::optional<double> timeline_value(const Run& run, int case_index, const std::string& name) {
    for (const Timeline& timeline : run.timelines) {
        if (timeline.case_index != case_index) continue;
        const auto found = timeline.metrics.find(name);
        if (found != timeline.metrics.end()) return found->second;
    }
    return {};
}

std::optional<double> launch_value(const Run& run, int case_index, const Goal& goal) {
    std::optional<double> sum;
    for (const Kernel& kernel : run.kernels) {
        if (kernel.case_index != case_index || (!goal.kernel.empty() && kernel.name != goal.kernel)) continue;
        const auto found = kernel.metrics.find(goal.metric);
        // A launch without a count of something did none of it.
        sum = sum.value_or(0) + (found == kernel.metrics.end() ? 0 : found->second);
    }
    return sum;
}

std::optional<double> value_of(const Run& run, const Goal& goal) {
    const auto found = std::find_if(run.cases.begin(), run.cases.end(), [&](const Case& one) {
        return one.name.find(goal.case_name) != std::string::npos;
    });
    if (found == run.cases.end()) return {};
    const int index = static_cast<int>(found - run.cases.begin());
    if (goal.metric.starts_with(of_timeline))
        return timeline_value(run, index, goal.metric.substr(of_timeline.size()));
    return launch_value(run, index, goal);
}

}  // namespace

bool GoalResult::reached() const {
    return value && (goal.at_least ? *value >= goal.bound : *value <= goal.bound);
}

std::vector<GoalResult> judge(const std::vector<Goal>& goals, const Run& run) {
    std::vector<GoalResult> results;
    for (const Goal& goal : goals)
        results.push_back({goal, run.passed ? value_of(run, goal) : std::optional<double>()});
    return results;
}

bool all_reached(const std::vector<GoalResult>& results) {
    return !results.empty() &&
           std::all_of(results.begin(), results.end(), [](const GoalResult& one) { return one.reached(); });
}

std::string describe_number(double value) {
    return std::floor(value) == value ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string describe(const Goal& goal) {
    std::string metric = goal.metric;
    if (metric.starts_with(of_timeline)) metric = metric.substr(of_timeline.size()) + " of the timeline";
    return fmt::format("{}{}: {} {}", metric, goal.kernel.empty() ? "" : " of " + goal.kernel,
                       goal.at_least ? "at least" : "at most", describe_number(goal.bound));
}

}  // namespace lab
