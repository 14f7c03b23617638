// The threads of a block that runs in fast mode: how they start, end and wait (see fast.cpp).
#include <cstdlib>
#include <memory>

#include "simt/machine/errors.h"
#include "simt/machine/fast_worker.h"
#include "simt/machine/fiber_jump.h"

namespace simt::fast {
namespace {

// The parts of an index were just written one by one: reading two at once would wait until they have reached
// the cache.
inline unsigned alone(unsigned part) {
    asm("" : "+r"(part));
    return part;
}

unsigned linear_of(const Index3& t) {
    const Index3& extent = worker->launch->call.config.block;
    return t.x + extent.x * (t.y + extent.y * t.z);
}

Switch home(Fiber& self, Home why) {
    worker->came_home = why;
    return {&self, &worker->home};
}

void open_barrier(Block& b) {
    b.opened_sum = b.folded;
    b.opened_live = static_cast<int>(b.live);
    b.folded = 0;
    b.at_barrier = 0;
    b.ready.append(b.barrier);
}

void open_if_all_wait(Block& b) {
    if (b.at_barrier == b.live && b.live != 0) open_barrier(b);
}

// Threads first to last - 1 have ended without having waited.
__attribute__((noinline)) void count_ended(Block& b, unsigned first, unsigned last) {
    b.live -= last - first;
    if (!b.has_warps) return;
    for (unsigned i = first; i < last; ++i) {
        Warp& warp = b.warps[i / 32];
        warp.alive &= ~(1u << i % 32);
        if ((warp.arrived | warp.waiting) != 0 && (i % 32 == 31 || i + 1 == last)) look_at_warp(b, warp);
    }
    open_if_all_wait(b);
}

inline void start_range(Fiber& self) {
    Block& b = *state.running_block;
    self.loops = true;
    self.linear = b.next_linear;
    b.unstarted = 0;
}

// A stack runs loops of threads until another launch begins on it.
void fiber_main(void*) {
    Fiber& self = running_fiber();
    const LaunchRun& launch = *worker->launch;
    self.launch = state.shared_serial;
    start_range(self);
    try {
        launch.call.invoke_many(launch.arguments, state.range);
    } catch (...) {
        give_up(error_launch_failure);
    }
}

// Its frames, if it has any, are of a launch that is over.
__attribute__((noinline)) void begin_afresh(Fiber& fiber) {
    prepare_jump(fiber, fiber.stack.low, fiber.stack.high, fiber_main, nullptr);
}

__attribute__((noinline)) void add_fiber(Worker& w) {
    w.fibers.push_back(std::make_unique<Fiber>());
    w.idle = w.fibers.back().get();
    w.idle->stack = w.stacks.take();
}

inline Fiber* take_idle() {
    Worker& w = *worker;
    if (w.idle == nullptr) add_fiber(w);
    Fiber* fiber = w.idle;
    w.idle = fiber->next;
    fetch(fiber->next);
    if (fiber->launch != state.shared_serial) begin_afresh(*fiber);
    return fiber;
}

__attribute__((noinline)) Switch when_all_wait(Fiber& self) {
    Block& b = *state.running_block;
    if (answer_gathering(b)) {
        Fiber* to = b.ready.pop();
        if (to == &self) return {&self, nullptr};
        return hand_over(self, to);
    }
    // Waiting for each other in other ways cannot end.
    if (b.at_grid == 0 || b.at_grid != b.live) give_up(error_launch_timeout);
    return home(self, Home::block_at_grid);
}

}  // namespace

void give_up(int error) {
    int none = 0;
    worker->error->compare_exchange_strong(none, error);
    take(home(running_fiber(), Home::launch_failed));
    std::abort();
}

__attribute__((noinline)) void leave_its_loop(Fiber& self) {
    Block& b = *state.running_block;
    const unsigned threads = worker->launch->threads;
    const unsigned x = alone(state.thread.x), y = alone(state.thread.y), z = alone(state.thread.z);
    self.thread.x = x;
    self.thread.y = y;
    self.thread.z = z;
    const Index3& extent = worker->launch->call.config.block;
    const unsigned first = self.linear, linear = x + extent.x * (y + extent.y * z);
    self.linear = linear;
    self.loops = false;
    b.next_linear = linear + 1;
    b.unstarted = threads - b.next_linear;
    Index3& next = state.range.next;
    const bool row_ends = x + 1 == extent.x, plane_ends = row_ends && y + 1 == extent.y;
    next.x = row_ends ? 0 : x + 1;
    next.y = plane_ends ? 0 : y + row_ends;
    next.z = z + plane_ends;
    if (first != linear) count_ended(b, first, linear);
    if (!b.has_warps) start_warps(b, threads, linear);
}

__attribute__((noinline)) Switch start_others(Fiber& self) {
    if (state.running_block->unstarted == 0) return when_all_wait(self);
    Fiber* to = take_idle();
    state.running = to;
    return {&self, to};
}

// This stack has nothing left to do in the block. It may have been away and come back, to a block that has
// gone on.
static inline Switch become_idle(Fiber& self, Block& b) {
    if (b.ready.empty() && b.unstarted != 0) return {&self, nullptr};
    Worker& w = *worker;
    self.next = w.idle;
    w.idle = &self;
    if (!b.ready.empty()) return hand_over(self, b.ready.pop());
    if (b.live != 0) return when_all_wait(self);
    w.came_home = Home::block_done;
    return {&self, &w.home};
}

__attribute__((noinline)) static Switch end_loop_of_many(Fiber& self, Block& b) {
    count_ended(b, self.linear, worker->launch->threads);
    return become_idle(self, b);
}

__attribute__((noinline)) static Switch end_loop_with_others(Fiber& self, Block& b) {
    Warp& warp = b.warps[self.linear / 32];
    if ((warp.arrived | warp.waiting) != 0) look_at_warp(b, warp);
    open_if_all_wait(b);
    return become_idle(self, b);
}

Switch end_loop() {
    Fiber& self = running_fiber();
    Block& b = *state.running_block;
    if (self.loops) return end_loop_of_many(self, b);
    const unsigned live = --b.live;
    Warp& warp = b.warps[self.linear / 32];
    warp.alive &= ~(1u << self.linear % 32);
    if ((warp.arrived | warp.waiting) != 0 || b.at_barrier == live) return end_loop_with_others(self, b);
    return become_idle(self, b);
}

void begin_loop() {
    start_range(running_fiber());
}

Home go_on(Block& b) {
    Fiber* to;
    if (b.ready.empty()) {
        to = take_idle();
    } else {
        to = b.ready.pop();
        state.thread = to->thread;
    }
    state.running = to;
    jump_context(worker->home, *to);
    return worker->came_home;
}

void forget_stacks() {
    worker->idle = nullptr;
    for (auto& fiber : worker->fibers) {
        fiber->launch = 0;
        fiber->next = worker->idle;
        worker->idle = fiber.get();
    }
}

// ---- what a thread asks ----

Index3 block_extent() {
    return worker->launch->call.config.block;
}
Index3 grid_extent() {
    return worker->launch->call.config.grid;
}
unsigned lane_index() {
    return linear_of(state.thread) % 32;
}
bool launched_cooperatively() {
    return worker->launch->call.config.cooperative;
}
void fail(int error) {
    give_up(error);
}

unsigned gathered_lanes(int line, const void* pc) {
    Fiber& self = running_fiber();
    leave_loop(self);
    // The line first: the compiler may have made one call of two.
    self.site = static_cast<uint64_t>(line) << 32 | (reinterpret_cast<uintptr_t>(pc) & 0xffffffffu);
    Block& b = *state.running_block;
    b.gathering.push(&self);
    take(leave_to_others(self, b));
    return static_cast<unsigned>(self.result);
}

void grid_barrier() {
    if (!launched_cooperatively()) fail(error_launch_failure);
    Fiber& self = running_fiber();
    leave_loop(self);
    Block& b = *state.running_block;
    ++b.at_grid;
    b.grid.push(&self);
    take(leave_to_others(self, b));
}

void yield() {
    state.polls = polls_before_yield;
    Fiber& self = running_fiber();
    leave_loop(self);
    Block& b = *state.running_block;
    b.ready.push(&self);
    if (b.unstarted != 0) {
        take(start_others(self));
    } else if (++b.yields > b.live && !answer_gathering(b)) {
        take(home(self, Home::block_polls));
    } else if (Fiber* to = b.ready.pop(); to != &self) {
        take(hand_over(self, to));
    }
}

void poll() {
    if (running()) return yield();
    state.polls = polls_before_yield;  // host code that uses an atomic function
}

// Here and in arrive_in_warp all calls are the last thing done, so that registers need not be saved.
__attribute__((noinline)) static Switch leave_loop_at_barrier() {
    leave_its_loop(running_fiber());
    return arrive_at_barrier();
}

Switch arrive_at_barrier() {
    Fiber& self = running_fiber();
    if (__builtin_expect(self.loops, 0)) return leave_loop_at_barrier();
    Block& b = *state.running_block;
    if (++b.at_barrier == b.live) {
        open_barrier(b);
        return {&self, nullptr};
    }
    b.barrier.push(&self);
    return leave_to_others(self, b);
}

int barrier_fold(int predicate, BarrierFold fold) {
    state.running_block->folded += predicate != 0;
    barrier();
    const Block& b = *state.running_block;
    // Threads that left do not count: "all" compares with those that came.
    return fold == BarrierFold::count ? b.opened_sum
           : fold == BarrierFold::any ? b.opened_sum != 0
                                      : b.opened_sum == b.opened_live;
}

}  // namespace simt::fast
