#include "lessons/12_atomics/panel_arrivals.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "app/panels/access_index.h"

namespace lab::lesson_12_atomics {
namespace {

using simt::trace::Access;
using simt::trace::AtomicOperation;
using simt::trace::Op;
using simt::trace::Space;

constexpr unsigned counter_bytes = 4;

// Where the counters of the launch lie: the grid's in a buffer of the case, a block's at the beginning of its
// shared memory.
struct Where {
    std::vector<const Buffer*> global;
    std::map<uint32_t, uint64_t> shared;  // by block

    int counter_of(const Access& access, int lane) const {
        const uint64_t address = access.address(lane);
        if (access.header.space == Space::shared) {
            const auto base = shared.find(access.header.block);
            return base == shared.end() ? -1 : number_of(address - base->second);
        }
        for (const Buffer* buffer : global)
            if (address >= buffer->address && address < buffer->address + buffer->bytes)
                return number_of(address - buffer->address);
        return -1;
    }
    static int number_of(uint64_t offset) {
        return offset < counters * counter_bytes ? int(offset / counter_bytes) : -1;
    }
};

Where find_counters(const Run& run, int case_index, const std::vector<Access>& accesses) {
    Where where;
    for (const Buffer& buffer : run.buffers)
        if (buffer.case_index == case_index && buffer.name.starts_with("bins"))
            where.global.push_back(&buffer);
    for (const Access& access : accesses) {
        if (access.header.space != Space::shared) continue;
        for (int lane = 0; lane < lanes; ++lane) {
            if ((access.header.mask >> lane & 1) == 0) continue;
            const auto [base, is_new] = where.shared.emplace(access.header.block, access.address(lane));
            if (!is_new) base->second = std::min(base->second, access.address(lane));
        }
    }
    return where;
}

bool is_in_memory(const Access& access) {
    return access.header.space == Space::global || access.header.space == Space::shared;
}

// Lines that read counters and store them again: the increment that is no atomic.
std::set<std::pair<uint32_t, Space>> reading_lines(const std::vector<Access>& accesses, const Where& where) {
    std::set<std::pair<uint32_t, Space>> found;
    for (const Access& access : accesses)
        if (access.header.op != Op::store && is_in_memory(access) && access.header.mask != 0 &&
            where.counter_of(access, __builtin_ctz(access.header.mask)) >= 0)
            found.emplace(access.header.line, access.header.space);
    return found;
}

Arrival arrival_of(const Access& access, const Where& where) {
    Arrival arrival;
    arrival.block = access.header.block;
    arrival.step = access.header.step;
    arrival.phase = access.header.phase;
    arrival.warp = access.header.warp;
    arrival.line = int(access.header.line);
    arrival.shared = access.header.space == Space::shared;
    arrival.atomic = access.header.op == Op::atomic;
    arrival.counter.fill(-1);
    for (int lane = 0; lane < lanes; ++lane) {
        if ((access.header.mask >> lane & 1) == 0) continue;
        arrival.counter[size_t(lane)] = where.counter_of(access, lane);
        if (arrival.counter[size_t(lane)] >= 0) arrival.mask |= 1u << lane;
    }
    for (int counter = 0; counter < counters; ++counter)
        if (const int there = arrival.at(counter); there > arrival.crowd) {
            arrival.crowd = there;
            arrival.crowded = counter;
        }
    return arrival;
}

void find_arrivals(Scene& scene, const std::vector<Access>& accesses, const Where& where) {
    const auto reading = reading_lines(accesses, where);
    for (const Access& access : accesses) {
        const bool adds =
            access.header.op == Op::atomic ||
            (access.header.op == Op::store && reading.contains({access.header.line, access.header.space}));
        if (!adds || !is_in_memory(access)) continue;
        const Arrival arrival = arrival_of(access, where);
        if (arrival.mask == 0) continue;
        (arrival.shared ? scene.shared_additions : scene.global_additions) +=
            __builtin_popcount(arrival.mask);
        scene.arrivals.push_back(arrival);
    }
    std::stable_sort(scene.arrivals.begin(), scene.arrivals.end(), [](const Arrival& a, const Arrival& b) {
        return std::tie(a.block, a.phase, a.step, a.warp) < std::tie(b.block, b.phase, b.step, b.warp);
    });
    std::map<std::pair<bool, uint32_t>, std::array<int, counters>> sets;
    for (const Arrival& arrival : scene.arrivals) {
        auto& set = sets[{arrival.shared, arrival.shared ? arrival.block : 0}];
        for (const int counter : arrival.counter)
            if (counter >= 0) scene.most_additions = std::max(scene.most_additions, ++set[size_t(counter)]);
    }
}

void find_rounds(Scene& scene, const std::vector<Access>& accesses) {
    std::map<std::pair<uint32_t, int>, WarpRounds> warps;
    for (const Access& access : accesses) {
        if (access.header.operation != uint32_t(AtomicOperation::compare_exchange)) continue;
        WarpRounds& warp = warps[{access.header.block, access.header.warp}];
        warp.block = access.header.block;
        warp.warp = access.header.warp;
        warp.rounds.push_back({access.header.step, access.header.mask, access.header.changed,
                               int(access.header.line), access.header.space == Space::shared});
        warp.tries += __builtin_popcount(access.header.mask);
        warp.won += __builtin_popcount(access.header.changed);
        warp.mask |= access.header.mask;
    }
    for (auto& [place, warp] : warps) {
        std::stable_sort(warp.rounds.begin(), warp.rounds.end(),
                         [](const Round& a, const Round& b) { return a.step < b.step; });
        scene.swaps += warp.tries;
        scene.won += warp.won;
        scene.warps.push_back(std::move(warp));
    }
}

}  // namespace

int Arrival::at(int which) const {
    return int(std::count(counter.begin(), counter.end(), which));
}

double Scene::trips() const {
    const auto found = kernel->metrics.find("global_atomic_sectors");
    return found == kernel->metrics.end() ? 0 : found->second;
}

std::array<int, counters> additions_until(const Scene& scene, size_t last) {
    std::array<int, counters> sum{};
    const Arrival& now = scene.arrivals[last];
    for (size_t i = 0; i <= last; ++i) {
        const Arrival& arrival = scene.arrivals[i];
        if (arrival.shared != now.shared || (now.shared && arrival.block != now.block)) continue;
        for (const int counter : arrival.counter)
            if (counter >= 0) ++sum[size_t(counter)];
    }
    return sum;
}

std::vector<Scene> scenes_of(const RunBundle& bundle, int case_index) {
    std::vector<Scene> scenes;
    const TracePtr trace =
        size_t(case_index) < bundle.traces.size() ? bundle.traces[size_t(case_index)] : nullptr;
    const bool counting = counts_letters(bundle.run, case_index);
    for (const Kernel* kernel : kernels_of(bundle.run, case_index)) {
        Scene scene;
        scene.kernel = kernel;
        std::vector<Access> accesses;
        if (trace)
            for (const size_t index : trace->of_launch(uint32_t(kernel->launch)))
                accesses.push_back(trace->at(index));
        if (counting)
            find_arrivals(scene, accesses, find_counters(bundle.run, case_index, accesses));
        else
            find_rounds(scene, accesses);
        scenes.push_back(std::move(scene));
    }
    return scenes;
}

bool counts_letters(const Run& run, int case_index) {
    return std::any_of(run.arrays.begin(), run.arrays.end(), [&](const ArrayValues& array) {
        return array.case_index == case_index && array.name.starts_with("bins");
    });
}

std::vector<float> floats_of(const Run& run, int case_index, const std::string& name) {
    for (const ArrayValues& array : run.arrays) {
        if (array.case_index != case_index || array.name != name || array.element_bytes != sizeof(float))
            continue;
        std::vector<float> values(array.elements());
        std::memcpy(values.data(), array.got.data(), values.size() * sizeof(float));
        return values;
    }
    return {};
}

}  // namespace lab::lesson_12_atomics
