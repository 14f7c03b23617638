// How it runs a launch: each core takes blocks one after the other. A block's threads run in a loop on one
// stack (run_threads in simt/fast.h). The first thread that waits keeps that stack, and the loop goes on from
// the next thread on another one; so a kernel that never waits costs no switch, and one with barriers two a
// thread and barrier. Waiting threads are in linked lists, and a switch goes from stack to stack without a
// scheduler. A block whose threads only poll comes home, so that its core can start another one.
#include "simt/machine/fast.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "simt/machine/cores.h"
#include "simt/machine/errors.h"
#include "simt/machine/fast_block.h"
#include "simt/machine/fast_grid.h"
#include "simt/machine/fiber_jump.h"
#include "simt/machine/warp_operations.h"

namespace simt::fast {

constinit thread_local State state __attribute__((tls_model("initial-exec"), visibility("default"))) = {};
thread_local Worker* worker __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

constexpr size_t stack_bytes = size_t{256} << 10;
constexpr unsigned polls_before_yield = 256;
constexpr unsigned most_resident = 256;  // blocks of one core that wait for others
enum class Home { block_done, block_polls, block_at_grid, launch_failed };

// Offsets of the launch's static shared arrays; the same in every block.
struct SharedLayout {
    std::mutex mutex;
    std::vector<std::pair<const void*, uint32_t>> places;
    size_t used = 0;
    uint32_t serial = 0;
} layout;

}  // namespace

// What a core has: stacks, and the block that it runs.
struct Worker {
    LaunchRun* launch = nullptr;
    std::atomic<int>* error = nullptr;
    Block* block = nullptr;
    Fiber* fiber = nullptr;
    Fiber* idle = nullptr;
    JumpContext home;
    Home came_home{};
    StackPool stacks{stack_bytes};
    std::vector<std::unique_ptr<Fiber>> fibers;
    std::vector<std::unique_ptr<Block>> spare;
};

