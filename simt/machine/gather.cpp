// coalesced_threads() and __activemask(): which lanes of a warp are at a place together.
//
// The lanes of a warp run one after the other, so a lane that asks cannot know yet who comes after it. It waits until no
// lane of its warp can run any more. Then all that wait with the same call path, loop trips and call are together, as in
// a warp instruction. Of several such groups only that which comes first in the program goes on: its lanes may yet
// come to the place where the others wait.
#include <algorithm>

#include "simt/checker/findings.h"
#include "simt/machine/fast.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/program.h"

namespace simt {
namespace {

std::pair<size_t, size_t> loops_of(const Lane& lane,
                                   size_t depth) {  // first and one past the last, of a frame
    const size_t end =
        depth + 1 < lane.frames.size() ? lane.frames[depth + 1].loops_begin : lane.loops.size();
    return {lane.frames[depth].loops_begin, end};
}

// Where in the code of a frame the lane is: at the call that made the next frame, or at its own.
uint32_t place_in(const Lane& lane, size_t depth) {
    return depth + 1 < lane.frames.size() ? lane.frames[depth + 1].call_site : program.offset(lane.wait_pc);
}

// Does `a` wait at a place that comes before that of `b`? Of two trips of a loop the earlier one does; else the order of
// the code stands for that of the program.
bool comes_before(const Lane& a, const Lane& b) {
    const size_t depth = std::min(a.frames.size(), b.frames.size());
    for (size_t d = 0; d < depth; ++d) {
        auto [i, a_end] = loops_of(a, d);
        auto [j, b_end] = loops_of(b, d);
        for (; i < a_end && j < b_end; ++i, ++j) {
            if (a.loops[i].loop != b.loops[j].loop) return a.loops[i].first < b.loops[j].first;
            if (a.loops[i].trips != b.loops[j].trips) return a.loops[i].trips < b.loops[j].trips;
        }
        const uint32_t at_a = place_in(a, d), at_b = place_in(b, d);
        if (at_a != at_b) return at_a < at_b;
    }
    return false;
}

bool are_together(const Lane& a, const Lane& b) {
    return a.position == b.position && a.wait_pc == b.wait_pc;
}

bool resolve_in_warp(BlockRun& block, unsigned warp) {
    const auto begin = block.lanes.begin() + warp * 32;
    const auto end = block.lanes.begin() + std::min<ptrdiff_t>(std::ssize(block.lanes), warp * 32 + 32);
    const Lane* first = nullptr;
    for (auto lane = begin; lane != end; ++lane)
        if (lane->state == LaneState::gathers && (first == nullptr || comes_before(*lane, *first)))
            first = &*lane;
    if (first == nullptr) return false;
    ++block.launch->changes;
    unsigned together = 0;
    for (auto lane = begin; lane != end; ++lane)
        if (lane->state == LaneState::gathers && are_together(*lane, *first)) together |= 1u << lane->lane;
    for (auto lane = begin; lane != end; ++lane) {
        if ((together >> lane->lane & 1) == 0) continue;
        lane->warp_wait.result = together;
        lane->state = LaneState::runnable;
    }
    return true;
}

}  // namespace

bool resolve_gatherings(BlockRun& block) {
    bool any = false;
    for (unsigned w = 0; w < block.warps.size(); ++w) any = resolve_in_warp(block, w) || any;
    return any;
}

unsigned gathered_lanes(Where where) {
    if (fast::running()) return fast::gathered_lanes(where.line, __builtin_return_address(0));
    Lane* lane = current_lane;
    if (lane == nullptr) {
        report_finding(
            {.kind = "api-misuse",
             .message = "the lanes of a warp that are together were asked for outside a kernel",
             .fix = "Host code has no warp; call coalesced_threads() and __activemask() from a kernel.",
             .where = where});
        return 1;
    }
    lane->wait_where = where;
    lane->wait_pc = __builtin_return_address(0);
    lane->state = LaneState::gathers;
    suspend(*lane);
    return static_cast<unsigned>(lane->warp_wait.result);
}

}  // namespace simt
