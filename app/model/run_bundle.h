// A Run with its traces, read and ready for the panels. Shared between threads, so it never changes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simt/include/simt/trace.h"
#include "workbench/record/run.h"

namespace lab {

using TracePtr = std::shared_ptr<const simt::trace::Reader>;

struct RunBundle {
    Run run;
    std::vector<TracePtr> traces;  // one a case; null: that case has none
    std::string problem;           // the run could not be made or read: a sentence; empty otherwise
    uint64_t id = 0;               // of this run among all that were read, for Cursor::run; copies keep it
    std::string origin;            // "exercise", "solution", "mutant NAME" or "try"
};
using RunPtr = std::shared_ptr<const RunBundle>;

// From what `cudalab grade --json` printed. Never throws: what is wrong stands in `problem`.
RunPtr read_run(const std::string& json, const std::string& complaints, const std::string& origin);

// The case that a learner should look at first: the first that failed and has a trace, else the first with a
// trace, else 0.
int case_to_show(const RunBundle& bundle);

}  // namespace lab
