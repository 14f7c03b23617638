// A launch that is running, its resident blocks, and the scheduler that gives their threads turns (checked
// mode).
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "simt/checker/warp_log.h"
#include "simt/host/durations.h"
#include "simt/machine/devices.h"
#include "simt/machine/lane.h"
#include "simt/machine/machine.h"
#include "simt/machine/standstill.h"

namespace simt {

struct SharedVariable {
    const void* key;
    size_t offset, bytes;  // offset in the block's slot
    ArrayShape shape;
    const char* name;
};

struct AddressRange {  // of addresses
    uint64_t low = ~uint64_t{0}, high = 0;
};

// Counts of one site (one load, store or atomic in the text), over all warps.
struct SiteMetrics {
    trace::Op op{};
    trace::Space space{};
    uint64_t requests = 0, sectors = 0, distinct_sectors = 0, lines = 0, ideal_sectors = 0;
    uint64_t wavefronts = 0, ideal_wavefronts = 0;
    uint64_t addresses = 0;  // constant memory: different ones, warp by warp
    uint64_t words = 0;      // local memory
    uint64_t lanes = 0;
    AddressRange extent;  // global memory: what it touched
};

// A function that is given shared and global addresses touches both at one site; they are counted apart.
inline uint64_t site_key(const LogEntry& entry) {
    return uint64_t{static_cast<uint8_t>(entry.space)} << 32 | entry.site;
}

struct BranchMetrics {
    uint64_t executed = 0, divergent = 0;  // warp by warp
    uint64_t lanes = 0;
};

struct PageMetrics {  // managed memory: page faults at a site, and the bytes that moved for them
    uint64_t faults = 0, bytes = 0;
};

// A launch with its own arguments: it waits for its turn, or is a graph's node and runs again and again.
class HeldLaunch {
  public:
    LaunchCall call;
    Index3 asked_grid;  // what the program asked for where the session wants another grid, else 0
    int device = devices::current();
    devices::Set reach = devices::reached_by(devices::current());  // whose memory it may touch
    void* arguments;

    HeldLaunch(const LaunchCall& made, Index3 asked, void* from);
    HeldLaunch(const HeldLaunch&) = delete;
    HeldLaunch& operator=(const HeldLaunch&) = delete;
    ~HeldLaunch();
};
// Launches are numbered in the order of their calls, from 0; a graph's anew at each of its launches.
uint32_t next_launch_index();

struct LaunchRun;

struct WarpLanes {         // bit masks
    unsigned alive = 0;    // have not ended
    unsigned waiting = 0;  // are at a warp operation
};

struct BlockRun {
    LaunchRun* launch = nullptr;
    uint64_t linear = 0;
    Index3 index{};
    unsigned slot = 0;
    uint32_t generation = 0;
    size_t static_used = 0;
    size_t dynamic_bytes = 0;
    std::vector<SharedVariable> shared;
    const char* dynamic_name = "";
    size_t dynamic_element_bytes = 4;
    std::vector<Lane> lanes;
    std::vector<WarpLog> logs;  // one a warp
    std::vector<WarpLanes> warps;
    unsigned started = 0, live = 0;
    unsigned idle_sweeps = 0;  // in a row, in which every thread that ran only used up its slice
    bool traced = false;
    bool gives_way = false;  // other blocks get a turn after this sweep
    bool at_grid = false;    // all that is left of it waits at a grid.sync()
    Standstill still;
    order::BlockKnowledge knowledge;
};

struct LaunchRun {
    uint32_t index = 0;
    LaunchCall call{};
    int device = 0;
    uint32_t reach =
        1;  // the devices whose memory it may touch, as bits (devices.h), as they were at the call
    Index3 asked_grid{0, 0, 0};  // where the session plays another grid than the program asked for
    void* arguments = nullptr;
    uint64_t blocks = 0;
    unsigned threads = 0;  // a block
    uint32_t generation = 0;
    uint64_t steps = 0, budget = 0;
    uint64_t changes = 1;  // turns in which a thread wrote, asked the clock, met others or ended
    bool stop = false;     // give up: deadlock, endless loop
    int error = 0;         // cudaError_t that the launch ends in
    const char* status = "ok";
    uint64_t trace_records = 0;
    uint64_t warps = 0;
    uint64_t shuffles = 0, votes = 0, reductions = 0;  // of warps
    uint64_t grid_barriers = 0;                        // that the whole grid passed
    std::unordered_map<uint64_t, SiteMetrics> sites;   // by site_key
    std::unordered_map<uint32_t, BranchMetrics> branches;
    order::History history;
    size_t static_shared = 0;  // most that a block used
    std::unordered_map<uint32_t, PageMetrics> page_faults;
    timeline::KernelWork work;
};

// May this launch touch an allocation of its device's, or of another one's? (Where there are several.)
bool is_reachable(const LaunchRun& launch, const Allocation& memory);

// The launch that runs now on this thread, or nullptr.
extern thread_local LaunchRun* current_launch;

void run_checked(LaunchRun& launch);

// ---- for the functions that threads call ----
void suspend(Lane& lane);               // let others run; returns when it is this lane's turn again
[[noreturn]] void abandon(Lane& lane);  // the thread ends here
void spend_slice(Lane& lane);           // its slice is used up
void step_aside(Lane& lane);            // others get their turn at its next basic block
// It has released something, or taken a lock. One order goes on, the other lets those who wait for this, or want what it
// may want next, go first: between the two, more of what can happen is seen.
void let_others_go_first(Lane& lane);
// The block's other threads get their turn now. On a GPU the lanes of a warp come to a compare-and-swap together, and one
// of them wins. A thread that ran alone from its guess to the swap would find every guess confirmed, and a loop that is
// missing would not be missed. The same goes for a look followed by an exchange.
void give_turn(Lane& lane);
void wait_for_window(Lane& lane);  // it is a window ahead of its warp
void flush_log(BlockRun& block, unsigned warp);

// Barriers and warp operations: called by the scheduler when nothing in the block can run.
bool resolve_waits(BlockRun& block);
// Of each warp, the lanes that ask who is with them at the place that comes first in the program get their answer.
// True: there were some.
bool resolve_gatherings(BlockRun& block);
// All threads of a cooperative launch that can are waiting at a grid.sync(): says what is wrong with that, if anything
// is, and lets them go on. `running` have threads left, `ended` have none.
using Blocks = std::vector<std::unique_ptr<BlockRun>>;
void meet_in_grid(LaunchRun& launch, Blocks& running, const Blocks& ended);
bool wait_at_same_place(const Lane& a, const Lane& b);  // the same line of the text
// A lane arrived or left: complete what waits for it.
void try_complete_warp(BlockRun& block, unsigned warp);

uint64_t lane_epoch(const Lane& lane);

}  // namespace simt
