#include "app/panels/warp_accesses.h"

#include <algorithm>
#include <tuple>

namespace lab {
namespace {

template <class T>
int distinct(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return int(values.size());
}

void count_cost(WarpAccess& access) {
    std::vector<uint64_t> sectors, lines, words, bytes;
    for (int lane = 0; lane < 32; ++lane) {
        if (!access.has(lane)) continue;
        const uint64_t first = access.address[size_t(lane)],
                       last = first + uint64_t(std::max(1, access.bytes)) - 1;
        for (uint64_t s = first / sector_bytes; s <= last / sector_bytes; ++s) sectors.push_back(s);
        for (uint64_t l = first / line_bytes; l <= last / line_bytes; ++l) lines.push_back(l);
        for (uint64_t w = first / word_bytes; w <= last / word_bytes; ++w) words.push_back(w);
        for (uint64_t b = first; b <= last; ++b) bytes.push_back(b);
    }
    access.sectors = distinct(sectors);
    access.lines = distinct(lines);
    access.used_bytes = distinct(bytes);
    distinct(words);
    std::array<int, banks> in_bank{};
    for (const uint64_t word : words)
        access.conflict = std::max(access.conflict, ++in_bank[size_t(word % banks)]);
}

}  // namespace

std::vector<WarpAccess> warp_accesses(const simt::trace::Reader& trace, uint32_t launch, bool shared,
                                      size_t most) {
    using simt::trace::Op;
    using simt::trace::Space;
    std::vector<WarpAccess> accesses;
    for (const size_t index : trace.of_launch(launch)) {
        const simt::trace::Access record = trace.at(index);
        if (record.header.space != (shared ? Space::shared : Space::global)) continue;
        if (accesses.size() == most) break;
        WarpAccess access;
        access.block = record.header.block;
        access.step = record.header.step;
        access.mask = record.header.mask;
        access.phase = record.header.phase;
        access.warp = record.header.warp;
        access.line = int(record.header.line);
        access.bytes = record.header.bytes;
        access.wrote = record.header.op != Op::load;
        access.read = record.header.op != Op::store;
        access.shared = shared;
        for (int lane = 0; lane < 32; ++lane)
            if (access.has(lane)) access.address[size_t(lane)] = record.address(lane);
        count_cost(access);
        accesses.push_back(access);
    }
    std::stable_sort(accesses.begin(), accesses.end(), [](const WarpAccess& a, const WarpAccess& b) {
        return std::tie(a.block, a.warp, a.step) < std::tie(b.block, b.warp, b.step);
    });
    return accesses;
}

}  // namespace lab