namespace {

unsigned linear_of(const Index3& t) {
    const Index3& extent = worker->launch->call.config.block;
    return t.x + extent.x * (t.y + extent.y * t.z);
}

Index3 after(Index3 t) {
    const Index3& extent = worker->launch->call.config.block;
    if (++t.x < extent.x) return t;
    t.x = 0;
    if (++t.y < extent.y) return t;
    t.y = 0;
    ++t.z;
    return t;
}

void go_home(Fiber& self, Home why) {
    worker->came_home = why;
    jump_context(self.context, worker->home);
}

[[noreturn]] void give_up(int error) {
    int none = 0;
    worker->error->compare_exchange_strong(none, error);
    go_home(*worker->fiber, Home::launch_failed);
    std::abort();
}

// ---- threads that end and wait ----

void open_barrier(Block& b) {
    b.opened_sum = b.folded;
    b.opened_live = static_cast<int>(b.live);
    b.folded = 0;
    b.at_barrier = 0;
    b.ready.append(b.barrier);
}

void complete_whole(Block& b, Warp& warp) {
    warp.rows[warp.row].active = warp.arrived;
    warp.arrived = 0;
    warp.row ^= 1;
    b.ready.append(warp.list);
}

void complete_own_masks(Block& b, Warp& warp);

void look_at_warp(Block& b, Warp& warp) {
    if (warp.arrived != 0 && warp.arrived == warp.alive) complete_whole(b, warp);
    if (warp.waiting != 0) complete_own_masks(b, warp);
}

// Threads first to last - 1 have ended without having waited.
void count_ended(Block& b, unsigned first, unsigned last) {
    if (first == last) return;
    b.live -= last - first;
    if (!b.has_warps) return;
    for (unsigned i = first; i < last; ++i) {
        Warp& warp = b.warps[i / 32];
        warp.alive &= ~(1u << i % 32);
        if ((warp.arrived | warp.waiting) != 0 && (i % 32 == 31 || i + 1 == last)) look_at_warp(b, warp);
    }
    if (b.live != 0 && b.at_barrier == b.live) open_barrier(b);
}

// All before thread `first` have ended.
void start_warps(Block& b, unsigned first) {
    const unsigned threads = worker->launch->threads;
    b.warps.resize((threads + 31) / 32);
    for (unsigned w = 0; w < b.warps.size(); ++w) {
        Warp& warp = b.warps[w];
        const unsigned lanes = std::min(32u, threads - w * 32);
        warp.alive = lanes == 32 ? ~0u : (1u << lanes) - 1;
        if (w * 32 + 32 <= first)
            warp.alive = 0;
        else if (w * 32 < first)
            warp.alive &= ~0u << first % 32;
        warp.waiting = warp.arrived = warp.row = 0;
        warp.list = {};
    }
    b.has_warps = true;
}

// The thread that runs waits, or may: from here on it has its stack to itself.
__attribute__((noinline)) void leave_its_loop(Fiber& self) {
    Block& b = *worker->block;
    self.thread = state.thread;
    self.linear = linear_of(self.thread);
    self.loops = false;
    self.range.end_x = 0;
    b.next_linear = self.linear + 1;
    b.unstarted = worker->launch->threads - b.next_linear;
    b.next_thread = after(self.thread);
    count_ended(b, self.first, self.linear);
    if (!b.has_warps) start_warps(b, self.linear);
}

inline __attribute__((always_inline)) void leave_loop(Fiber& self) {
    if (self.loops) leave_its_loop(self);
}

// ---- which stack is next ----

void fiber_main(void*);

// The stacks of a block's threads don't fit into the first cache: the next one is on its way while this one
// runs.
inline void fetch(const Fiber* next) {
    if (next == nullptr) return;
    __builtin_prefetch(next->next);
    const char* stack = static_cast<const char*>(next->context.stack_pointer);
    __builtin_prefetch(stack);
    __builtin_prefetch(stack + 64);
    __builtin_prefetch(stack + 128);
}

Fiber* take_idle() {
    Fiber* fiber = worker->idle;
    if (fiber != nullptr) {
        worker->idle = fiber->next;
        fetch(fiber->next);
    } else {
        worker->fibers.push_back(std::make_unique<Fiber>());
        fiber = worker->fibers.back().get();
        fiber->stack = worker->stacks.take();
    }
    if (std::exchange(fiber->fresh, false))
        prepare_jump(fiber->context, fiber->stack.low, fiber->stack.high, fiber_main, nullptr);
    return fiber;
}

void hand_over(Fiber& self, Fiber* to) {
    worker->fiber = to;
    fetch(to->next);
    state.thread = to->thread;
    jump_context(self.context, to->context);
}

// Where to switch when all fibers of the block wait.
__attribute__((noinline)) Switch when_all_wait(Fiber& self) {
    Worker& w = *worker;
    Block& b = *w.block;
    if (answer_gathering(b)) {
        Fiber* to = b.ready.pop();
        if (to == &self) return {};
        state.thread = to->thread;
        w.fiber = to;
        return {&self.context, &to->context};
    }
    // Waiting for each other in other ways cannot end.
    if (b.at_grid == 0 || b.at_grid != b.live) give_up(error_launch_timeout);
    w.came_home = Home::block_at_grid;
    return {&self.context, &w.home};
}

// Where to switch when this fiber waits until somebody puts it into the ready list.
inline Switch leave_to_others(Fiber& self) {
    Worker& w = *worker;
    Block& b = *w.block;
    Fiber* to;
    if (!b.ready.empty()) {
        to = b.ready.pop();
        fetch(to->next);
        state.thread = to->thread;
    } else if (b.unstarted != 0) {
        to = take_idle();
    } else {
        return when_all_wait(self);
    }
    w.fiber = to;
    return {&self.context, &to->context};
}

void run_loop(Fiber& self) {
    Block& b = *worker->block;
    LaunchRun& launch = *worker->launch;
    const Index3 extent = launch.call.config.block;
    self.loops = true;
    self.first = b.next_linear;
    self.range = {b.next_thread, extent, extent.x};
    b.unstarted = 0;
    try {
        launch.call.invoke_many(launch.arguments, self.range);
    } catch (...) {
        give_up(error_launch_failure);
    }
    // It may have been away and come back, to a block that has gone on.
    const unsigned threads = launch.threads;
    if (self.loops)
        count_ended(b, self.first, threads);
    else
        count_ended(b, self.linear, self.linear + 1);
}

// A stack runs loops of threads, one after the other, for as long as the worker lives.
void fiber_main(void*) {
    for (;;) {
        Fiber& self = *worker->fiber;
        run_loop(self);
        Block& b = *worker->block;
        if (b.ready.empty() && b.unstarted != 0) continue;
        self.next = worker->idle;
        worker->idle = &self;
        if (!b.ready.empty()) {
            hand_over(self, b.ready.pop());
        } else if (b.live == 0) {
            go_home(self, Home::block_done);
        } else {
            take(when_all_wait(self));
        }
    }
}

// ---- blocks ----

// Room for static shared arrays; the dynamic one comes behind it.
size_t static_shared_bytes() {
    return (device_profile().shared_per_block + 127) / 128 * 128;
}

void enter_block(Block& b) {
    worker->block = &b;
    state.block = b.index;
    state.shared = b.shared.get();
    state.dynamic_shared = b.shared.get() + static_shared_bytes();
    state.polls = polls_before_yield;
    b.yields = 0;
}

std::unique_ptr<Block> make_block(uint64_t linear) {
    std::unique_ptr<Block> b;
    if (worker->spare.empty()) {
        b = std::make_unique<Block>();
    } else {
        b = std::move(worker->spare.back());
        worker->spare.pop_back();
    }
    const LaunchRun& launch = *worker->launch;
    const Index3 grid = launch.call.config.grid;
    b->linear = linear;
    if (grid.y == 1 && grid.z == 1) {
        b->index = {static_cast<unsigned>(linear), 0, 0};
    } else {
        b->index = {static_cast<unsigned>(linear % grid.x), static_cast<unsigned>(linear / grid.x % grid.y),
                    static_cast<unsigned>(linear / grid.x / grid.y)};
    }
    b->live = b->unstarted = launch.threads;
    b->at_barrier = b->next_linear = 0;
    b->next_thread = {0, 0, 0};
    b->folded = 0;
    b->at_grid = 0;
    b->has_warps = false;
    b->ready = b->barrier = b->gathering = b->grid = {};
    const size_t bytes = static_shared_bytes() + launch.call.config.shared_bytes;
    if (b->shared_bytes < bytes || b->shared == nullptr) {
        b->shared.reset(static_cast<char*>(std::aligned_alloc(128, (bytes + 127) / 128 * 128)));
        b->shared_bytes = bytes;
    }
    return b;
}

// Runs the block until it is done or only polls.
Home go_on(Block& b) {
    enter_block(b);
    Fiber* to = b.ready.empty() ? take_idle() : b.ready.pop();
    worker->fiber = to;
    state.thread = to->thread;
    jump_context(worker->home, to->context);
    return worker->came_home;
}

struct Job {
    LaunchRun* launch;
    uint64_t chunk;
    GridMeeting grid;
    std::atomic<uint64_t> next{0};
    std::atomic<int> error{0};
};

// May the block go on? One at a grid.sync() may when all others have come there.
bool may_go_on(Block& b, const GridMeeting& grid) {
    if (b.at_grid == 0) return true;
    if (!grid.is_over(b.meeting)) return false;
    b.at_grid = 0;
    b.ready.append(b.grid);
    return true;
}

// After a failure stacks are left as they were: all begin afresh.
void forget_stacks() {
    worker->idle = nullptr;
    for (auto& fiber : worker->fibers) {
        fiber->fresh = true;
        fiber->next = worker->idle;
        worker->idle = fiber.get();
    }
}

// Brings a block to its next stop. Null when it has ended, or the launch has.
std::unique_ptr<Block> bring_on(std::unique_ptr<Block> b, Job& job) {
    const Home home = go_on(*b);
    if (home == Home::block_polls) return b;
    if (home == Home::block_at_grid) {
        b->meeting = job.grid.arrive();
        return b;
    }
    if (home == Home::launch_failed) forget_stacks();
    if (home == Home::block_done && job.launch->call.config.cooperative) job.grid.end_block();
    worker->spare.push_back(std::move(b));
    return nullptr;
}

void work(Job& job) {
    static thread_local Worker mine;  // kept from launch to launch: its stacks are warm
    worker = &mine;
    mine.launch = job.launch;
    mine.error = &job.error;
    state.shared_serial = layout.serial;
    std::vector<std::unique_ptr<Block>> waiting;  // they poll, or are at a grid.sync()
    const size_t most = job.launch->call.config.cooperative ? SIZE_MAX : most_resident;
    uint64_t next = 0, end = 0;
    const auto more = [&] {
        if (next < end) return true;
        next = job.next.fetch_add(job.chunk, std::memory_order_relaxed);
        end = std::min(next + job.chunk, job.launch->blocks);
        return next < end;
    };
    size_t turn = 0;
    while (job.error.load(std::memory_order_relaxed) == 0) {
        std::unique_ptr<Block> b;
        if (waiting.size() < most && more()) {
            b = make_block(next++);
        } else if (!waiting.empty()) {
            turn = (turn + 1) % waiting.size();
            if (turn == 0) sched_yield();  // what they wait for may be done by another core
            if (job.grid.never_ends()) job.error.store(error_launch_timeout);
            if (!may_go_on(*waiting[turn], job.grid)) continue;
            b = std::move(waiting[turn]);
            waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(turn));
        } else {
            break;
        }
        b = bring_on(std::move(b), job);
        if (b != nullptr) waiting.push_back(std::move(b));
    }
    if (!waiting.empty()) forget_stacks();
    worker = nullptr;
}

}  // namespace

