// What the panel shows, derived from a run: which lanes came to which counter in one instruction, and which lanes
// won and lost at each compare-and-swap.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab::lesson_12_atomics {

constexpr int lanes = 32, counters = 26;

// One instruction of a warp that changes counters.
struct Arrival {
    uint32_t block = 0, step = 0, phase = 0, mask = 0;
    int warp = 0, line = 0;
    bool shared = false;
    bool atomic = true;                // false: a plain store, by a line that reads the counters, too
    std::array<int, lanes> counter{};  // of each lane; -1: none, or none that we know
    int crowd = 0;                     // most lanes at one counter
    int crowded = -1;                  // that counter

    int at(int which) const;  // lanes at it
};

// One compare-and-swap of a warp.
struct Round {
    uint32_t step = 0, mask = 0, won = 0;
    int line = 0;
    bool shared = false;
};
struct WarpRounds {
    uint32_t block = 0;
    int warp = 0;
    std::vector<Round> rounds;
    int tries = 0, won = 0;
    uint32_t mask = 0;  // lanes that tried at all
};

// One launch of a case.
struct Scene {
    const Kernel* kernel = nullptr;
    std::vector<Arrival> arrivals;  // by block, barrier, step and warp
    std::vector<WarpRounds> warps;  // by block and warp; empty: nothing was compared and swapped
    int64_t global_additions = 0, shared_additions = 0;  // lanes, of all its warps
    int64_t swaps = 0, won = 0;
    int most_additions = 0;  // at one counter of one set
    double trips() const;    // global_atomic_sectors of the launch; 0: not counted
};

// How many lanes came to each counter in the arrivals up to and with `last`, in the set of counters that arrival
// `last` goes to (the grid's, or one block's).
std::array<int, counters> additions_until(const Scene& scene, size_t last);

// By launch, in order. The bundle must outlive what comes back.
std::vector<Scene> scenes_of(const RunBundle& bundle, int case_index);

// Whether the case counts (it has counters) or compares and swaps.
bool counts_letters(const Run& run, int case_index);

// The values that the case's array holds, as float; empty: it has no such array of float.
std::vector<float> floats_of(const Run& run, int case_index, const std::string& name);

}  // namespace lab::lesson_12_atomics
