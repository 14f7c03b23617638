#include "simt/machine/fast.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <thread>
#include <vector>

#include "simt/machine/errors.h"
#include "simt/machine/fiber.h"
#include "simt/machine/warp_operations.h"

namespace simt::fast {

struct Worker;

struct Thread {
    Worker* worker = nullptr;
    Index3 index{};
    unsigned linear = 0;
    Context context;
    bool done = false;
    int result = 0;
    // At a warp operation:
    bool waiting = false;
    int kind = 0;
    unsigned mask = 0;
    uint64_t value = 0, warp_result = 0;
    int source = 0, width = 32, predicate = 0;
};

thread_local Thread* current __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

constexpr size_t stack_bytes = size_t{256} << 10;
constexpr size_t shared_bytes = size_t{232} << 10;
constexpr unsigned polls_before_yield = 256;
enum : int { kind_barrier = 16, kind_shuffle = 32, kind_vote = 48, kind_reduce = 64 };

struct WarpState {
    unsigned alive = 0;    // lanes that have not ended
    unsigned waiting = 0;  // lanes at a warp operation
};

struct SharedPlace {
    const void* key;
    size_t offset;
};

}  // namespace

// One core's share: it runs one block at a time.
struct Worker {
    LaunchRun* launch = nullptr;
    std::atomic<int>* error = nullptr;
    StackPool stacks{stack_bytes};
    std::vector<Thread> threads;
    std::vector<WarpState> warps;
    std::deque<Thread*> ready;  // waits for its turn
    std::vector<Thread*> at_barrier;
    std::vector<Stack> idle_stacks;  // given back when nothing runs on them any more
    Context home;
    unsigned started = 0, live = 0, polls = 0;
    int folded = 0;  // sum of predicates of those at the barrier
    Index3 block{};
    std::vector<SharedPlace> places;
    size_t static_used = 0;
    char* shared = nullptr;
    char* dynamic = nullptr;

    void run_block(uint64_t linear);
    void next_thread_or_home(Context& from);
    void leave();
    void release_barrier();
    Thread* wait_at_barrier(int predicate);
    void wait();
    void complete_warp(unsigned warp);
    bool force();
};

namespace {

void fiber_main(void* argument) {
    auto* worker = static_cast<Worker*>(argument);
    // Runs threads until none is left to start: a thread that does not block costs no switch.
    while (worker->started < worker->threads.size()) {
        Thread& thread = worker->threads[worker->started++];
        current = &thread;
        try {
            worker->launch->call.invoke(worker->launch->arguments);
        } catch (...) {
            int none = 0;
            worker->error->compare_exchange_strong(none, error_launch_failure);
        }
        Thread& ended = *current;  // another one may have been started on another stack meanwhile
        ended.done = true;
        worker->warps[ended.linear / 32].alive &= ~(1u << ended.linear % 32);
        --worker->live;
        worker->leave();
        if (!worker->ready.empty()) break;
    }
    Context nowhere;
    worker->next_thread_or_home(nowhere);
}

}  // namespace

// A thread has ended: who waits for it at a barrier or in its warp may go on.
void Worker::leave() {
    if (!at_barrier.empty() && at_barrier.size() == live) release_barrier();
    const WarpState& warp = warps[current->linear / 32];
    if (warp.waiting != 0) complete_warp(current->linear / 32);
}

void Worker::release_barrier() {
    for (Thread* thread : at_barrier) {
        thread->result = folded;
        ready.push_back(thread);
    }
    at_barrier.clear();
    folded = 0;
}

// Switches away from a thread that waits, or from a stack that is finished.
void Worker::next_thread_or_home(Context& from) {
    for (;;) {
        if (!ready.empty()) {
            current = ready.front();
            ready.pop_front();
            return switch_context(from, current->context);
        }
        if (started < threads.size()) {
            const Stack stack = stacks.take();
            idle_stacks.push_back(stack);
            Context fresh;
            prepare_context(fresh, stack.low, stack.high, fiber_main, this);
            return switch_context(from, fresh);
        }
        if (live == 0 || !force()) {
            current = nullptr;
            return switch_context(from, home);
        }
    }
}

