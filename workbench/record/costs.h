// Which lines of a launch cost more than their accesses need, in a sentence each.
#pragma once

#include <string>
#include <vector>

#include "workbench/record/run.h"

namespace lab {

// "32 sectors a request, 4 would do" for a line of a kernel; empty: it costs what it must. `metrics` are the
// line's own; a line is named where it takes at least twice what its elements would take side by side (or its
// lanes part at more than half of its branches) for at least 8 warp instructions.
std::string cost_of_line(const Metrics& metrics);

struct CostlyLine {
    std::string kernel;
    Place at;
    std::string sentence;  // cost_of_line
    double excess = 0;     // sectors, passes and parted branches beyond the need, over all launches
};

// The costliest lines of a run first, at most `most` of them; launches of one kernel are taken together.
std::vector<CostlyLine> costly_lines(const Run& run, size_t most);

}  // namespace lab
