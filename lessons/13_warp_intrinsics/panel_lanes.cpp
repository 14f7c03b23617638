#include "lessons/13_warp_intrinsics/panel_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "app/panels/access_index.h"

namespace lab::lesson_13_warp_intrinsics {
namespace {

using simt::trace::Access;
using simt::trace::Space;
using simt::trace::WarpOperation;

struct Name {
    WarpOperation operation;
    const char* text;
};
constexpr Name names[] = {
    {WarpOperation::barrier, "__syncwarp"},           {WarpOperation::shuffle_index, "__shfl_sync"},
    {WarpOperation::shuffle_up, "__shfl_up_sync"},    {WarpOperation::shuffle_down, "__shfl_down_sync"},
    {WarpOperation::shuffle_xor, "__shfl_xor_sync"},  {WarpOperation::vote_all, "__all_sync"},
    {WarpOperation::vote_any, "__any_sync"},          {WarpOperation::vote_ballot, "__ballot_sync"},
    {WarpOperation::vote_uniform, "__uni_sync"},      {WarpOperation::match_any, "__match_any_sync"},
    {WarpOperation::match_all, "__match_all_sync"},   {WarpOperation::reduce_add, "__reduce_add_sync"},
    {WarpOperation::reduce_min, "__reduce_min_sync"}, {WarpOperation::reduce_max, "__reduce_max_sync"},
    {WarpOperation::reduce_and, "__reduce_and_sync"}, {WarpOperation::reduce_or, "__reduce_or_sync"},
    {WarpOperation::reduce_xor, "__reduce_xor_sync"},
};

struct Numbered {
    uint32_t number;
    Exchange exchange;
};

Numbered exchange_of(const Access& access) {
    const simt::trace::WarpExchange told = access.exchange();
    Exchange exchange;
    exchange.operation = WarpOperation(access.header.operation);
    exchange.step = access.header.step;
    exchange.came = access.header.mask;
    exchange.asked = told.asked;
    exchange.line = int(access.header.line);
    for (size_t lane = 0; lane < lanes; ++lane) {
        exchange.source[lane] = std::clamp<int>(told.source[lane], -1, lanes - 1);
        exchange.value[lane] = told.value[lane];
        exchange.result[lane] = told.result[lane];
    }
    return {told.number, exchange};
}

// One launch's records, by warp.
std::vector<WarpTalk> talks_of(const simt::trace::Reader& trace, uint32_t launch) {
    struct Records {
        std::vector<Numbered> exchanges;
        std::vector<Instruction> instructions;
    };
    std::map<std::pair<uint32_t, int>, Records> records;
    for (const size_t index : trace.of_launch(launch)) {
        const Access access = trace.at(index);
        Records& of_warp = records[{access.header.block, access.header.warp}];
        if (access.header.space == Space::warp)
            of_warp.exchanges.push_back(exchange_of(access));
        else
            of_warp.instructions.push_back(
                {access.header.step, access.header.mask, int(access.header.line), access.header.op});
    }
    std::vector<WarpTalk> talks;
    for (auto& [place, of_warp] : records) {
        WarpTalk talk;
        talk.block = place.first;
        talk.warp = place.second;
        std::stable_sort(of_warp.exchanges.begin(), of_warp.exchanges.end(),
                         [](const Numbered& a, const Numbered& b) { return a.number < b.number; });
        for (const Numbered& one : of_warp.exchanges) talk.exchanges.push_back(one.exchange);
        talk.instructions = std::move(of_warp.instructions);
        std::stable_sort(talk.instructions.begin(), talk.instructions.end(),
                         [](const Instruction& a, const Instruction& b) { return a.step < b.step; });
        talks.push_back(std::move(talk));
    }
    return talks;
}

}  // namespace

bool Exchange::is_shuffle() const {
    return operation >= WarpOperation::shuffle_index && operation <= WarpOperation::shuffle_xor;
}

uint32_t Exchange::ballot() const {
    return came == 0 ? 0 : uint32_t(result[size_t(std::countr_zero(came))]);
}

int Exchange::rank(int lane) const {
    return std::popcount(ballot() & ((1u << lane) - 1));
}

int Exchange::distance() const {
    if (!is_shuffle() || operation == WarpOperation::shuffle_index) return 0;
    for (int lane = 0; lane < lanes; ++lane) {
        const int from = source[size_t(lane)];
        if (!has(lane) || from < 0 || from == lane) continue;
        return operation == WarpOperation::shuffle_xor ? lane ^ from : std::abs(from - lane);
    }
    return 0;
}

bool Exchange::asks_absent(int lane) const {
    const int from = source[size_t(lane)];
    return has(lane) && from >= 0 && !has(from);
}

bool Scene::talks() const {
    return std::any_of(warps.begin(), warps.end(),
                       [](const WarpTalk& warp) { return !warp.exchanges.empty(); });
}

double Scene::metric(const char* name) const {
    const auto found = kernel->metrics.find(name);
    return found == kernel->metrics.end() ? 0 : found->second;
}

std::vector<Scene> scenes_of(const RunBundle& bundle, int case_index) {
    std::vector<Scene> scenes;
    const TracePtr trace =
        size_t(case_index) < bundle.traces.size() ? bundle.traces[size_t(case_index)] : nullptr;
    for (const Kernel* kernel : kernels_of(bundle.run, case_index)) {
        Scene scene;
        scene.kernel = kernel;
        if (trace) scene.warps = talks_of(*trace, uint32_t(kernel->launch));
        scenes.push_back(std::move(scene));
    }
    return scenes;
}

std::string name_of(const Exchange& exchange) {
    std::string text = "a warp function";
    for (const Name& name : names)
        if (name.operation == exchange.operation) text = name.text;
    if (const int distance = exchange.distance(); distance != 0) text += fmt::format(" by {}", distance);
    return text;
}

int64_t number_of(uint64_t bits) {
    return bits >> 32 == 0 ? int64_t(int32_t(uint32_t(bits))) : int64_t(bits);
}

}  // namespace lab::lesson_13_warp_intrinsics