void run(LaunchRun& launch) {
    ++layout.serial;
    layout.places.clear();
    layout.used = 0;
    Job job{&launch, std::max<uint64_t>(1, launch.blocks / 512), GridMeeting(launch.blocks)};
    const bool many = launch.blocks > 1 && launch.blocks * launch.threads > 4096;
    on_all_cores(many, [&job] { work(job); });
    launch.static_shared = layout.used;
    launch.error = job.error.load();
    if (launch.error != 0) launch.status = "fault";
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

unsigned gathered_lanes(int line, const void* pc) {
    Fiber& self = *worker->fiber;
    leave_loop(self);
    // The line first: the compiler may have made one call of two.
    self.site = static_cast<uint64_t>(line) << 32 | (reinterpret_cast<uintptr_t>(pc) & 0xffffffffu);
    worker->block->gathering.push(&self);
    take(leave_to_others(self));
    return static_cast<unsigned>(self.result);
}

void grid_barrier() {
    if (!launched_cooperatively()) fail(error_launch_failure);
    Fiber& self = *worker->fiber;
    leave_loop(self);
    Block& b = *worker->block;
    ++b.at_grid;
    b.grid.push(&self);
    take(leave_to_others(self));
}

bool launched_cooperatively() {
    return worker->launch->call.config.cooperative;
}

uint32_t shared_offset(const void* key, size_t bytes, size_t alignment) {
    std::unique_lock lock(layout.mutex);
    for (const auto& [known, offset] : layout.places)
        if (known == key) return offset;
    const size_t offset = (layout.used + alignment - 1) / alignment * alignment;
    if (offset + bytes > device_profile().shared_per_block) {
        lock.unlock();
        fail(error_invalid_value);
    }
    layout.used = offset + bytes;
    layout.places.emplace_back(key, static_cast<uint32_t>(offset));
    return static_cast<uint32_t>(offset);
}

void yield() {
    state.polls = polls_before_yield;
    Fiber& self = *worker->fiber;
    leave_loop(self);
    Block& b = *worker->block;
    b.ready.push(&self);
    if (b.unstarted != 0) {
        hand_over(self, take_idle());
    } else if (++b.yields > b.live && !answer_gathering(b)) {
        go_home(self, Home::block_polls);
    } else if (Fiber* to = b.ready.pop(); to != &self) {
        hand_over(self, to);
    }
}

void poll() {
    if (running()) return yield();
    state.polls = polls_before_yield;  // host code that uses an atomic function
}

void fail(int error) {
    give_up(error);
}

Switch arrive_at_barrier() {
    Fiber& self = *worker->fiber;
    leave_loop(self);
    Block& b = *worker->block;
    if (++b.at_barrier == b.live) {
        open_barrier(b);
        return {};
    }
    b.barrier.push(&self);
    return leave_to_others(self);
}

int barrier_fold(int predicate, BarrierFold fold) {
    worker->block->folded += predicate != 0;
    barrier();
    const Block& b = *worker->block;
    // Threads that left do not count: "all" compares with those that came.
    return fold == BarrierFold::count ? b.opened_sum
           : fold == BarrierFold::any ? b.opened_sum != 0
                                      : b.opened_sum == b.opened_live;
}

// ---- warps ----

namespace {

// Lanes that meet under masks that are not the whole warp: each group when all that its mask names are there.
void complete_own_masks(Block& b, Warp& warp) {
    for (unsigned i = 0; i < 32; ++i) {
        if ((warp.waiting >> i & 1) == 0) continue;
        const Fiber& lead = *warp.fibers[i];
        WarpValues values{};
        for (unsigned j = 0; j < 32; ++j) {
            if ((warp.waiting >> j & 1) == 0) continue;
            const Fiber& f = *warp.fibers[j];
            if (f.kind != lead.kind || f.mask != lead.mask) continue;
            values.active |= 1u << j;
            values.value[j] = f.value;
            values.source[j] = f.source;
            values.width[j] = f.width;
        }
        if ((lead.mask & warp.alive & ~values.active) != 0) continue;
        const int which = lead.kind % 16;
        if (lead.kind - which == warp_shuffles) shuffle_values(values, static_cast<Shuffle>(which));
        if (lead.kind - which == warp_votes) vote_values(values, static_cast<Vote>(which));
        if (lead.kind - which == warp_reductions) reduce_values(values, static_cast<Reduce>(which));
        for (unsigned j = 0; j < 32; ++j) {
            if ((values.active >> j & 1) == 0) continue;
            Fiber& f = *warp.fibers[j];
            warp.waiting &= ~(1u << j);
            f.at_own_mask = false;
            f.result = values.result[j];
            f.predicate = values.predicate[j];
            if (&f != worker->fiber) b.ready.push(&f);
        }
    }
}

Switch arrive_under_mask(Fiber& self, Warp& warp) {
    const unsigned lane = self.linear % 32;
    self.mask |= 1u << lane;
    self.at_own_mask = true;
    self.row = nullptr;
    warp.waiting |= 1u << lane;
    warp.fibers[lane] = &self;
    complete_own_masks(*worker->block, warp);
    return self.at_own_mask ? leave_to_others(self) : Switch{};
}

WarpValues values_of(const WarpRow& row) {
    WarpValues values{};
    values.active = row.active;
    for (unsigned i = 0; i < 32; ++i) values.value[i] = row.values[i];
    return values;
}

}  // namespace

// Almost always the whole warp meets: each lane leaves its value in a row that all then read. Any other mask
// goes the long way.
Switch arrive_in_warp(unsigned mask, int operation, uint64_t value, int source, int width) {
    Fiber& self = *worker->fiber;
    leave_loop(self);
    Block& b = *worker->block;
    Warp& warp = b.warps[self.linear / 32];
    self.kind = operation;
    self.mask = mask;
    self.value = value;
    self.source = source;
    self.width = width;
    const bool whole = (warp.alive & ~mask) == 0 && warp.waiting == 0;
    if (!whole || (warp.arrived != 0 && warp.kind != operation)) return arrive_under_mask(self, warp);
    const unsigned bit = 1u << self.linear % 32;
    WarpRow& row = warp.rows[warp.row];
    if (warp.arrived == 0) {
        warp.kind = operation;
        row.ballot = 0;
    }
    self.row = &row;
    row.values[self.linear % 32] = value;
    row.ballot |= static_cast<unsigned>(value != 0) << self.linear % 32;
    warp.arrived |= bit;
    if (warp.arrived == warp.alive) {
        complete_whole(b, warp);
        return {};
    }
    warp.list.push(&self);
    return leave_to_others(self);
}

uint64_t shuffle_result() {
    const Fiber& self = *worker->fiber;
    if (self.row == nullptr) return self.result;
    const auto kind = static_cast<Shuffle>(self.kind - warp_shuffles);
    const int lane = static_cast<int>(self.linear % 32);
    const auto source = static_cast<unsigned>(source_lane(lane, self.source, self.width, kind)) % 32;
    return (self.row->active >> source & 1) != 0 ? self.row->values[source] : self.value;
}

unsigned vote_result(int* predicate) {
    const Fiber& self = *worker->fiber;
    if (self.row == nullptr) {
        if (predicate != nullptr) *predicate = self.predicate;
        return static_cast<unsigned>(self.result);
    }
    const auto kind = static_cast<Vote>(self.kind - warp_votes);
    if (kind == Vote::ballot) return self.row->ballot;
    if (kind == Vote::all) return self.row->ballot == self.row->active;
    if (kind == Vote::any) return self.row->ballot != 0;
    WarpValues values = values_of(*self.row);
    vote_values(values, kind);
    if (predicate != nullptr) *predicate = values.predicate[self.linear % 32];
    return static_cast<unsigned>(values.result[self.linear % 32]);
}

unsigned reduce_result() {
    const Fiber& self = *worker->fiber;
    if (self.row == nullptr) return static_cast<unsigned>(self.result);
    WarpValues values = values_of(*self.row);
    reduce_values(values, static_cast<Reduce>(self.kind - warp_reductions));
    return static_cast<unsigned>(values.result[self.linear % 32]);
}

}  // namespace simt::fast
