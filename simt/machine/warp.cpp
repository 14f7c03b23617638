// Shuffles, votes, reductions and __syncwarp: the lanes that a mask names meet, then the operation is done
// for all.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/checker/findings.h"
#include "simt/checker/metrics.h"
#include "simt/machine/fast.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/warp_operations.h"

namespace simt {
namespace {

// Operations of one kind meet each other: kind * 16 + which.
enum : int { kind_barrier = 16, kind_shuffle = 32, kind_vote = 48, kind_reduce = 64, kind_matrix = 80 };

unsigned first_lane(unsigned warp) {
    return warp * 32;
}
unsigned lane_count(const BlockRun& block, unsigned warp) {
    return std::min<unsigned>(static_cast<unsigned>(block.lanes.size()) - first_lane(warp), 32);
}

bool meets(const Lane& a, const Lane& b) {
    return b.state == LaneState::at_warp_op && a.warp_wait.kind == b.warp_wait.kind &&
           a.warp_wait.mask == b.warp_wait.mask;
}

// Lanes that have arrived at the operation that `lane` waits for.
unsigned arrived_mask(const BlockRun& block, const Lane& lane) {
    unsigned arrived = 0;
    for (unsigned i = 0; i < lane_count(block, lane.warp); ++i)
        if (meets(lane, block.lanes[first_lane(lane.warp) + i])) arrived |= 1u << i;
    return arrived;
}

trace::WarpOperation operation_of(int kind) {
    using trace::WarpOperation;
    static constexpr WarpOperation shuffles[] = {WarpOperation::shuffle_index, WarpOperation::shuffle_up,
                                                 WarpOperation::shuffle_down, WarpOperation::shuffle_xor};
    static constexpr WarpOperation votes[] = {WarpOperation::vote_all,    WarpOperation::vote_any,
                                              WarpOperation::vote_ballot, WarpOperation::vote_uniform,
                                              WarpOperation::match_any,   WarpOperation::match_all};
    static constexpr WarpOperation reductions[] = {
        WarpOperation::reduce_add, WarpOperation::reduce_add, WarpOperation::reduce_min,
        WarpOperation::reduce_min, WarpOperation::reduce_max, WarpOperation::reduce_max,
        WarpOperation::reduce_and, WarpOperation::reduce_or,  WarpOperation::reduce_xor};
    const size_t which = static_cast<size_t>(kind % 16);
    switch (kind - kind % 16) {
        case kind_shuffle:
            return shuffles[which];
        case kind_vote:
            return votes[which];
        case kind_reduce:
            return reductions[which];
        default:
            return WarpOperation::barrier;
    }
}

// The exchange stands in the trace before the access that any of its lanes makes next.
void trace_exchange(BlockRun& block, const Lane& first, const WarpValues& values) {
    WarpLog& log = block.logs[first.warp];
    trace::RecordHeader header{};
    trace::WarpExchange exchange{};
    exchange.asked = first.warp_wait.mask;
    exchange.number = log.exchanges - 1;
    uint32_t next = 0;
    const bool shuffles = first.warp_wait.kind - first.warp_wait.kind % 16 == kind_shuffle;
    for (unsigned i = 0; i < 32; ++i) {
        exchange.source[i] = -1;
        if ((values.active >> i & 1) == 0) continue;
        next = std::max(next, block.lanes[first_lane(first.warp) + i].access_log.next);
        exchange.value[i] = values.value[i];
        exchange.result[i] = values.result[i];
        if (shuffles) exchange.source[i] = static_cast<int8_t>(values.source_lane[i]);
    }
    header.step = log.accesses.step + next;
    header.mask = values.active;
    header.warp = first.warp;
    header.phase = first.barriers_passed;
    header.operation = static_cast<uint32_t>(operation_of(first.warp_wait.kind));
    write_exchange(block, header, exchange, first.wait_pc, first.wait_where.line);
}

void perform(BlockRun& block, Lane& first, unsigned arrived) {
    ++block.launch->changes;
    WarpValues values{};
    values.active = arrived;
    for (unsigned i = 0; i < 32; ++i) {
        if ((arrived >> i & 1) == 0) continue;
        const Lane& lane = block.lanes[first_lane(first.warp) + i];
        values.value[i] = lane.warp_wait.value;
        values.source[i] = lane.warp_wait.source;
        values.width[i] = lane.warp_wait.width;
    }
    const int kind = first.warp_wait.kind;
    const int operation = kind % 16;
    if (kind / 16 == kind_shuffle / 16) {
        shuffle_values(values, static_cast<Shuffle>(operation));
        ++block.launch->shuffles;
    } else if (kind / 16 == kind_vote / 16) {
        vote_values(values, static_cast<Vote>(operation));
        ++block.launch->votes;
    } else if (kind / 16 == kind_reduce / 16) {
        reduce_values(values, static_cast<Reduce>(operation));
        ++block.launch->reductions;
    } else if (kind / 16 == kind_matrix / 16) {
        complete_matrix(block, first, values, operation == 0);
    }
    if (kind == kind_barrier) order::meet_in_warp(block, first.warp, arrived);
    ++block.logs[first.warp].exchanges;
    if (block.traced) trace_exchange(block, first, values);
    for (unsigned i = 0; i < 32; ++i) {
        if ((arrived >> i & 1) == 0) continue;
        Lane& lane = block.lanes[first_lane(first.warp) + i];
        lane.warp_wait.result = values.result[i];
        lane.warp_wait.predicate = values.predicate[i];
        if (values.bad_source[i] && (first.warp_wait.mask >> values.bad_source_lane[i] & 1) == 0)
            report_bad_source(lane, values.bad_source_lane[i], false);
        else if (values.bad_source[i])
            report_bad_source(lane, values.bad_source_lane[i], true);
        lane.state = LaneState::runnable;
        block.warps[lane.warp].waiting &= ~(1u << lane.lane);
    }
}

// Arrives with what the lane brings, waits, and returns when the operation is done.
const Lane::WarpWait& arrive(unsigned mask, int kind, uint64_t value, int source, int width, Where where,
                             const void* pc) {
    Lane* lane = current_lane;
    static thread_local Lane::WarpWait on_the_host;
    if (lane == nullptr) {
        report_finding({.kind = "api-misuse",
                        .message = "a warp function was called outside a kernel",
                        .fix = "Warp functions need the other lanes of a warp; call them from a kernel.",
                        .where = where});
        on_the_host = {};
        on_the_host.result = value;
        return on_the_host;
    }
    lane->wait_where = where;
    lane->wait_pc = pc;
    if ((mask >> lane->lane & 1) == 0) {
        report_own_bit_missing(*lane, mask);
        mask |= 1u << lane->lane;
    }
    lane->warp_wait = {mask, kind, value, source, width, 0, 0};
    lane->state = LaneState::at_warp_op;
    WarpLanes& warp = lane->block->warps[lane->warp];
    warp.waiting |= 1u << lane->lane;
    if ((mask & warp.alive & ~warp.waiting) == 0) try_complete_warp(*lane->block, lane->warp);
    if (lane->state == LaneState::at_warp_op) suspend(*lane);
    return lane->warp_wait;
}

}  // namespace

void try_complete_warp(BlockRun& block, unsigned warp) {
    const unsigned live = block.warps[warp].alive;
    for (unsigned i = 0; i < lane_count(block, warp); ++i) {
        Lane& lane = block.lanes[first_lane(warp) + i];
        if (lane.state != LaneState::at_warp_op) continue;
        const unsigned arrived = arrived_mask(block, lane);
        if ((lane.warp_wait.mask & live & ~arrived) == 0) perform(block, lane, arrived);
    }
}

bool force_warp_operations(BlockRun& block) {
    // Nothing can run, so the lanes that a mask still waits for are held up elsewhere: that is the fault. The
    // operation is then done with the lanes that are there, so that the rest of the program is seen too.
    bool any = false;
    for (Lane& lane : block.lanes) {
        if (lane.state != LaneState::at_warp_op) continue;
        const unsigned arrived = arrived_mask(block, lane);
        const unsigned absent = lane.warp_wait.mask & block.warps[lane.warp].alive & ~arrived;
        if (absent != 0) {
            const Lane& other =
                block.lanes[first_lane(lane.warp) + static_cast<unsigned>(std::countr_zero(absent))];
            report_absent_lane(lane, other, absent);
        }
        perform(block, lane, arrived);
        any = true;
    }
    return any;
}

unsigned lane_index() noexcept {
    if (fast::running()) return fast::lane_index();
    return current_lane == nullptr ? 0 : current_lane->lane;
}

void warp_barrier(unsigned mask, Where where) {
    if (fast::running()) return fast::take(fast::arrive_in_warp(mask, fast::warp_barriers, 0, 0, 32));
    arrive(mask, kind_barrier, 0, 0, 32, where, __builtin_return_address(0));
}

uint64_t warp_shuffle(unsigned mask, uint64_t value, int lane_or_delta, int width, Shuffle kind,
                      Where where) {
    if (fast::running()) {
        return fast::shuffle(mask, value, lane_or_delta, width, kind);
    }
    return arrive(mask, kind_shuffle + static_cast<int>(kind), value, lane_or_delta, width, where,
                  __builtin_return_address(0))
        .result;
}

unsigned warp_vote(unsigned mask, uint64_t value, Vote kind, int* predicate, Where where) {
    if (fast::running()) {
        return fast::vote(mask, value, kind, predicate);
    }
    const auto& done =
        arrive(mask, kind_vote + static_cast<int>(kind), value, 0, 32, where, __builtin_return_address(0));
    if (predicate != nullptr) *predicate = done.predicate;
    return static_cast<unsigned>(done.result);
}

// Loads and stores do not meet each other.
void warp_matrix(const matrix::Access& access, Where where) {
    arrive(~0u, kind_matrix + (access.stores ? 1 : 2), reinterpret_cast<uint64_t>(&access), 0, 32, where,
           __builtin_return_address(0));
}

void warp_multiply(const matrix::Shape& shape, const matrix::Operands& mine, Where where) {
    const WarpProduct product{&shape, &mine};
    arrive(~0u, kind_matrix, reinterpret_cast<uint64_t>(&product), 0, 32, where, __builtin_return_address(0));
}

unsigned warp_reduce(unsigned mask, unsigned value, Reduce kind, Where where) {
    if (fast::running()) {
        return fast::reduce(mask, value, kind);
    }
    return static_cast<unsigned>(
        arrive(mask, kind_reduce + static_cast<int>(kind), value, 0, 32, where, __builtin_return_address(0))
            .result);
}

}  // namespace simt
