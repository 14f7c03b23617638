#include "simt/machine/standstill.h"

#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "simt/checker/stream_race.h"
#include "simt/machine/arena.h"
#include "simt/machine/launch_run.h"

namespace simt {
namespace {

// Registers and stack, from where the switch has saved them.
uint64_t state_of(const Lane& lane) {
    const auto* p = static_cast<const char*>(static_cast<const void*>(lane.context.stack_pointer));
    uint64_t state = 0;
    for (; p + sizeof(uint64_t) <= lane.stack.high; p += sizeof(uint64_t)) {
        uint64_t word;
        std::memcpy(&word, p, sizeof word);
        state = mix(state, word);
    }
    return state;
}

}  // namespace

bool Standstill::comes_round(const Lane& lane, Seen& seen) {
    if (lane.state != LaneState::runnable)
        return false;  // it waits for its warp's lanes, and has had no turn
    const uint64_t state = state_of(lane);
    if (!seen.is_set) {
        seen = {state, lane.turns, true, false};
    } else {
        seen.comes_round = seen.turns != lane.turns && seen.state == state;
    }
    return seen.comes_round;
}

void Standstill::look(const BlockRun& block) {
    constexpr unsigned first_start = 2;  // most waits are short
    if (block.launch->changes != changes_) {
        changes_ = block.launch->changes;
        sweeps_ = 0;
        next_start_ = first_start;
        seen_.clear();
        certain_ = false;
    }
    // How long it takes to come round is not known: each start serves for twice as many sweeps as the one before.
    if (++sweeps_ == next_start_) {
        next_start_ *= 2;
        seen_.assign(block.lanes.size(), {});
    }
    if (seen_.empty() || certain_) return;
    bool any = false, all = true;
    for (size_t i = 0; i < seen_.size(); ++i) {
        const Lane& lane = block.lanes[i];
        if (lane.state == LaneState::fresh) return;
        if (lane.state != LaneState::runnable && lane.state != LaneState::at_window) continue;
        any = true;
        if (!seen_[i].comes_round && !comes_round(lane, seen_[i])) all = false;
    }
    certain_ = any && all;
}

bool Standstill::is_certain(const BlockRun& block) const {
    return certain_ && changes_ == block.launch->changes;
}

bool host_may_write() {
    if (arena.managed_top == Arena::managed_begin && !stream_race::anything_is_registered) return false;
    std::error_code error;
    const std::filesystem::directory_iterator threads("/proc/self/task", error), end;
    return error || std::distance(threads, end) > 1;
}

}  // namespace simt
