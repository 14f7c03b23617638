// What the panel shows, derived from a run: which threads met as a group, and how far each block was when the grid met.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab::lesson_14_cooperative_groups {

constexpr int lanes = 32;

// The threads of one warp that a call was for.
struct Group {
    int warp = 0, step = 0;  // step: of the warp's next access to memory
    uint32_t named = 0;      // lanes that belong to it
    uint32_t came = 0;       // of those, the ones that made the call
    int size() const;
    int rank(int lane) const;  // among those named
    bool side_by_side() const;
};

// The groups of a block that made the same call for the same time.
struct Meeting {
    simt::trace::WarpOperation operation{};
    int line = 0,
        distance =
            0;  // distance: of a shuffle up, down or xor: how far away those are that are asked; 0: none
    uint32_t phase = 0;                         // barriers of the block before it
    std::vector<Group> groups;                  // by warp, and by first lane
    const Group* of(int warp, int lane) const;  // null: that thread was in none
};

struct BlockGroups {
    uint32_t block = 0;
    std::vector<Meeting> meetings;  // in the order in which they happened
    // By phase: how many instructions of the block's busiest warp went to memory.
    std::vector<int64_t> work;
};

// One launch.
struct GridGroups {
    int threads = 0;  // a block
    int64_t blocks_in_all = 0;
    int64_t barriers = 0;             // that the whole grid passed
    std::vector<BlockGroups> blocks;  // those in the trace, by number

    size_t phases() const;
    int64_t most_work(size_t phase) const;
    // The barriers that blocks passed are those of the grid, none of their own: a phase ends for all at once.
    bool only_grid_barriers() const { return barriers > 0 && phases() <= size_t(barriers) + 1; }
    // Index of the block that came to the end of `phase` with the least or the most work.
    size_t first_at(size_t phase) const;
    size_t last_at(size_t phase) const;
};

GridGroups groups_of(const RunBundle& bundle, int case_index, const Kernel& kernel);

// "shfl_down by 4"
std::string name_of(const Meeting& meeting);
// "4 groups of 8", "2 groups, of 5 and 3, not side by side"
std::string sizes_of(const Meeting& meeting);

}  // namespace lab::lesson_14_cooperative_groups
