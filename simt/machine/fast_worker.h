// What a core has when the fast engine runs on it, and how its stacks take turns (see fast.cpp).
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "simt/machine/fast.h"
#include "simt/machine/fast_block.h"

namespace simt::fast {

constexpr size_t stack_bytes = size_t{256} << 10;
constexpr unsigned polls_before_yield = 256;
enum class Home { block_done, block_polls, block_at_grid, launch_failed };

struct Worker {
    LaunchRun* launch = nullptr;
    std::atomic<int>* error = nullptr;
    Fiber* idle = nullptr;
    FiberHead home;
    Home came_home{};
    StackPool stacks{stack_bytes};
    std::vector<std::unique_ptr<Fiber>> fibers;
    std::vector<std::unique_ptr<Block>> spare;
};

// ---- the worker's own stack ----
// Runs the block until it is done or only polls.
Home go_on(Block& b);
// After a failure stacks are left as they were: all begin afresh.
void forget_stacks();

// ---- for a thread that runs ----
[[noreturn]] void give_up(int error);  // ends the launch
// It waits, or may: from here on it has its stack to itself.
void leave_its_loop(Fiber& self);
inline void leave_loop(Fiber& self) {
    if (__builtin_expect(self.loops, 0)) leave_its_loop(self);
}
// Where to switch when no stack of the block is ready: to one on which the next threads start, if there are any.
Switch start_others(Fiber& self);

inline Fiber& running_fiber() {
    return static_cast<Fiber&>(*state.running);
}

// The stacks of a block's threads don't fit into the first cache: the next one is on its way while this one
// runs.
inline __attribute__((always_inline)) void fetch(const Fiber* next) {
    if (next == nullptr) return;
    __builtin_prefetch(next->next);
    const char* stack = static_cast<const char*>(next->stack_pointer);
    __builtin_prefetch(stack);
    __builtin_prefetch(stack + 64);
    __builtin_prefetch(stack + 128);
}

inline __attribute__((always_inline)) Switch hand_over(Fiber& self, Fiber* to) {
    fetch(to->next);
    state.thread = to->thread;
    state.running = to;
    return {&self, to};
}

// Where to switch when this stack waits until somebody puts it into the ready list.
inline __attribute__((always_inline)) Switch leave_to_others(Fiber& self, Block& b) {
    if (b.ready.empty()) return start_others(self);
    return hand_over(self, b.ready.pop());
}

// ---- warps ----
// All before thread `first` have ended.
void start_warps(Block& b, unsigned threads, unsigned first);
// A lane of the warp has ended.
void look_at_warp(Block& b, Warp& warp);

}  // namespace simt::fast
