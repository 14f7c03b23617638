#include "lessons/03_grid_stride/panel_shares.h"

#include <algorithm>
#include <utility>

namespace lab::lesson_03_grid_stride {

namespace {

// The array that the launch writes; where it writes none, the one that the case may write.
int written_buffer(const AccessIndex& index, const Run& run, int case_index) {
    std::vector<int64_t> writes(index.buffers.size(), 0);
    for (const Touch& touch : index.touches) writes[size_t(touch.buffer)] += touch.wrote;
    const auto most = std::max_element(writes.begin(), writes.end());
    if (most != writes.end() && *most > 0) return int(most - writes.begin());
    for (const ArrayValues& array : run.arrays)
        for (size_t b = 0; b < index.buffers.size(); ++b)
            if (array.case_index == case_index && array.role != "input" &&
                array.name == index.buffers[b].name)
                return int(b);
    return index.buffers.empty() ? -1 : int(index.buffers.size()) - 1;
}

const ArrayValues* values_of(const Run& run, int case_index, const std::string& name) {
    for (const ArrayValues& array : run.arrays)
        if (array.case_index == case_index && array.name == name && !array.expected.empty()) return &array;
    return nullptr;
}

// What of the array is somebody's task: elements that were written or are not as they should be. Of an array too
// large to stand in the run, all.
void find_range(Shares& shares, const ArrayValues* values) {
    const IndexedBuffer& buffer = shares.index.buffers[size_t(shares.buffer)];
    shares.origin = 0;
    shares.end = buffer.shown;
    if (!values || !shares.whole) return;
    const auto matters = [&](int64_t element) {
        return (buffer.flags[size_t(element)] & was_written) != 0 || values->is_wrong(uint64_t(element));
    };
    while (shares.end > 0 && !matters(shares.end - 1)) --shares.end;
    while (shares.origin < shares.end && !matters(shares.origin)) ++shares.origin;
}

void count_rounds(Shares& shares) {
    const AccessIndex& index = shares.index;
    for (int64_t thread = 0; thread < index.threads(); ++thread) {
        int32_t round = 0;
        for (uint32_t i = index.first_touch[size_t(thread)]; i < index.first_touch[size_t(thread) + 1]; ++i) {
            const Touch& touch = index.touches[i];
            if (!touch.wrote || touch.buffer != shares.buffer) continue;
            if (touch.element >= shares.origin && touch.element < shares.end) {
                Taken& one = shares.taken[size_t(touch.element - shares.origin)];
                one = {thread, round, one.times + 1, touch.line};
            }
            ++round;
        }
        shares.most_rounds = std::max(shares.most_rounds, round);
        const bool known = shares.whole || index.active[size_t(thread / index.threads_per_block)] > 0;
        shares.idle_threads += known && round == 0;
    }
}

}  // namespace

std::vector<int64_t> Shares::elements_of(int64_t thread, size_t most) const {
    std::vector<int64_t> elements;
    if (thread < 0 || thread >= index.threads()) return elements;
    for (uint32_t i = index.first_touch[size_t(thread)]; i < index.first_touch[size_t(thread) + 1]; ++i) {
        const Touch& touch = index.touches[i];
        if (touch.wrote && touch.buffer == buffer && elements.size() < most)
            elements.push_back(touch.element);
    }
    return elements;
}

Shares shares_of(const RunBundle& bundle, int case_index, int launch) {
    constexpr int64_t traced_wholly = 256;  // blocks; of more the machine traces some
    Shares shares;
    shares.index = index_accesses(bundle, case_index, launch);
    const AccessIndex& index = shares.index;
    if (index.threads() == 0) return shares;
    shares.columns = index.threads();
    shares.buffer = written_buffer(index, bundle.run, case_index);
    if (shares.buffer < 0) return shares;
    shares.name = index.buffers[size_t(shares.buffer)].name;
    shares.traced_blocks =
        std::count_if(index.active.begin(), index.active.end(), [](int32_t threads) { return threads > 0; });
    shares.whole = !index.sampled && index.dropped == 0 && index.blocks <= traced_wholly;
    const ArrayValues* values = values_of(bundle.run, case_index, shares.name);
    find_range(shares, values);
    shares.taken.assign(size_t(shares.count()), {});
    shares.wrong.assign(size_t(shares.count()), 0);
    for (int64_t e = shares.origin; e < shares.end && values; ++e)
        shares.wrong[size_t(e - shares.origin)] = values->is_wrong(uint64_t(e));
    count_rounds(shares);
    for (int64_t e = shares.origin; e < shares.end; ++e) {
        shares.untaken += shares.is_untaken(e);
        shares.unknown += shares.at(e).times == 0 && !shares.is_untaken(e);
        shares.repeated += shares.at(e).times > 1;
        shares.most_times = std::max(shares.most_times, shares.at(e).times);
    }
    return shares;
}

int64_t Waves::blocks_in(int64_t wave) const {
    return std::clamp<int64_t>(blocks - wave * at_once(), 0, at_once());
}

int64_t Waves::held_by(int64_t sm, int64_t wave) const {
    const int64_t dealt = blocks_in(wave);
    return dealt / sms + (sm < dealt % sms);
}

int64_t Waves::busy_sms(int64_t wave) const {
    return std::min(sms, blocks_in(wave));
}

std::vector<int64_t> Waves::blocks_on(int64_t sm, int64_t wave) const {
    std::vector<int64_t> list;
    for (int64_t i = 0; i < held_by(sm, wave); ++i) list.push_back(wave * at_once() + i * sms + sm);
    return list;
}

Waves waves_of(const Kernel& kernel) {
    const std::pair<const char*, const char*> limits[] = {{"occupancy_limit_warps", "threads"},
                                                          {"occupancy_limit_blocks", "places for blocks"},
                                                          {"occupancy_limit_registers", "registers"},
                                                          {"occupancy_limit_shared_mem", "shared memory"}};
    Waves waves;
    const auto sms = kernel.metrics.find("sm_count");
    if (sms == kernel.metrics.end() || kernel.status == "refused") return waves;
    for (const auto& [metric, name] : limits) {
        const auto found = kernel.metrics.find(metric);
        if (found == kernel.metrics.end()) return {};
        if (!waves.limit.empty() && int64_t(found->second) >= waves.per_sm) continue;
        waves.per_sm = int64_t(found->second);
        waves.limit = name;
    }
    waves.sms = int64_t(sms->second);
    waves.blocks = int64_t(kernel.grid.x) * kernel.grid.y * kernel.grid.z;
    return waves;
}

}  // namespace lab::lesson_03_grid_stride
