// What the occupancy calculator works with: a block's needs, a card, and what comes of them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/model/cards.h"
#include "app/model/run_bundle.h"

namespace lab::lesson_07_registers_local {

struct Needs {
    int threads = 256, registers = 32;           // a block; a thread
    int shared = 0, shared_for_each_thread = 0;  // bytes a block: so many, and so many more for each thread

    int shared_bytes(int block) const { return shared + shared_for_each_thread * block; }
};

// One of the four things that an SM can run out of.
struct Supply {
    const char* name;
    double used = 0, of = 0;
    int blocks = 0;         // that it is enough for
    bool is_limit = false;  // no other is enough for fewer
};

struct Filled {
    int blocks = 0, warps = 0, places = 0;  // places: warps that the SM has room for
    bool impossible = false;                // no block like that can be launched
    std::array<Supply, 4> supplies;         // threads, places for blocks, registers, shared memory
    double percent() const { return places == 0 ? 0 : 100.0 * warps / places; }
};

Filled fill(const Card& card, const Needs& needs);
std::string limit_text(const Filled& filled);  // "threads", "registers and shared memory"
std::string sentence_of(const Card& card, const Needs& needs, const Filled& filled);

// Per cent for blocks of 32, 64, ... 1024 threads.
constexpr int sizes = 32;
std::vector<double> curve(const Card& card, const Needs& needs);

// What the run launched; threads 0: nothing.
struct Launched {
    std::string kernel, card;  // the card's name
    int threads = 0, registers = 0, shared_bytes = 0;
    bool registers_estimated = true;
    double percent = 0;
};
Launched launched_by(const Kernel& kernel, const Run& run, int case_index);

}  // namespace lab::lesson_07_registers_local
