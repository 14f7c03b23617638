// The checked engine: one worker, deterministic. A block's threads run one after the other, each until it
// blocks or ends; a block is started when all that were started before it wait or are done.
#include "simt/machine/launch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "simt/checker/access.h"
#include "simt/checker/findings.h"
#include "simt/checker/metrics.h"
#include "simt/checker/race.h"
#include "simt/machine/arena.h"
#include "simt/machine/devices.h"
#include "simt/machine/occupancy.h"
#include "simt/machine/program.h"
#include "simt/machine/session_state.h"

namespace simt {

thread_local Lane* current_lane __attribute__((tls_model("initial-exec"))) = nullptr;
thread_local LaunchRun* current_launch = nullptr;

namespace {

constexpr uint32_t first_slice = 1u << 18;  // basic blocks; an honest thread mostly ends before
constexpr uint32_t later_slice = 1u << 14;  // for a thread that has been interrupted: it may be polling
constexpr unsigned patience = 64;  // sweeps without an end or a wait before another block becomes resident
constexpr size_t stack_bytes = size_t{512} << 10;  // CUDA's most for a thread's local memory

StackPool& stacks() {
    static StackPool& pool = *new StackPool(stack_bytes);  // never destroyed, like all tables of the machine
    return pool;
}
Context scheduler;
std::vector<std::unique_ptr<BlockRun>>& spare_blocks = *new std::vector<std::unique_ptr<BlockRun>>;

void lane_main(void* argument) {
    auto* lane = static_cast<Lane*>(argument);
    BlockRun& block = *lane->block;
    try {
        block.launch->call.invoke(block.launch->arguments);
        if (lane->left == Left::no) lane->left = Left::fell_off_the_end;
    } catch (...) {
        report_uncaught_exception(*lane);
        lane->left = Left::abandoned;
    }
    lane->state = LaneState::done;
    Context nowhere;
    switch_context(nowhere, scheduler);
}

void reset_lane(Lane& lane, BlockRun& block, unsigned linear) {
    const Index3 extent = block.launch->call.config.block;
    lane.block = &block;
    lane.thread = {linear % extent.x, linear / extent.x % extent.y, linear / extent.x / extent.y};
    lane.linear = linear;
    lane.warp = static_cast<uint16_t>(linear / 32);
    lane.lane = static_cast<uint8_t>(linear % 32);
    lane.state = LaneState::fresh;
    lane.left = Left::no;
    lane.position = 0;
    lane.frames.clear();
    lane.locals.clear();
    lane.loops.clear();
    lane.access_log = lane.branch_log = {};
    lane.fork = {};
    lane.kernel_depth = 0;
    lane.slice = lane.granted = first_slice;
    lane.turns = 0;
    lane.polled = nullptr;
    lane.polls = 0;
    lane.polling = false;
    lane.ticks = 0;
    lane.writes = 0;
    lane.last_pc = lane.return_pc = nullptr;
    lane.barriers_passed = 0;
    lane.epoch = lane_epoch(lane);
}

std::unique_ptr<BlockRun> start_block(LaunchRun& launch, uint64_t linear, unsigned slot) {
    std::unique_ptr<BlockRun> block;
    if (spare_blocks.empty()) {
        block = std::make_unique<BlockRun>();
    } else {
        block = std::move(spare_blocks.back());
        spare_blocks.pop_back();
    }
    const Index3 grid = launch.call.config.grid;
    block->launch = &launch;
    block->linear = linear;
    block->index = {static_cast<unsigned>(linear % grid.x), static_cast<unsigned>(linear / grid.x % grid.y),
                    static_cast<unsigned>(linear / grid.x / grid.y)};
    block->slot = slot;
    block->generation = launch.generation;
    block->static_used = 0;
    block->dynamic_bytes = launch.call.config.shared_bytes;
    block->shared.clear();
    block->live = launch.threads;
    block->idle_sweeps = 0;
    block->gives_way = block->at_grid = false;
    block->still.forget();
    block->lanes.resize(launch.threads);
    block->logs.resize((launch.threads + 31) / 32);
    for (WarpLog& log : block->logs) {
        log.accesses.clear();
        log.branches.clear();
        log.accesses.step = 0;
        log.cycles = 0;
        log.exchanges = 0;
        log.block = linear;
    }
    block->warps.resize(block->logs.size());
    for (unsigned w = 0; w < block->warps.size(); ++w) {
        const unsigned lanes = std::min(32u, launch.threads - w * 32);
        block->warps[w] = {lanes == 32 ? ~0u : (1u << lanes) - 1, 0};
    }
    order::start(*block);
    for (unsigned i = 0; i < launch.threads; ++i) reset_lane(block->lanes[i], *block, i);
    block->traced = should_trace(launch, linear);
    ++launch.changes;
    if (block->dynamic_bytes != 0) clear_shared(slot, Arena::dynamic_offset, block->dynamic_bytes);
    launch.warps += block->logs.size();
    return block;
}

void resume(Lane& lane) {
    if (lane.state == LaneState::fresh) {
        lane.stack = stacks().take();
        prepare_context(lane.context, lane.stack.low, lane.stack.high, lane_main, &lane);
        lane.state = LaneState::runnable;
    }
    const uint32_t writes = lane.writes;
    const long long ticks = lane.ticks;
    current_lane = &lane;
    switch_context(scheduler, lane.context);
    current_lane = nullptr;
    const bool interrupted = lane.state == LaneState::runnable || lane.state == LaneState::at_window;
    if (!interrupted || lane.writes != writes || lane.ticks != ticks) ++lane.block->launch->changes;
    if (lane.state != LaneState::done) return;
    stacks().give_back(lane.stack);
    lane.stack = {};
    BlockRun& block = *lane.block;
    block.launch->steps = 0;  // a thread has ended: the launch gets somewhere
    --block.live;
    block.warps[lane.warp].alive &= ~(1u << lane.lane);
    if (block.warps[lane.warp].waiting != 0) try_complete_warp(block, lane.warp);
}

enum class Turn { nothing_ran, polled, worked, got_further };

// Gives every thread of the block that can run one turn, and says what the best of them made of it: it polled
// somebody else's flag, used up its slice, or waits or ended.
Turn sweep(BlockRun& block) {
    LaunchRun& launch = *block.launch;
    Turn best = Turn::nothing_ran;
    const unsigned count = static_cast<unsigned>(block.lanes.size());
    const bool forward = session().order == SIMT_ORDER_FORWARD;
    for (unsigned i = 0; i < count && !launch.stop; ++i) {
        Lane& lane = block.lanes[forward ? i : count - 1 - i];
        if (lane.state != LaneState::fresh && lane.state != LaneState::runnable) continue;
        resume(lane);
        const bool interrupted = lane.state == LaneState::runnable || lane.state == LaneState::at_window;
        best = std::max(best, !interrupted ? Turn::got_further : lane.polling ? Turn::polled : Turn::worked);
    }
    return best;
}

// Runs the block until it is finished (true), or another one should get a chance (false): its threads only
// poll, or have worked for long and none got to a wait or to its end.
bool run_block(BlockRun& block) {
    while (block.live != 0 && !block.launch->stop) {
        const Turn turn = sweep(block);
        if (std::exchange(block.gives_way, false) && block.live != 0) return false;
        if (turn == Turn::got_further) {
            block.idle_sweeps = 0;
            continue;
        }
        if (turn == Turn::nothing_ran) {
            if (resolve_waits(block)) continue;
            block.at_grid = std::any_of(block.lanes.begin(), block.lanes.end(),
                                        [](const Lane& l) { return l.state == LaneState::at_grid; });
            if (block.at_grid) return false;
            block.launch->stop = true;
            continue;
        }
        block.still.look(block);
        if (turn == Turn::polled || ++block.idle_sweeps % patience == 0 || block.still.is_certain(block)) {
            // Those that poll may do so for lanes that wait to know who is with them: they come without these.
            if (!resolve_gatherings(block)) return false;
        }
    }
    return block.live == 0;
}

void retire(std::unique_ptr<BlockRun> block) {
    LaunchRun& launch = *block->launch;
    for (unsigned w = 0; w < block->logs.size(); ++w) flush_log(*block, w);
    order::end(*block);
    launch.static_shared = std::max(launch.static_shared, block->static_used);
    for (Lane& lane : block->lanes) {
        if (lane.stack.low != nullptr) stacks().give_back(lane.stack);
        lane.stack = {};
    }
    spare_blocks.push_back(std::move(block));
}

}  // namespace

uint64_t lane_epoch(const Lane& lane) {
    return epoch::make(lane.block->generation, static_cast<uint32_t>(lane.block->linear),
                       lane.barriers_passed, lane.knowledge.segment, lane.linear);
}

void suspend(Lane& lane) {
    switch_context(lane.context, scheduler);
}

void abandon(Lane& lane) {
    lane.left = Left::abandoned;
    lane.state = LaneState::done;
    Context nowhere;
    switch_context(nowhere, scheduler);
    __builtin_unreachable();
}

void spend_slice(Lane& lane) {
    LaunchRun& launch = *lane.block->launch;
    launch.steps += lane.granted;
    ++lane.turns;
    lane.slice = lane.granted = later_slice;
    if (launch.steps > launch.budget) {
        if (lane.polled != nullptr) {
            report_deadlock(lane);
        } else {
            report_endless(lane);
        }
        launch.stop = true;
    }
    suspend(lane);
}

void step_aside(Lane& lane) {
    lane.polls = 0;
    lane.polling = true;
    lane.granted -= lane.slice - 1;
    lane.slice = 1;
}

void let_others_go_first(Lane& lane) {
    if (session().order != SIMT_ORDER_REVERSE) return;
    step_aside(lane);
    lane.block->gives_way = true;
}

void give_turn(Lane& lane) {
    lane.granted -= lane.slice - 1;  // what it did not use
    spend_slice(lane);
}

void wait_for_window(Lane& lane) {
    lane.state = LaneState::at_window;
    suspend(lane);
}

void flush_log(BlockRun& block, unsigned warp) {
    WarpLog& log = block.logs[warp];
    if (log.accesses.size() == 0 && log.branches.size() == 0) return;
    account(block, warp, log);
    log.accesses.clear();
    log.branches.clear();
    const unsigned end = std::min<unsigned>(static_cast<unsigned>(block.lanes.size()), warp * 32 + 32);
    for (unsigned i = warp * 32; i < end; ++i) block.lanes[i].access_log = block.lanes[i].branch_log = {};
}

namespace {

// The blocks of a launch that runs: starts them, gives them turns.
class Residents {
  public:
    explicit Residents(LaunchRun& launch) : launch_(launch) {}
    ~Residents() {
        for (auto& block : running_) retire(std::move(block));
        for (auto& block : ended_) retire(std::move(block));
    }
    Residents(const Residents&) = delete;
    Residents& operator=(const Residents&) = delete;

