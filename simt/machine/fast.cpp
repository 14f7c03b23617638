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
#include "simt/machine/fast_grid.h"
#include "simt/machine/fast_worker.h"

namespace simt::fast {

__thread State state __attribute__((tls_model("initial-exec"), visibility("default"))) = {};
constinit thread_local Worker* worker __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

constexpr unsigned most_resident = 256;  // blocks of one core that wait for others

// Offsets of the launch's static shared arrays; the same in every block.
struct SharedLayout {
    std::mutex mutex;
    std::vector<std::pair<const void*, uint32_t>> places;
    size_t used = 0;
    uint32_t serial = 0;
} layout;

// Room for static shared arrays; the dynamic one comes behind it.
size_t static_shared_bytes() {
    return (device_profile().shared_per_block + 127) / 128 * 128;
}

void enter_block(Block& b) {
    state.running_block = &b;
    state.block = b.index;
    state.shared = b.shared.get();
    state.dynamic_shared = b.shared.get() + static_shared_bytes();
    state.polls = polls_before_yield;
    state.range = {{0, 0, 0}, worker->launch->call.config.block};
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

// Brings a block to its next stop. Null when it has ended, or the launch has.
std::unique_ptr<Block> bring_on(std::unique_ptr<Block> b, Job& job) {
    enter_block(*b);
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

}  // namespace simt::fast
