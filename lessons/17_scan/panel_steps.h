// What the panel shows, derived from a run: the steps in which the threads of a block pass sums on, through shared memory or by
// shuffles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab::lesson_17_scan {

constexpr int warp_lanes = 32;

// From what a thread had read (or which lane it asked) to what it then wrote (or holds). Columns of its step.
struct Line {
    int from = 0, to = 0;
};

struct Cell {
    bool worked = false;     // written in this step; of a shuffle: the lane came
    bool has_value = false;  // only of shuffles that another one follows, and of what goes into the first
    int thread = -1;         // of the block, that wrote it
    uint32_t step = 0;       // of that thread's warp
    int64_t value = 0;       // after the step
    int64_t brought = 0, got = 0;  // of a shuffle
};

// The stores between two barriers with what was read for them, or one shuffle of each warp. Before a row of shuffles goes
// a step of distance 0: what the lanes bring to the first.
struct Step {
    bool is_shuffle = false;
    int distance = 0;             // of a shuffle
    int line = 0;                 // of the learner's file
    int requests = 0, turns = 0;  // of warps at shared memory, reads included
    std::vector<Cell> cells;      // a column each: a place of 4 bytes in shared memory, of a shuffle a thread
    std::vector<Line> lines;
    int workers() const;  // cells that worked
};

// The first block of a launch that the trace holds.
struct Ladder {
    const Kernel* kernel = nullptr;
    uint32_t block = 0;
    std::vector<Step> steps;
    size_t columns = 0;                     // of the widest step
    double metric(const char* name) const;  // of the whole launch; 0: not counted
};

// By launch, in order. The bundle must outlive what comes back.
std::vector<Ladder> ladders_of(const RunBundle& bundle, int case_index);

// All cells that reach (step, column) by lines and by staying where they are, step by step upwards; a bit a column.
std::vector<std::vector<bool>> sources_of(const Ladder& ladder, size_t step, int column);

}  // namespace lab::lesson_17_scan
