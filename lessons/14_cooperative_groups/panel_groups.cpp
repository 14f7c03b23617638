#include "lessons/14_cooperative_groups/panel_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "app/panels/run_choice.h"

namespace lab::lesson_14_cooperative_groups {
namespace {

using simt::trace::Access;
using simt::trace::Space;
using simt::trace::WarpExchange;
using simt::trace::WarpOperation;

struct Name {
    WarpOperation operation;
    const char* text;
};
constexpr Name names[] = {
    {WarpOperation::barrier, "sync"},         {WarpOperation::shuffle_index, "shfl"},
    {WarpOperation::shuffle_up, "shfl_up"},   {WarpOperation::shuffle_down, "shfl_down"},
    {WarpOperation::shuffle_xor, "shfl_xor"}, {WarpOperation::vote_all, "all"},
    {WarpOperation::vote_any, "any"},         {WarpOperation::vote_ballot, "ballot"},
    {WarpOperation::match_any, "match_any"},  {WarpOperation::match_all, "match_all"},
    {WarpOperation::reduce_add, "reduce"},    {WarpOperation::reduce_min, "reduce"},
    {WarpOperation::reduce_max, "reduce"},    {WarpOperation::reduce_and, "reduce"},
    {WarpOperation::reduce_or, "reduce"},     {WarpOperation::reduce_xor, "reduce"},
};

// How far away most lanes ask. A lane without a partner asks itself.
int distance_of(WarpOperation operation, uint32_t came, const WarpExchange& told) {
    const bool by_distance = operation == WarpOperation::shuffle_up ||
                             operation == WarpOperation::shuffle_down ||
                             operation == WarpOperation::shuffle_xor;
    if (!by_distance) return 0;
    for (int lane = 0; lane < lanes; ++lane) {
        const int from = told.source[lane];
        if ((came >> lane & 1) == 0 || from < 0 || from == lane) continue;
        return operation == WarpOperation::shuffle_xor ? lane ^ from : std::abs(from - lane);
    }
    return 0;
}

// Gathers the records of one block.
class Block {
  public:
    void add(const Access& access) {
        const auto& head = access.header;
        if (head.space != Space::warp) {
            ++instructions_[{head.phase, head.warp}];
            return;
        }
        const WarpExchange told = access.exchange();
        const auto operation = WarpOperation(head.operation);
        const int distance = distance_of(operation, head.mask, told);
        const Call call{head.phase, int(head.line), operation, distance};
        const int time = times_[{call, head.warp, told.asked}]++;
        Placed& placed = placed_[{call, time}];
        placed.meeting.operation = operation;
        placed.meeting.line = int(head.line);
        placed.meeting.distance = distance;
        placed.meeting.phase = head.phase;
        placed.number = std::min(placed.number, told.number);
        placed.meeting.groups.push_back({head.warp, int(head.step), told.asked, head.mask});
    }
    BlockGroups finish(uint32_t number) {
        BlockGroups result;
        result.block = number;
        std::vector<Placed> placed;
        for (auto& [key, one] : placed_) placed.push_back(std::move(one));
        std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
            return std::tie(a.meeting.phase, a.number) < std::tie(b.meeting.phase, b.number);
        });
        for (Placed& one : placed) {
            std::sort(one.meeting.groups.begin(), one.meeting.groups.end(),
                      [](const Group& a, const Group& b) {
                          return std::pair(a.warp, std::countr_zero(a.named)) <
                                 std::pair(b.warp, std::countr_zero(b.named));
                      });
            result.meetings.push_back(std::move(one.meeting));
        }
        for (const auto& [place, count] : instructions_) {
            if (result.work.size() <= place.first) result.work.resize(place.first + 1, 0);
            int64_t& most = result.work[place.first];
            most = std::max(most, count);
        }
        return result;
    }

  private:
    using Call = std::tuple<uint32_t, int, WarpOperation, int>;  // phase, line, operation, distance
    struct Placed {
        Meeting meeting;
        uint32_t number = ~0u;
    };
    std::map<std::tuple<Call, int, uint32_t>, int> times_;  // by warp and mask
    std::map<std::pair<Call, int>, Placed> placed_;
    std::map<std::pair<uint32_t, int>, int64_t> instructions_;  // by phase and warp
};

}  // namespace

int Group::size() const {
    return std::popcount(named);
}

int Group::rank(int lane) const {
    return std::popcount(named & ((1u << lane) - 1));
}

bool Group::side_by_side() const {
    const uint32_t from_first = named >> (named == 0 ? 0 : std::countr_zero(named));
    return (from_first & (from_first + 1)) == 0;
}

const Group* Meeting::of(int warp, int lane) const {
    for (const Group& group : groups)
        if (group.warp == warp && (group.named >> lane & 1) != 0) return &group;
    return nullptr;
}

size_t GridGroups::phases() const {
    size_t most = 0;
    for (const BlockGroups& block : blocks) most = std::max(most, block.work.size());
    return most;
}

int64_t GridGroups::most_work(size_t phase) const {
    int64_t most = 0;
    for (const BlockGroups& block : blocks)
        if (phase < block.work.size()) most = std::max(most, block.work[phase]);
    return most;
}

size_t GridGroups::first_at(size_t phase) const {
    size_t first = 0;
    const auto work = [&](size_t b) { return phase < blocks[b].work.size() ? blocks[b].work[phase] : 0; };
    for (size_t b = 1; b < blocks.size(); ++b)
        if (work(b) < work(first)) first = b;
    return first;
}

size_t GridGroups::last_at(size_t phase) const {
    size_t last = 0;
    const auto work = [&](size_t b) { return phase < blocks[b].work.size() ? blocks[b].work[phase] : 0; };
    for (size_t b = 1; b < blocks.size(); ++b)
        if (work(b) > work(last)) last = b;
    return last;
}

GridGroups groups_of(const RunBundle& bundle, int case_index, const Kernel& kernel) {
    GridGroups grid;
    grid.threads = int(kernel.block.x * kernel.block.y * kernel.block.z);
    grid.blocks_in_all = int64_t(kernel.grid.x) * kernel.grid.y * kernel.grid.z;
    if (const auto found = kernel.metrics.find("grid_barriers"); found != kernel.metrics.end())
        grid.barriers = int64_t(found->second);
    const TracePtr trace =
        size_t(case_index) < bundle.traces.size() ? bundle.traces[size_t(case_index)] : nullptr;
    if (!trace) return grid;
    std::map<uint32_t, Block> blocks;
    for (const size_t index : trace->of_launch(uint32_t(kernel.launch))) {
        const Access access = trace->at(index);
        blocks[access.header.block].add(access);
    }
    for (auto& [number, block] : blocks) grid.blocks.push_back(block.finish(number));
    return grid;
}

std::string name_of(const Meeting& meeting) {
    std::string text = "a call of the group";
    for (const Name& name : names)
        if (name.operation == meeting.operation) text = name.text;
    if (meeting.distance != 0) text += fmt::format(" by {}", meeting.distance);
    return text;
}

std::string sizes_of(const Meeting& meeting) {
    std::map<int, int64_t, std::greater<>> counts;  // of each size
    bool side_by_side = true;
    for (const Group& group : meeting.groups) {
        ++counts[group.size()];
        side_by_side = side_by_side && group.side_by_side();
    }
    std::string text;
    for (const auto& [size, count] : counts) {
        if (!text.empty()) text += ", ";
        text += plural(count, "group", "groups") + fmt::format(" of {}", size);
    }
    return side_by_side ? text : text + ", not all side by side";
}

}  // namespace lab::lesson_14_cooperative_groups
