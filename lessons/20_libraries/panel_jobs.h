// The jobs of a run that were done both ways, and how long each way took.
#pragma once

#include <string>
#include <vector>

#include "workbench/record/run.h"

namespace lab::lesson_20_libraries {

// How far the time of one way can be believed.
enum class Source {
    modelled,  // from what was counted in the learner's kernels
    at_least,  // what the card's arithmetic and memory allow a library's call
    unknown,   // a library's kernels that the CPU machine has in a form of its own
    measured,  // on a GPU
};

struct Piece {  // a kernel or a call
    std::string name;
    int line = 0;  // 0: not known
    double us = 0;
};

struct Way {
    std::vector<Piece> pieces;
    Source source = Source::modelled;
    double us() const;
    bool is_done() const { return !pieces.empty(); }
    int line() const;  // of the piece that takes longest
};

struct Job {
    std::string title;    // "a product of 128 x 128"
    int case_index = -1;  // -1: of no case
    Way hand, library;
};

struct Jobs {
    std::vector<Job> jobs;
    std::string device;
    bool is_measured = false;
    double queue_us = 0;  // what the host needs to queue a call; 0: not known
};
Jobs jobs_of(const Run& run);

// "2.9 us", "1.3 ms"
std::string time_text(double us);

}  // namespace lab::lesson_20_libraries
