// The player: a process of its own that holds the learner's code and nothing else of value.
//
// It is forked, not started, so that arrays in shared mappings lie at the same address on both sides. It has
// no descriptor but 0, 1 and 2; it cannot start, signal, trace or read another process, raise its limits, or
// outlive its parent. What it reports lies in shared memory: it can damage that (and then has failed), but a
// verdict is made by the parent, from values that the parent checks.
//
// What is NOT protected: the learner's code runs as the learner. A program under `cudalab run` may write and
// delete the learner's files, as it could without cudalab; a graded exercise may read files, not write or
// delete them. The network is closed to both. A kernel that has no seccomp leaves descriptors, limits and the
// process group.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workbench/play/machine.h"
#include "workbench/play/report.h"
#include "workbench/record/run.h"

namespace lab {

// Where a player's stdin, stdout and stderr go.
enum class Streams {
    captured,   // no stdin; what is printed is kept
    passed_on,  // our stdin; what is printed is kept, and passed on at once
    ours,       // all three are this process's own
};

struct PlayerLimits {
    double seconds = 10;                         // wall clock
    uint64_t data_bytes = uint64_t{4} << 30;     // private memory; one allocation may not ask for more either
    uint64_t output_bytes = uint64_t{16} << 20;  // printed, captured: more ends the player
    uint64_t kept_output_bytes = 64 << 10;       // the rest is read and dropped
    uint64_t file_bytes = uint64_t{1} << 30;     // of a file that it writes
    int open_files = 64;
    bool may_write_files = false;
    Streams streams = Streams::captured;
    bool sandboxed =
        true;  // false: no seccomp and no limit on memory, which a GPU's driver could not live with
    bool may_exit = false;             // exit() and its status are a program's way to end, not an early one
    uint64_t report_bytes = 64 << 20;  // committed only where it is filled
    uint64_t trace_bytes = 64 << 20;   // 0: no trace
};

// The learner's program in the player, once loaded.
struct LoadedProgram {
    void* handle;  // for dlsym
    const Machine& machine;
};

struct PlayRequest {
    std::string program;             // the shared object
    simt_session_options session{};  // report and trace are filled in here
    PlayerLimits limits;
    // Runs in the player. Its result comes back as PlayResult::returned.
    std::function<int(const LoadedProgram&)> body;
};

enum class Ending {
    returned,      // the body came back and the session was closed
    exited,        // exit() or _exit() before that
    threw,         // an exception that nobody caught
    signal,        // a crash: segmentation fault, abort, ...
    timeout,       // wall clock or CPU limit
    output_limit,  // printed without end
    forbidden,     // tried what a player may not do
    not_loaded,    // the shared object or a function in it is missing
    damaged,       // wrote over the report
};

struct PlayResult {
    Ending ending = Ending::returned;
    std::string reason;  // a sentence or two for the learner; empty when it returned
    Place at;            // where it ended, as far as known (column in the rewritten text)
    int returned = 0;    // of the body
    int exit_code = 0;   // of the process; 128 + signal after a signal
    int signal = 0;
    Report report;
    std::vector<char> trace;  // the bytes of a trace file (simt/trace.h), header included; empty: no records
    std::string output;
    bool output_cut = false;
    double seconds = 0;

    bool ended_well() const { return ending == Ending::returned; }
};

// Plays all requests at once and waits for the last. Throws std::runtime_error when a process can't be made.
std::vector<PlayResult> play_all(const Machine& machine, const std::vector<PlayRequest>& requests);
PlayResult play(const Machine& machine, const PlayRequest& request);

// In a body: the learner's function `name`. When it is missing, the player ends with Ending::not_loaded.
void* resolve_or_end(const LoadedProgram& program, const char* name);

}  // namespace lab
