// What the panel of lesson 03 shows, derived from a run: which thread took which element in which round, and how
// many of the launch's blocks the card holds at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/panels/access_index.h"

namespace lab::lesson_03_grid_stride {

// An element of the array that the launch writes.
struct Taken {
    int64_t thread = -1;  // the last that wrote it; -1: none is known
    int32_t round = -1;   // elements that this thread had written before
    int32_t times = 0;    // that it was written
    int line = 0;
};

// Elements origin to end - 1, in rows of as many as the grid has threads. Where a loop over the grid is right, row
// is round and column is thread.
struct Shares {
    AccessIndex index;
    int buffer = -1;  // in the index; -1: there is none
    std::string name;
    int64_t origin = 0, end = 0;
    int64_t columns = 1;  // threads of the grid
    std::vector<Taken> taken;
    std::vector<char> wrong;  // the value is
    bool whole = true;        // the trace has all blocks of the launch
    int64_t traced_blocks = 0;
    int64_t untaken = 0, repeated = 0;
    int64_t unknown = 0;  // elements of which the trace says nothing, and nothing is known to be wrong
    int32_t most_times = 0, most_rounds = 0;
    int64_t idle_threads = 0;  // of those in the trace

    int64_t count() const { return end - origin; }
    int64_t rows() const { return (count() + columns - 1) / columns; }
    const Taken& at(int64_t element) const { return taken[size_t(element - origin)]; }
    bool is_wrong(int64_t element) const { return wrong[size_t(element - origin)] != 0; }
    bool is_untaken(int64_t element) const { return at(element).times == 0 && (whole || is_wrong(element)); }
    int64_t block_of(const Taken& one) const {
        return one.thread < 0 ? -1 : one.thread / index.threads_per_block;
    }
    std::vector<int64_t> elements_of(int64_t thread,
                                     size_t most) const;  // in the order in which it took them
};

Shares shares_of(const RunBundle& bundle, int case_index, int launch);

// How a launch's blocks find room on the card, if they are dealt in the order of their numbers, one to each
// multiprocessor (SM) in turn, and all take equally long: a model, since CUDA promises no order.
struct Waves {
    int64_t sms = 0, per_sm = 0, blocks = 0;
    std::string limit;  // what an SM runs out of first: "threads"

    int64_t at_once() const { return sms * per_sm; }
    int64_t count() const { return at_once() == 0 ? 0 : (blocks + at_once() - 1) / at_once(); }
    int64_t blocks_in(int64_t wave) const;
    int64_t held_by(int64_t sm, int64_t wave) const;  // blocks
    int64_t busy_sms(int64_t wave) const;
    std::vector<int64_t> blocks_on(int64_t sm, int64_t wave) const;
};

// Empty where the launch does not say which card it ran on, or was refused.
Waves waves_of(const Kernel& kernel);

}  // namespace lab::lesson_03_grid_stride
