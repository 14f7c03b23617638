// __syncthreads and its forms: who waits where, what a block does when nothing in it can run.
#include <algorithm>
#include <cstring>
#include <string>

#include "simt/checker/access.h"
#include "simt/checker/findings.h"
#include "simt/checker/race.h"
#include "simt/checker/stream_race.h"
#include "simt/include/simt/library.h"
#include "simt/machine/arena.h"
#include "simt/machine/fast.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/machine.h"
#include "simt/machine/program.h"
#include "simt/machine/warp_operations.h"

namespace simt {
namespace {

int arrive(BarrierKind kind, int predicate, const char* name, Where where, const void* pc) {
    Lane* lane = current_lane;
    if (lane == nullptr) {
        report_finding({.kind = "api-misuse",
                        .message = std::string(name) + " was called outside a kernel",
                        .fix = "Only threads of a kernel can meet at a barrier; on the host, wait with "
                               "cudaDeviceSynchronize().",
                        .where = where});
        return 0;
    }
    lane->barrier_kind = kind;
    lane->barrier_name = name;
    lane->predicate = predicate != 0;
    lane->wait_where = where;
    lane->wait_pc = pc;
    lane->state = LaneState::at_barrier;
    suspend(*lane);
    return lane->barrier_result;
}

void next_interval(BlockRun& block) {
    for (unsigned w = 0; w < block.logs.size(); ++w) flush_log(block, w);
    order::meet_in_block(block);
    for (Lane& lane : block.lanes) {
        ++lane.barriers_passed;
        lane.epoch = lane_epoch(lane);
    }
    const uint32_t passed = block.lanes.front().barriers_passed;
    if ((passed & epoch::barrier_mask) == 0) {
        block.generation = next_generation();
        stream_race::go_on_with(block.generation);
        for (Lane& lane : block.lanes) lane.epoch = lane_epoch(lane);
    }
}

void release(BlockRun& block) {
    ++block.launch->changes;
    int count = 0, waiting = 0;
    for (const Lane& lane : block.lanes) {
        if (lane.state != LaneState::at_barrier) continue;
        ++waiting;
        count += lane.predicate;
    }
    for (Lane& lane : block.lanes) {
        if (lane.state != LaneState::at_barrier) continue;
        lane.barrier_result = lane.barrier_kind == BarrierKind::all   ? count == waiting
                              : lane.barrier_kind == BarrierKind::any ? count != 0
                                                                      : count;
        lane.state = LaneState::runnable;
    }
    next_interval(block);
}

// All that can is waiting at barriers. Says what is wrong with that, if anything is.
void judge_barrier(BlockRun& block) {
    Lane* first = nullptr;
    Lane* elsewhere = nullptr;
    Lane* gone = nullptr;
    Lane* returned = nullptr;
    unsigned missing = 0;
    for (Lane& lane : block.lanes)
        if (lane.state == LaneState::at_barrier && first == nullptr) first = &lane;
    for (Lane& lane : block.lanes) {
        if (lane.state == LaneState::at_barrier || lane.state == LaneState::at_grid) {
            if (elsewhere == nullptr && !wait_at_same_place(*first, lane)) elsewhere = &lane;
        } else if (lane.left == Left::fell_off_the_end) {
            if (gone == nullptr) gone = &lane;
            ++missing;
        } else if (lane.left == Left::returned && returned == nullptr) {
            returned = &lane;
        }
    }
    if (elsewhere != nullptr) return report_two_barriers(*first, *elsewhere);
    if (gone != nullptr) return report_missing_at_barrier(*first, *gone, missing);
    if (returned != nullptr) report_early_exit(*first, *returned);
}

}  // namespace

bool wait_at_same_place(const Lane& a, const Lane& b) {
    return a.wait_where.line == b.wait_where.line && std::strcmp(a.wait_where.file, b.wait_where.file) == 0;
}

void block_barrier(Where where) {
    if (fast::running()) return fast::barrier();
    arrive(BarrierKind::plain, 0, "__syncthreads()", where, __builtin_return_address(0));
}

void group_barrier(Where where) {
    if (fast::running()) return fast::barrier();
    arrive(BarrierKind::plain, 0, "block.sync()", where, __builtin_return_address(0));
}

void library_barrier(const char* name, Where where) {
    if (fast::running()) return fast::barrier();
    arrive(BarrierKind::plain, 0, name, where, __builtin_return_address(0));
}

int block_barrier_fold(int predicate, BarrierFold fold, Where where) {
    if (fast::running()) return fast::barrier_fold(predicate, fold);
    const BarrierKind kind = fold == BarrierFold::count ? BarrierKind::count
                             : fold == BarrierFold::all ? BarrierKind::all
                                                        : BarrierKind::any;
    return arrive(kind, predicate, "__syncthreads()", where, __builtin_return_address(0));
}

bool resolve_waits(BlockRun& block) {
    // A warp whose lanes wait for each other at the window, or partly at a warp operation, goes on first:
    // only when every thread left waits at a barrier is it the barrier's turn.
    bool moved = false;
    for (Lane& lane : block.lanes) {
        if (lane.state != LaneState::at_window) continue;
        flush_log(block, lane.warp);
        for (unsigned i = lane.warp * 32u; i < std::min<size_t>(block.lanes.size(), lane.warp * 32u + 32);
             ++i)
            if (block.lanes[i].state == LaneState::at_window) block.lanes[i].state = LaneState::runnable;
        moved = true;
    }
    if (moved) return true;
    if (resolve_gatherings(block)) return true;
    if (force_warp_operations(block)) return true;
    const bool any = std::any_of(block.lanes.begin(), block.lanes.end(),
                                 [](const Lane& l) { return l.state == LaneState::at_barrier; });
    if (!any) return false;
    judge_barrier(block);
    release(block);
    return true;
}

}  // namespace simt
