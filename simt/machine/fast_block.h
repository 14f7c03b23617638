// A block that the fast engine runs, and the stacks that its threads wait on (see fast.cpp).
#pragma once

#include <cstdlib>
#include <memory>
#include <vector>

#include "simt/include/simt/fast.h"
#include "simt/machine/fiber_jump.h"
#include "simt/machine/launch_run.h"

namespace simt::fast {

// A stack, and the threads of one block that run on it: a loop over several that never wait, or one that has
// waited.
struct alignas(64) Fiber : FiberHead {
    // The rest of the first line of the cache: a switch touches no other.
    Fiber* next = nullptr;  // in the list that it waits in
    Index3 thread{};        // the one that waits
    unsigned first = 0;     // its loop began here
    uint32_t launch = 0;    // serial number of the one whose threads it runs
    // At a warp operation that has a mask of its own:
    bool at_own_mask = false;
    unsigned mask = 0;
    int kind = 0, source = 0, width = 32, predicate = 0;
    uint64_t value = 0, result = 0;
    uint64_t site = 0;  // where it asks who is with it: line and address
    Stack stack;
};
#if defined(__x86_64__)
static_assert(sizeof(FiberHead) + sizeof(Fiber*) + sizeof(Index3) + sizeof(unsigned) == 64);
#endif

struct FiberList {
    Fiber* first = nullptr;
    Fiber* last = nullptr;
    bool empty() const { return first == nullptr; }
    void push(Fiber* f) {
        f->next = nullptr;
        (first == nullptr ? first : last->next) = f;
        last = f;
    }
    Fiber* pop() {
        Fiber* f = first;
        first = f->next;
        return f;
    }
    void append(FiberList& other) {
        if (other.first == nullptr) return;
        (first == nullptr ? first : last->next) = other.first;
        last = other.last;
        other.first = nullptr;
    }
};

struct alignas(64) Warp {
    unsigned alive = 0;    // lanes that have not ended
    unsigned waiting = 0;  // lanes at an operation under a mask of their own
    // At an operation of the whole warp. Each has one of two rows in turn: a lane may still read the last
    // operation's while another has arrived at the next.
    unsigned arrived = 0;
    int kind = 0;
    WarpRow* row = nullptr;
    FiberList list;
    WarpRow rows[2];
    Fiber* fibers[32];  // by lane, of those in `waiting`
    // Of the lanes that ask who is with them, those at the place whose turn it is:
    uint64_t site = 0;  // 0: none
    unsigned together = 0;
};

struct Block {
    uint64_t linear = 0;
    Index3 index{};
    unsigned live = 0, unstarted = 0, at_barrier = 0;
    unsigned next_linear = 0;
    int folded = 0;                       // sum of predicates of those at the barrier
    int opened_sum = 0, opened_live = 0;  // of the last barrier that opened
    unsigned yields = 0;                  // since it last came home
    bool has_warps = false;               // `warps` is kept: some thread has waited
    unsigned at_grid = 0;                 // threads at a grid.sync()
    uint64_t meeting = 0;                 // the launch's meetings before that one
    FiberList ready, barrier, gathering, grid;
    std::vector<Warp> warps;
    std::unique_ptr<char, void (*)(void*)> shared{nullptr, std::free};
    size_t shared_bytes = 0;
};

// Nothing else of the block can run: of each warp, the lanes that ask who is with them at the first place of the code get
// their answer. Loop trips are not known here: lanes that are at one place in different trips count as together, which
// they may be on a GPU, too. False: nobody asks.
bool answer_gathering(Block& b);

}  // namespace simt::fast
