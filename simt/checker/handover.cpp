#include "simt/checker/handover.h"

#include <fmt/format.h>

#include <algorithm>

#include "simt/checker/draft.h"
#include "simt/checker/order.h"
#include "simt/checker/race.h"
#include "simt/machine/launch_run.h"

namespace simt {

using namespace finding;

namespace {

const char* const after_the_fence =
    "Keep the order: all write, __syncthreads(), then one thread calls __threadfence() and raises the flag.";

MissingStep plain_access(const RaceSeen& seen, bool past_is_atomic) {
    const bool plain_reads = past_is_atomic ? !seen.now_writes : !seen.past_writes;
    return {fmt::format("and nothing orders two blocks of one launch: the {} is a plain one",
                        plain_reads ? "read" : "write"),
            "Is it a flag or a counter? Then read and write it by atomic functions or through a pointer to "
            "volatile, in every place. Is it data? Then hand it over: write, __threadfence(), then a flag."};
}

std::string named(const order::LastFence& fence) {
    return fence.line == 0 ? "the __threadfence()"
                           : fmt::format("the __threadfence() at line {}", fence.line);
}

// The block of the write has fenced, and a thread of this block knows of it; this thread does not.
bool another_thread_knows(const Lane& lane, uint64_t past) {
    const auto& lanes = lane.block->lanes;
    return std::any_of(lanes.begin(), lanes.end(),
                       [&](const Lane& other) { return &other != &lane && order::knows(other, past); });
}

MissingStep uncovered(const LaunchRun& launch, uint64_t past) {
    const uint32_t block = epoch::block(past);
    const order::History& history = launch.history;
    const auto fences = history.fences_by_block.find(block);
    if (fences == history.fences_by_block.end())
        return {"and the block that wrote it has called no __threadfence()",
                "A fence of the reader's alone orders nothing. The writer needs one, too: write, "
                "__threadfence(), then raise the flag."};
    if (!fences->second.reaches_device)
        return {"and __threadfence_block() orders for the threads of its own block alone",
                "The reader is in another block: __threadfence() orders for the whole device."};
    if (history.last_release.count(block) == 0)
        return {"and no flag was raised behind " + named(fences->second),
                "The fence stands between the data and the flag: write, __threadfence(), then raise the "
                "flag, by an atomic or volatile write."};
    return {};
}

MissingStep written_then_read(const Lane& lane, uint64_t past) {
    if (another_thread_knows(lane, past))
        return {"and only another thread of the reader's block has seen the flag",
                "Put __syncthreads() behind the look at the flag: what one thread has learnt, all of the "
                "block know after it."};
    const LaunchRun& launch = *lane.block->launch;
    if (MissingStep step = uncovered(launch, past); !step.cause.empty()) return step;
    const auto fences = launch.history.fences_by_block.find(epoch::block(past));
    if (fences == launch.history.fences_by_block.end()) return {};
    if (lane.knowledge.acquired == nullptr)
        return {"and the reader has not looked at a flag that was raised behind it",
                "Look at the flag in a loop, until it is raised, and read behind the loop."};
    const bool by_itself = fences->second.thread == epoch::thread(past);
    return {"and " + named(fences->second) + " does not cover that write",
            by_itself ? "A fence covers what stands above it: write first, then __threadfence(), then the "
                        "flag."
                      : std::string("A fence covers what its own thread wrote, and what the others wrote "
                                    "before a __syncthreads() above it. ") +
                            after_the_fence};
}

}  // namespace

MissingStep missing_step(const Lane& lane, const RaceSeen& seen) {
    if (seen.settled != order::Settled::yes)
        return {"after its look at the flag, with no __threadfence() between the look and the read",
                "Put __threadfence() behind the look, in the thread that looks: without it the read may find "
                "what was there before, since the order of the two is not kept and a cache may hold an old "
                "copy."};
    const bool past_is_atomic = (seen.past & epoch::atomic_flag) != 0;
    if (past_is_atomic != seen.now_is_atomic) return plain_access(seen, past_is_atomic);
    if (lane.block->launch->history.fences_by_block.empty() || past_is_atomic) return {};
    if (seen.past_writes) return written_then_read(lane, seen.past);
    return {"and the reader did not wait for it",
            "Look at a flag in a loop, until it is raised; then __syncthreads(), so that the whole block "
            "waits; then read."};
}

}  // namespace simt
