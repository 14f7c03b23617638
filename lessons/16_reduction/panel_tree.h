// What the panel shows, derived from a run: the tree in which the threads of a block added up. A row is a round: what the
// block's threads did between two barriers, or two shuffles of a warp, or a store and the next load of shared memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab::lesson_16_reduction {

constexpr int lanes = 32;

enum class Round : uint8_t { loads, shared, shuffle, result };
enum class Part : uint8_t {
    idle,
    works,   // and what it gets comes to nothing
    counts,  // what it holds is on the way to the result
};

// Thread `to` took what thread `from` held after row `from_row`. from == to: its own.
struct Edge {
    int from_row = 0, from = 0, to = 0;
};

struct Row {
    Round round{};
    int line = 0, step = -1;  // of the first access; step is that of the warp
    int asked = 0;            // of a shuffle: how far away the first lane that asked another one did
    std::vector<Part> parts;  // by thread
    // By thread: how many of the input's numbers are in what it has; one that came twice counts twice.
    std::vector<int64_t> holds;
    std::vector<Edge> edges;

    int at_work() const;
    int warps_at_work() const;
    int distance() const;  // from thread to thread along most edges; 0: there is no such
    bool adds() const;     // some thread took two things or more
};

// One block of a launch.
struct BlockTree {
    uint32_t block = 0;
    int threads = 0;
    std::vector<Row> rows;
    // How many numbers the thread that went to the result had; -1: none did.
    int64_t in_result() const;
};

// The trees of a launch, by block. `most` blocks at most.
std::vector<BlockTree> trees_of(const RunBundle& bundle, int case_index, const Kernel& kernel,
                                size_t most = 256);

// "add, 64 apart"
std::string name_of(const Row& row);

}  // namespace lab::lesson_16_reduction
