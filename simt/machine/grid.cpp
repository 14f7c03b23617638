// grid.sync(): all threads of a cooperative launch meet.
//
// A block whose threads all wait here counts as waiting, so that the next one is started; when all blocks are started and
// wait, they go on together. What was done before is ordered before what is done after by a new generation of the
// race checker's epochs, as between two launches.
#include "simt/checker/access.h"
#include "simt/checker/findings.h"
#include "simt/checker/race.h"
#include "simt/checker/stream_race.h"
#include "simt/machine/fast.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/machine.h"

namespace simt {
namespace {

// Within a block all must wait at one place, as at a __syncthreads: a grid.sync() begins and ends with one.
void judge_places(const Blocks& running) {
    for (const auto& block : running) {
        const Lane* first = nullptr;
        for (const Lane& lane : block->lanes) {
            if (lane.state != LaneState::at_grid) continue;
            if (first == nullptr) first = &lane;
            if (!wait_at_same_place(*first, lane)) return report_two_barriers(*first, lane);
        }
    }
}

struct Missing {
    const Lane* fell_off = nullptr;
    const Lane* returned = nullptr;
    bool holds_up = false;  // the grid.sync() would never end without those that returned
    uint64_t threads = 0;
};

void count(Missing& missing, const BlockRun& block) {
    for (const Lane& lane : block.lanes) {
        if (lane.left == Left::fell_off_the_end && missing.fell_off == nullptr) missing.fell_off = &lane;
        if (lane.left == Left::returned && missing.returned == nullptr) missing.returned = &lane;
        missing.threads += lane.left == Left::fell_off_the_end || lane.left == Left::returned;
    }
    // The first thread of a block is the one that arrives for it.
    missing.holds_up = missing.holds_up || block.lanes.front().left == Left::returned;
}

void judge(const Blocks& running, const Blocks& ended) {
    judge_places(running);
    Missing missing;
    for (const auto& block : running) count(missing, *block);
    for (const auto& block : ended) count(missing, *block);
    const Lane* waiting = nullptr;
    for (const auto& block : running)
        for (const Lane& lane : block->lanes)
            if (waiting == nullptr && lane.state == LaneState::at_grid) waiting = &lane;
    if (missing.fell_off != nullptr)
        return report_missing_at_barrier(*waiting, *missing.fell_off, missing.threads);
    if (missing.returned == nullptr) return;
    if (missing.holds_up) return report_missing_at_barrier(*waiting, *missing.returned, missing.threads);
    report_early_exit(*waiting, *missing.returned);
}

}  // namespace

void meet_in_grid(LaunchRun& launch, Blocks& running, const Blocks& ended) {
    judge(running, ended);
    for (auto& block : running) {
        for (unsigned w = 0; w < block->logs.size(); ++w) flush_log(*block, w);
        order::meet_in_block(*block);
    }
    ++launch.grid_barriers;
    ++launch.changes;
    launch.generation = next_generation();
    stream_race::go_on_with(launch.generation);
    for (auto& block : running) {
        block->generation = launch.generation;
        block->at_grid = false;
        for (Lane& lane : block->lanes) {
            ++lane.barriers_passed;
            lane.epoch = lane_epoch(lane);
            if (lane.state == LaneState::at_grid) lane.state = LaneState::runnable;
        }
    }
}

void grid_barrier(Where where) {
    if (fast::running()) return fast::grid_barrier();
    Lane* lane = current_lane;
    if (lane == nullptr) {
        report_finding(
            {.kind = "api-misuse",
             .message = "grid.sync() was called outside a kernel",
             .fix = "Only threads of a kernel can meet; on the host, wait with cudaDeviceSynchronize().",
             .where = where});
        return;
    }
    lane->barrier_name = "grid.sync()";
    lane->wait_where = where;
    lane->wait_pc = __builtin_return_address(0);
    if (!lane->block->launch->call.config.cooperative) {
        report_not_cooperative(*lane);
        abandon(*lane);
    }
    lane->state = LaneState::at_grid;
    suspend(*lane);
}

bool launched_cooperatively() {
    if (fast::running()) return fast::launched_cooperatively();
    return current_lane != nullptr && current_lane->block->launch->call.config.cooperative;
}

}  // namespace simt
