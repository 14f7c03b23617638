// What a launch asks of the device besides its counters: what the timeline's model of its duration takes.
#pragma once

#include "simt/checker/metrics.h"
#include "simt/host/durations.h"

namespace simt {

// A warp's access, and a warp's branches, as the log has them.
void note_access(LaunchRun& launch, WarpLog& log, const LogEntry& entry, const AccessCost& cost);
void note_branches(LaunchRun& launch, WarpLog& log, uint64_t count);

timeline::KernelWork work_of(const LaunchRun& launch);

}  // namespace simt
