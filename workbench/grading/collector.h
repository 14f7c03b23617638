// What a lesson's cases found out, on the way to the Run. Internal to workbench/grading.
#pragma once

#include <string>
#include <vector>

#include "workbench/grading/arrays.h"
#include "workbench/grading/lab.h"
#include "workbench/play/long_player.h"
#include "workbench/play/player.h"
#include "workbench/record/run.h"

namespace lab {

struct Failure {
    std::string message;  // what was expected and what came
    std::string cause;    // why, where it can be told; may be empty
    std::string next;     // one thing to try; may be empty
};

// What one trial leaves behind.
struct TrialRecord {
    bool failed = false;
    Ending ending = Ending::returned;
    std::vector<Finding> findings;
    std::vector<Kernel> kernels;
    std::vector<Buffer> buffers;
    std::vector<DeviceLimits> devices;
    std::vector<ArrayValues> arrays;
    std::vector<Timeline> timelines;
    std::vector<TimedCall> times;
    std::vector<Series> series;
    std::vector<char> trace;  // a whole trace file; empty: none
    std::string output;
    bool output_cut = false;
};

class Collector {
  public:
    // Where traces go; empty: nowhere.
    void set_trace_prefix(const std::string& prefix) { trace_prefix_ = prefix; }

    void begin_case(const std::string& name);
    size_t cases() const { return cases_.size(); }
    void end_case(bool passed, double seconds);
    void add_failure(const Failure& failure);
    // A case shows one trial: the first that failed, else its first.
    void add_trial(TrialRecord record);

    // An earlier case did not end in time, so the others are not played.
    void give_up() { given_up_ = true; }
    bool given_up() const { return given_up_; }

    // Everything that the grader knows of the Run.
    Run finish() const;

  private:
    struct Entry {
        Case result;
        std::vector<Failure> failures;
        std::vector<TrialRecord> trials;  // none or one
    };
    std::vector<Entry> cases_;
    std::string trace_prefix_;
    bool given_up_ = false;
};

// What the cases of this process are played with. Set up by main before doctest starts.
struct Referee {
    Machine machine;
    std::string program;
    Collector collector;
    // For a machine that has use for them.
    LongPlayer long_player;
    std::unique_ptr<ArraySpace> arrays;
    const char* (*error_name)(int) = nullptr;
    std::unique_ptr<SeriesPage> series;  // what the player of the first order reports while it runs
    bool fast = false;                   // the program has no checks: one order, and nothing is watched
    Settings settings;                   // of an experiment
    uint32_t grid[3] = {0, 0, 0};        // the same; 0: as the program launches
};
Referee& referee();

// "9 (cudaErrorInvalidConfiguration)"
std::string error_words(int code);

// The error first that explains the others: consequences such as never-written come after causes, advice
// last.
void put_cause_first(std::vector<Finding>& findings);

}  // namespace lab