    void run() {
        while ((may_start() || !running_.empty()) && !launch_.stop) {
            if (running_.empty()) start_next();
            if (give_turns()) continue;
            if (may_start() && has_room()) {
                start_next();
            } else if (!may_start() && all_at_grid()) {
                meet_in_grid(launch_, running_, ended_);
            } else if (all_stand_still()) {
                end_standstill();
            }
        }
    }

  private:
    bool may_start() const { return next_ < launch_.blocks; }

    // A cooperative launch that is too large is refused, at the latest when its static shared memory is known.
    bool has_room() {
        if (running_.size() >= Arena::shared_end / Arena::slot_bytes) return false;
        if (launch_.call.config.cooperative) return true;
        for (const auto& block : running_)
            launch_.static_shared = std::max(launch_.static_shared, block->static_used);
        const uint64_t most = residency_of(launch_.call, launch_.static_shared).blocks();
        return running_.size() < std::max<uint64_t>(most, 1);
    }

    void start_next() {
        if (free_slots_.empty()) free_slots_.push_back(slots_++);
        const unsigned slot = free_slots_.back();
        free_slots_.pop_back();
        const bool forward = session().order == SIMT_ORDER_FORWARD;
        const uint64_t linear = forward ? next_ : launch_.blocks - 1 - next_;
        ++next_;
        running_.push_back(start_block(launch_, linear, slot));
    }

