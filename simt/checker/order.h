// What is ordered before what, where threads do not meet at a __syncthreads.
//
// The __syncthreads cut a block's run into intervals; __syncwarp and memory fences cut a thread's interval
// into segments. A moment (interval, segment) stands for all that the thread did up to the end of that
// segment. An earlier access is ordered before one that a thread makes now when the thread knows of it:
//   - it is its own, or one of its block in an earlier interval;
//   - a __syncwarp told it: all lanes of the mask then know what each of them knew;
//   - it acquired it: it read, by an atomic or volatile access, a location to which somebody released. A
//     release is an atomic or volatile write after a memory fence, and hands over what the fence covered: the
//     thread's past up to the fence, all of its block's earlier intervals, what its warp had told it, what it
//     had acquired itself, and what fences of other threads of its block covered before the last
//     __syncthreads.
// A location keeps its releases in order. An atomic read-modify-write goes on from those before it, a plain
// write (volatile, atomic store) starts afresh, as in the memory model of C++ and PTX. Scopes count:
// __threadfence_block and the _block atomics hand over within the block alone.
//
// One liberty, since many good programs rely on it: a fence counts for the whole block once a __syncthreads has
// followed it.
//
// What a thread has acquired is settled by a fence of its own behind the look (of device scope, where another
// block released it), or by one of a thread that a __syncwarp or __syncthreads then met. A plain read of what is
// acquired and not settled may still find an old value, and `is_settled` tells: `knows` does not ask for it, for
// an atomic or volatile read of the data looks at memory itself, and a write waits for the look that it depends on.
//
// Nothing is copied when something is acquired: a thread keeps a list of (location, range of releases), and
// `knows` searches it, which happens only when two accesses would otherwise race. A search that takes too
// long counts as "knows": the checker may miss a race, and never invents one.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace simt {

struct Lane;
struct BlockRun;

namespace order {

constexpr uint8_t last_segment = 255;  // later ones count as this one

struct Location;

// A list that threads share: nodes never change. It lives as long as the launch.
struct Acquired {
    const Location* location;   // null: a fork, to two lists
    uint32_t first, past_last;  // releases of the location
    const Acquired* next;
    const Acquired* other;
    bool by_update = false;  // seen by an atomic read-modify-write
};
using AcquiredList = const Acquired*;

struct Moment {
    uint32_t interval = 0;
    uint8_t segment = 0;
};

// What the fences of a block's threads covered when the block met at a __syncthreads.
struct BlockFences {
    uint32_t whole_before = 0;  // all threads' intervals before this one
    std::vector<Moment> upto;   // one a thread, where `fenced`
    std::vector<bool> fenced;
    AcquiredList acquired = nullptr;
    bool released = false;  // a release points here
};

// What a fence covered.
struct Fence {
    bool valid = false;
    Moment moment;
    std::array<uint8_t, 32> warp{};  // segments of each lane of the warp that were known, in that interval
    AcquiredList acquired = nullptr;
};

struct Release {
    uint32_t block, thread;
    uint32_t number;      // of the event in the trace
    bool block_scope;     // by an atomic that is atomic within the block alone
    Fence device, local;  // what fences of device scope covered, and fences of any scope
    const BlockFences* of_block;
};

struct Location {
    std::vector<Release> releases;
    uint32_t first = 0;  // those before it are hidden by a plain write
    std::unordered_map<uint32_t, std::vector<uint32_t>> by_block;
};

// The last fence of a block's threads.
struct LastFence {
    uint32_t thread = 0;
    int line = 0;                 // 0: unknown
    bool reaches_device = false;  // this one, or one before it
};

// What a launch keeps of all this.
struct History {
    std::unordered_map<uintptr_t, Location*> at;  // by address
    std::deque<Location> locations;
    std::deque<Acquired> acquired;
    std::deque<BlockFences> fences;
    uint64_t steps = 0;   // of all searches
    uint32_t events = 0;  // fences, releases and acquires so far
    std::unordered_map<uint32_t, uint32_t>
        last_release;  // by block: the latest interval in which it released
    std::unordered_map<uint32_t, LastFence> fences_by_block;
};

// Of each lane.
struct Knowledge {
    uint8_t segment = 0;
    bool fenced_since_barrier = false;
    bool met_warp = false;           // at a __syncwarp since the last __syncthreads
    std::array<uint8_t, 32> warp{};  // segments of the other lanes that it knows whole
    AcquiredList acquired = nullptr;
    AcquiredList settled = nullptr;  // of these, what a fence of device scope stands behind
    Fence device, local;
};

// Of each block.
struct BlockKnowledge {
    AcquiredList acquired = nullptr, settled = nullptr;
    BlockFences* fences = nullptr;
    std::vector<uintptr_t> shared_locations;  // to forget with the block
};

// scope as in abi.h: 0 device, 1 block, 2 system. `line`: the call's in the learner's file; 0: unknown.
void fence(Lane& lane, int scope, int line);
void acquire(Lane& lane, const void* address, bool by_update);
// `continues`: a read-modify-write. `is_logged`: the access is in the warp's log already.
void release(Lane& lane, const void* address, bool continues, int scope, bool is_logged);
void meet_in_warp(BlockRun& block, unsigned warp, unsigned lanes);
// The block's threads have met at a __syncthreads; call before their intervals are counted up.
void meet_in_block(BlockRun& block);
void start(BlockRun& block);
void end(BlockRun& block);

// Is the access that an epoch (checker/race.h) of this launch stands for ordered before what the lane does
// now?
bool knows(const Lane& lane, uint64_t past);

// Of an access of another block that the lane knows of: may a plain read still miss it?
enum class Settled : uint8_t {
    yes,
    not_after_update,  // all that is missing is a fence behind an atomic read-modify-write
    no
};
Settled is_settled(const Lane& lane, uint64_t past);

}  // namespace order
}  // namespace simt