void Worker::wait() {
    Thread* self = current;
    next_thread_or_home(self->context);
    current = self;
}

// Nothing can run: the block's threads wait for each other in ways that cannot end. Give up on the launch.
bool Worker::force() {
    int none = 0;
    error->compare_exchange_strong(none, error_launch_timeout);
    return false;
}

void Worker::run_block(uint64_t linear) {
    const Index3 grid = launch->call.config.grid, extent = launch->call.config.block;
    block = {static_cast<unsigned>(linear % grid.x), static_cast<unsigned>(linear / grid.x % grid.y),
             static_cast<unsigned>(linear / grid.x / grid.y)};
    if (threads.size() != launch->threads) {
        threads.resize(launch->threads);
        for (unsigned i = 0; i < launch->threads; ++i) {
            threads[i].worker = this;
            threads[i].linear = i;
            threads[i].index = {i % extent.x, i / extent.x % extent.y, i / extent.x / extent.y};
        }
    }
    for (Thread& thread : threads) thread.done = thread.waiting = false;
    warps.resize((launch->threads + 31) / 32);
    for (unsigned w = 0; w < warps.size(); ++w) {
        const unsigned lanes = std::min(32u, launch->threads - w * 32);
        warps[w] = {lanes == 32 ? ~0u : (1u << lanes) - 1, 0};
    }
    started = 0;
    live = launch->threads;
    folded = 0;
    ready.clear();
    at_barrier.clear();
    next_thread_or_home(home);
    for (const Stack& stack : idle_stacks) stacks.give_back(stack);
    idle_stacks.clear();
}

void run(LaunchRun& launch) {
    std::atomic<uint64_t> next{0};
    std::atomic<int> error{0};
    const auto work = [&] {
        // Kept from launch to launch: stacks and tables are warm.
        static thread_local Worker worker;
        worker.launch = &launch;
        worker.error = &error;
        worker.places.clear();
        worker.static_used = 0;
        worker.threads.clear();
        if (worker.shared == nullptr)
            worker.shared = static_cast<char*>(std::aligned_alloc(128, shared_bytes * 2));
        worker.dynamic = worker.shared + shared_bytes;
        const uint64_t chunk = std::max<uint64_t>(1, launch.blocks / 256);
        for (;;) {
            const uint64_t first = next.fetch_add(chunk);
            if (first >= launch.blocks || error.load() != 0) break;
            for (uint64_t b = first; b < std::min(first + chunk, launch.blocks); ++b) worker.run_block(b);
        }
    };
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> helpers;
    if (launch.blocks > 1 && launch.blocks * launch.threads > 4096)
        for (unsigned i = 1; i < cores; ++i) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
    launch.error = error.load();
    if (launch.error != 0) launch.status = "fault";
}

Index3 thread_index() {
    return current->index;
}
Index3 block_index() {
    return current->worker->block;
}
Index3 block_extent() {
    return current->worker->launch->call.config.block;
}
Index3 grid_extent() {
    return current->worker->launch->call.config.grid;
}
unsigned lane_index() {
    return current->linear % 32;
}

unsigned active_mask() {
    return current->worker->warps[current->linear / 32].alive;
}

int barrier_fold(int predicate, BarrierFold fold) {
    Worker& worker = *current->worker;
    worker.folded += predicate != 0;
    worker.at_barrier.push_back(current);
    Thread* self = current;
    if (worker.at_barrier.size() == worker.live) worker.release_barrier();
    worker.wait();
    if (fold == BarrierFold::count) return self->result;
    // Threads that left do not count: "all" compares with those that came.
    return fold == BarrierFold::any ? self->result != 0 : self->result == static_cast<int>(worker.live);
}

void barrier() {
    barrier_fold(0, BarrierFold::count);
}

