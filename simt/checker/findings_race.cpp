// What is said of a race: which access comes first, what is missing between the two, and what to do about it.
#include <fmt/format.h>

#include <algorithm>

#include "simt/checker/draft.h"
#include "simt/checker/findings.h"
#include "simt/checker/handover.h"
#include "simt/machine/arena.h"
#include "simt/machine/program.h"

namespace simt {

using namespace finding;

namespace {

// The machine runs a block's threads one after the other, so which of two racing accesses it meets first says
// nothing. In the program the later one is the one that a thread itself makes later: the log of the warp that
// made the earlier access knows.
bool past_comes_later(const Lane& lane, const RaceSeen& seen) {
    if (seen.scope == RaceScope::grid) return false;
    const uint32_t now_site = program.offset(seen.pc);
    if (now_site == seen.past_site) return false;
    AccessLog& log = lane.block->logs[epoch::thread(seen.past) / 32].accesses;
    for (const LogEntry& entry : log) {
        if (entry.site == now_site) return true;
        if (entry.site == seen.past_site) return false;
    }
    return false;
}

struct RaceSide {
    Site at;
    const char* action;
    std::string who;
};

// What is missing between the two accesses, and what to do about it.
struct Remedy {
    std::string between, fix;
};

Remedy put_barrier(const char* barrier, const char* whose, int first_line, int second_line) {
    const auto [low, high] = std::minmax(first_line, second_line);
    const bool next_trip = first_line > second_line;  // the second access is that of the loop's next trip
    return {
        fmt::format("with no {} between them", barrier),
        low == high
            ? fmt::format("Separate the reads from the writes with {}, or use an atomic operation.", barrier)
        : next_trip
            ? fmt::format("Put {} after line {}, before the next trip of the loop writes line {} again.",
                          barrier, high, low)
            : fmt::format("Put {} between line {} and line {}, where every thread of the {} reaches it.",
                          barrier, low, high, whose)};
}

Remedy remedy_for(const Lane& lane, const RaceSeen& seen, bool shared, int first_line, int second_line) {
    const LaunchRun& launch = *lane.block->launch;
    if (seen.scope == RaceScope::warp)
        return {"with no __syncwarp() or __syncthreads() between them",
                shared && launch.threads > 32
                    ? "Put __syncthreads() between the two, where every thread of the block reaches it; "
                      "__syncwarp() is enough only where no other warp uses the element."
                    : "Put __syncwarp() between the two: lanes of a warp need not run in step."};
    if (seen.scope == RaceScope::block && seen.now_writes && seen.past_writes && first_line == second_line)
        return {
            "with no __syncthreads() between them",
            "If one thread's write is enough, let one write: if (threadIdx.x == 0). Otherwise use an atomic "
            "operation, or give each thread an element of its own."};
    if (seen.scope == RaceScope::block)
        return put_barrier("__syncthreads()", "block", first_line, second_line);
    if (seen.both_atomic)
        return {"by functions that are atomic within one block alone",
                "Use the function without _block in its name: the blocks share this element."};
    if (seen.settled != order::Settled::yes) {
        const MissingStep step = missing_step(lane, seen);
        return {step.cause, step.fix};
    }
    const char* unordered = "and nothing orders two blocks of one launch";
    if (seen.now_writes && seen.past_writes)
        return {unordered, "Use an atomic operation, or give each thread an element of its own."};
    if (launch.call.config.cooperative) return put_barrier("grid.sync()", "grid", first_line, second_line);
    const char* handed_over =
        "Split the work into two launches, or hand it over: write, __threadfence(), then a flag that the "
        "other block reads first, the flag by atomic or volatile accesses.";
    if (first_line == second_line) return {unordered, handed_over};
    if (MissingStep step = missing_step(lane, seen); !step.cause.empty()) return {step.cause, step.fix};
    return {unordered, handed_over};
}

}  // namespace

void report_race(const Lane& lane, const RaceSeen& seen) {
    const Element e = element_at(lane, seen.address);
    const LaunchRun& launch = *lane.block->launch;
    const bool shared = arena.contains(seen.address) && arena.offset_of(seen.address) < Arena::shared_end;
    const Index3 past_thread = thread_of(launch, epoch::thread(seen.past));
    const Index3 past_block =
        seen.scope == RaceScope::grid ? block_of(launch, epoch::block(seen.past)) : lane.block->index;
    const std::string past_name = seen.past_is_known              ? name_thread(past_thread, past_block)
                                  : seen.scope == RaceScope::grid ? "a thread of another block"
                                                                  : "another thread of the block";
    RaceSide first{site_in(launch, program.address(seen.past_site)), did(seen.past_writes), past_name};
    RaceSide second{site_in(lane, seen.pc), did(seen.now_writes), name_lane(lane)};
    const bool swapped = past_comes_later(lane, seen);
    if (swapped) std::swap(first, second);

    const Remedy remedy = remedy_for(lane, seen, shared, first.at.line, second.at.line);
    // NVIDIA's own samples read so behind the ticket of a last block.
    const bool fence_advised = seen.settled == order::Settled::not_after_update;
    Draft d{.kind = fence_advised                   ? "missing-fence"
                    : seen.scope == RaceScope::warp ? "warp-race"
                    : shared                        ? "shared-race"
                                                    : "global-race",
            .message =
                fmt::format("{} {} {}{} and {} {} it{} {}", first.who, first.action, e.text(),
                            at_line(first.at), second.who, second.action, at_line(second.at), remedy.between),
            .fix = remedy.fix,
            .advice = fence_advised,
            .at = second.at,
            .lane = &lane,
            .element = e,
            .has_other = true,
            .other_action = first.action,
            .other = first.at};
    d.other_has_thread = seen.past_is_known;
    d.other_thread = past_thread;
    d.other_block = past_block;
    if (swapped) {  // the finding's thread is the one that makes the second access
        d.thread_is_given = seen.past_is_known;
        d.thread = past_thread;
        d.block = past_block;
        d.other_has_thread = true;
        d.other_thread = lane.thread;
        d.other_block = lane.block->index;
    }
    finding::write(d);
}

}  // namespace simt