    // True: a block has ended.
    bool give_turns() {
        bool ended_one = false;
        for (size_t i = 0; i < running_.size() && !launch_.stop;) {
            BlockRun& block = *running_[i];
            if (block.at_grid || block.still.is_certain(block) || !run_block(block)) {
                ++i;
                continue;
            }
            end(std::move(running_[i]));
            running_.erase(running_.begin() + static_cast<ptrdiff_t>(i));
            ended_one = true;
        }
        return ended_one;
    }

    // Those of a cooperative launch are kept: a grid.sync() that they never came to says so.
    void end(std::unique_ptr<BlockRun> block) {
        if (launch_.call.config.cooperative) {
            ended_.push_back(std::move(block));
            return;
        }
        free_slots_.push_back(block->slot);
        retire(std::move(block));
    }

    bool all_at_grid() const {
        return !running_.empty() && std::all_of(running_.begin(), running_.end(),
                                                [](const auto& block) { return block->at_grid; });
    }

    bool all_stand_still() const {
        return std::all_of(running_.begin(), running_.end(), [](const auto& block) {
            return block->at_grid || block->still.is_certain(*block);
        });
    }

    void end_standstill() {
        if (host_may_write()) {
            for (auto& block : running_) block->still.forget();  // so that they look again
            return;
        }
        report_standstill(launch_, running_, may_start() ? launch_.blocks - next_ : 0);
        launch_.stop = true;
    }

    LaunchRun& launch_;
    Blocks running_, ended_;
    std::vector<unsigned> free_slots_{0};
    unsigned slots_ = 1;
    uint64_t next_ = 0;
};

}  // namespace

bool is_reachable(const LaunchRun& launch, const Allocation& memory) {
    const bool is_everywhere = memory.space == BufferSpace::managed || memory.space == BufferSpace::pinned;
    if (memory.device == launch.device || is_everywhere) return true;
    if (memory.pool_access != nullptr) return devices::has(*memory.pool_access, launch.device);
    return devices::has(launch.reach, memory.device);
}

void run_checked(LaunchRun& launch) {
    current_launch = &launch;
    Residents(launch).run();
    current_launch = nullptr;
}

}  // namespace simt
