// What a lesson asks for beyond a pass ("Further"), judged by the run's numbers alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lab {

struct Run;

struct Goal {
    std::string case_name;  // a part of the name of the grader's case that is looked at
    std::string kernel;     // the launches that count; empty: all of the case
    // Of a launch (simt/include/simt/report.md), summed over those launches; "timeline.NAME": of the case's timeline.
    std::string metric;
    double bound = 0;
    bool at_least = false;  // false: at most
};

struct GoalResult {
    Goal goal;
    std::optional<double> value;  // nothing: the run has no such case, launch or metric
    bool reached() const;
};

// Each goal's number in `run`. A run that has not passed reaches nothing: its numbers are left out.
std::vector<GoalResult> judge(const std::vector<Goal>& goals, const Run& run);

bool all_reached(const std::vector<GoalResult>& results);  // false: there is none

// "global_load_requests of saxpy_kernel: at most 256"
std::string describe(const Goal& goal);

// "1024", "39.9"
std::string describe_number(double value);

}  // namespace lab