void Worker::complete_warp(unsigned warp) {
    const unsigned first = warp * 32,
                   last = std::min<unsigned>(first + 32, static_cast<unsigned>(threads.size()));
    for (unsigned i = first; i < last; ++i) {
        Thread& lead = threads[i];
        if (!lead.waiting) continue;
        WarpValues values{};
        for (unsigned j = first; j < last; ++j) {
            const Thread& t = threads[j];
            if (!t.waiting || t.kind != lead.kind || t.mask != lead.mask) continue;
            values.active |= 1u << (j - first);
            values.value[j - first] = t.value;
            values.source[j - first] = t.source;
            values.width[j - first] = t.width;
        }
        if ((lead.mask & warps[warp].alive & ~values.active) != 0) continue;
        if (lead.kind / 16 == kind_shuffle / 16) shuffle_values(values, static_cast<Shuffle>(lead.kind % 16));
        if (lead.kind / 16 == kind_vote / 16) vote_values(values, static_cast<Vote>(lead.kind % 16));
        if (lead.kind / 16 == kind_reduce / 16) reduce_values(values, static_cast<Reduce>(lead.kind % 16));
        for (unsigned j = first; j < last; ++j) {
            if ((values.active >> (j - first) & 1) == 0) continue;
            Thread& t = threads[j];
            t.waiting = false;
            warps[warp].waiting &= ~(1u << (j - first));
            t.warp_result = values.result[j - first];
            t.predicate = values.predicate[j - first];
            if (&t != current) ready.push_back(&t);
        }
    }
}

namespace {
uint64_t meet(unsigned mask, int kind, uint64_t value, int source, int width) {
    Thread* self = current;
    Worker& worker = *self->worker;
    self->kind = kind;
    self->mask = mask | 1u << (self->linear % 32);
    self->value = value;
    self->source = source;
    self->width = width;
    self->waiting = true;
    // The last lane that the mask waits for completes the operation; the others need not look.
    WarpState& warp = worker.warps[self->linear / 32];
    warp.waiting |= 1u << self->linear % 32;
    if ((self->mask & warp.alive & ~warp.waiting) == 0) worker.complete_warp(self->linear / 32);
    if (self->waiting) worker.wait();
    return self->warp_result;
}
}  // namespace

void warp_barrier(unsigned mask) {
    meet(mask, kind_barrier, 0, 0, 32);
}
uint64_t warp_shuffle(unsigned mask, uint64_t value, int lane_or_delta, int width, Shuffle kind) {
    return meet(mask, kind_shuffle + static_cast<int>(kind), value, lane_or_delta, width);
}
unsigned warp_vote(unsigned mask, uint64_t value, Vote kind, int* predicate) {
    Thread* self = current;
    const auto result = static_cast<unsigned>(meet(mask, kind_vote + static_cast<int>(kind), value, 0, 32));
    if (predicate != nullptr) *predicate = self->predicate;
    return result;
}
unsigned warp_reduce(unsigned mask, unsigned value, Reduce kind) {
    return static_cast<unsigned>(meet(mask, kind_reduce + static_cast<int>(kind), value, 0, 32));
}

void* shared_storage(const void* key, size_t bytes, size_t alignment) {
    Worker& worker = *current->worker;
    for (const SharedPlace& place : worker.places)
        if (place.key == key) return worker.shared + place.offset;
    const size_t offset = (worker.static_used + alignment - 1) / alignment * alignment;
    if (offset + bytes > shared_bytes) fail(error_invalid_value);
    worker.static_used = offset + bytes;
    worker.places.push_back({key, offset});
    return worker.shared + offset;
}

void* dynamic_shared() {
    return current->worker->dynamic;
}

void yield() {
    Worker& worker = *current->worker;
    worker.polls = 0;
    worker.ready.push_back(current);
    worker.wait();
}

void maybe_yield() {
    Worker& worker = *current->worker;
    if (++worker.polls >= polls_before_yield &&
        (worker.started < worker.threads.size() || !worker.ready.empty()))
        yield();
}

void fail(int error) {
    Worker& worker = *current->worker;
    int none = 0;
    worker.error->compare_exchange_strong(none, error);
    current->done = true;
    worker.warps[current->linear / 32].alive &= ~(1u << current->linear % 32);
    --worker.live;
    worker.leave();
    Context nowhere;
    worker.next_thread_or_home(nowhere);
    std::abort();
}

}  // namespace simt::fast
