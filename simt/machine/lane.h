// One CUDA thread of a block that is running, in checked mode.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/checker/order.h"
#include "simt/checker/warp_log.h"
#include "simt/include/simt/abi.h"
#include "simt/machine/fiber.h"

namespace simt {

struct BlockRun;

enum class LaneState : uint8_t {
    fresh,  // not started
    runnable,
    at_barrier,  // __syncthreads and its kin
    at_warp_op,  // shuffle, vote, __syncwarp
    gathers,     // asks which lanes are with it: coalesced_threads(), __activemask()
    at_grid,     // grid.sync()
    at_window,   // waits until its warp's other lanes have done as much (see WarpLog)
    done,
};

// Why a thread is no longer there.
enum class Left : uint8_t { no, fell_off_the_end, returned, abandoned };

enum class BarrierKind : uint8_t { plain, count, all, any };

struct LoopVisit {
    uint32_t first, past_last;
    uint32_t trips;
    uint16_t loop;
    uint64_t outside;  // position hash before the loop was entered
};

// A basic block that the lane is in and that can go on in several ways.
struct Fork {
    uint32_t site = 0;  // offset in the program's text; 0: it can't
    uint64_t position = 0;
};

// An array that one of its functions declares.
struct LocalArray {
    char* base;
    size_t bytes, element_bytes;
    const char* name;
    Where where;
    uint32_t depth;                 // the function's, in `frames`
    bool in_registers;              // no traffic
    std::vector<uint64_t> written;  // a bit a byte
};

struct Frame {
    uint64_t caller_position;
    uint32_t loops_begin;
    uint32_t call_site;  // offset in the program's text of the call that made it
    Fork fork;           // of the caller
};

struct Lane {
    BlockRun* block = nullptr;
    Index3 thread{};
    uint32_t linear = 0;
    uint16_t warp = 0;
    uint8_t lane = 0;
    LaneState state = LaneState::fresh;
    Left left = Left::no;
    Context context;
    Stack stack;

    // Race detection: (launch, block, barriers passed, thread) packed, see checker/race.h.
    uint64_t epoch = 0;
    order::Knowledge knowledge;

    // Where it is, as the lanes of a warp compare it: call path and loop trips, hashed. Two lanes share a
    // warp instruction when this and the site agree.
    uint64_t position = 0;
    std::vector<Frame> frames;
    uint32_t kernel_depth = 0;  // how many frames there are in the kernel itself; 0: not known
    std::vector<LoopVisit> loops;

    std::vector<LocalArray> locals;
    Fork fork;
    LogCursor access_log, branch_log;
    uint32_t slice = 0;               // basic blocks left before another thread gets its turn
    uint32_t granted = 0;             // of the slice, less what it gave back
    uint32_t turns = 0;               // slices used up
    long long ticks = 0;              // what clock() last said
    uint32_t writes = 0;              // that it made; of atomics, those that changed something
    const void* polled = nullptr;     // address of its last access, if that was volatile or atomic
    const void* polled_pc = nullptr;  // where it made that access
    uint32_t polls = 0;               // such accesses to that address in a row that changed nothing
    bool polling = false;             // it gave its slice back because of them
    const void* last_pc = nullptr;    // of the last hook
    const void* return_pc = nullptr;  // of the `return` that it left by

    // While it waits:
    BarrierKind barrier_kind{};
    const char* barrier_name = "";  // as the text calls it
    Where wait_where;
    const void* wait_pc = nullptr;
    int predicate = 0;
    int barrier_result = 0;
    uint32_t barriers_passed = 0;
    struct WarpWait {
        unsigned mask = 0;
        int kind = 0;        // which operation, for "the same intrinsic"
        uint64_t value = 0;  // what it brings
        int source = 0;      // shuffle: lane or delta
        int width = 32;
        uint64_t result = 0;
        int predicate = 0;
    } warp_wait;
};

// One step of the hash that a position is.
inline uint64_t mix(uint64_t a, uint64_t b) {
    a ^= b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2);
    return a * 0xff51afd7ed558ccdull;
}

extern thread_local Lane* current_lane __attribute__((tls_model("initial-exec")));

}  // namespace simt
