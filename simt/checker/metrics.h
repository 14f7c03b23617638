// Turns what a warp did into counts, as the hardware's counters would: requests, sectors, lines, wavefronts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "simt/machine/launch_run.h"

namespace simt {

// Counts the warp's log into the launch's sites and writes it to the trace.
void account(BlockRun& block, unsigned warp, WarpLog& log);

// Writes a shuffle, vote or the like of a traced block to the trace, within its budget. The caller fills the header but
// for launch, block, place and kind. line: the call's in the learner's file; 0: that of pc.
void write_exchange(const BlockRun& block, trace::RecordHeader header, const trace::WarpExchange& exchange,
                    const void* pc, int line);

// Writes what the race checker noted of a traced block's thread to the trace, within its budget.
struct OrderPlace {
    int line = 0;            // in the learner's file; 0: that of the lane's last access
    bool is_logged = false;  // the access that it belongs to is the last in the warp's log, not the next
};
void write_order(const Lane& lane, trace::OrderOperation operation, const trace::OrderEvent& event,
                 OrderPlace place);

// Whether a block's instructions go into the trace: all of them in a small launch; in a large one the first,
// the last and some between. A block with a finding is added when the finding is made.
bool should_trace(const LaunchRun& launch, uint64_t block);

// What one access of a warp costs. Addresses of the lanes in `mask`.
struct AccessCost {
    unsigned sectors = 0;  // distinct 32-byte sectors; for atomics see shared/fidelity: per sector the most
                           // lanes on one element
    unsigned distinct_sectors = 0;  // the same for every kind
    unsigned lines = 0;             // distinct 128-byte lines
    unsigned ideal_sectors = 0;     // were the lanes' elements packed
    unsigned wavefronts = 0;        // shared memory: passes through the banks
    unsigned ideal_wavefronts = 0;
    unsigned addresses = 0;  // constant memory: different ones
    unsigned words = 0;      // local memory: a request for each word of a lane (on an H200)
};
AccessCost cost_of(const LogEntry& entry);

// Registers a thread: nvcc's, or the estimate.
int registers_of(const LaunchRun& launch);

// {"metrics": {...}, "lines": [...]} of a launch that has ended.
nlohmann::ordered_json metrics_json(const LaunchRun& launch);

}  // namespace simt
