// What a player tells its parent besides the machine's report: how far it came and why it ended. One page,
// shared.
#pragma once

#include <atomic>
#include <cstdint>

#include "workbench/play/player.h"

namespace lab::detail {

enum class Phase : int { starting, loading, running, returned, closed, exited };

// Plain old data, written by signal handlers. The parent trusts none of it further than for words.
struct PlayerControl {
    static constexpr uint64_t kMark = 0x6c6162706c617921;
    std::atomic<uint64_t> first_mark;   // kMark at both ends, or something wrote over the page
    std::atomic<int> phase;             // Phase
    std::atomic<int> threw;             // 1: `text` is the exception
    std::atomic<int> missing;           // 1: `text` is what was not found
    std::atomic<int> forbidden;         // number of the system call that ended the player; -1: none
    std::atomic<int> refused;           // number of a call that was refused and went on; -1: none
    std::atomic<uint64_t> asked_bytes;  // the largest allocation that was refused
    std::atomic<int> out_of_cpu;        // 1: its time was over
    std::atomic<int> stack_full;        // the fault lies just beyond the stack
    std::atomic<int> exit_status;       // of exit()
    std::atomic<uint64_t> fault_address;
    int returned;
    int line;  // where it ended; 0: unknown
    char file[512];
    char text[1024];
    std::atomic<uint64_t> last_mark;
    bool is_whole() const { return first_mark == kMark && last_mark == kMark; }
};

// Where a forked child comes from.
struct Origin {
    int parent;              // process
    int output, complaints;  // descriptors that become its stdout and stderr; -1: they stay
    int first_closed = 3;    // this descriptor and all above it are closed
};

// The child's side: never returns.
[[noreturn]] void run_player(const Machine& machine, const PlayRequest& request, PlayerControl& control,
                             const Origin& from);

// Its steps, for a player that plays more than once.
void enter_player(const Machine& machine, const PlayerLimits& limits, PlayerControl& control,
                  const Origin& from);
void watch_program();  // once, after the machine's first session has begun
void* load_or_end(const std::string& program, PlayerControl& control);
void play_body(const PlayRequest& request, const LoadedProgram& program, PlayerControl& control);

// Installs what notes a crash in `control`; `program` is for lines. See crash.cpp.
void watch_for_crashes(PlayerControl& control);
// Before a fork: the child has the same stack, and to ask for it reads the list of all mappings.
void find_stack();
void know_program(void* handle);
void look_before_machine();  // after the machine has installed its handlers
bool note_place();  // in a handler: the innermost line of the learner's code; false: it may be a guess
void note_exception(const char* what);

// Denies what a player may not do. Returns false where the kernel has no seccomp.
bool close_sandbox(PlayerControl& control, const PlayerLimits& limits);
// What a system call is for, as a part of a sentence: "start another process".
const char* purpose_of(int system_call);

}  // namespace lab::detail
