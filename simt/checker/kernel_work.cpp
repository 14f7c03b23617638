#include "simt/checker/kernel_work.h"

#include <algorithm>
#include <bit>

#include "simt/checker/pages.h"
#include "simt/checker/stream_race.h"
#include "simt/machine/occupancy.h"

namespace simt {
namespace {

using timeline::Latency;

constexpr uint64_t line_bytes = 128, sector_bytes = 32;

// How many of the access's sectors an L1 cache of 128 KiB has that the block shares with nobody. As it loads, it holds
// sectors, in lines at places that follow from the address.
class L1 {
  public:
    // Launches are told apart by their generations, so that nothing has to be cleared between them.
    explicit L1(const LaunchRun& launch, uint64_t block)
        : owner_(block ^ uint64_t{launch.generation} << 40) {}
    unsigned misses(const LogEntry& entry) {
        unsigned count = 0;
        uint64_t before = ~uint64_t{0};
        for (uint32_t rest = entry.mask; rest != 0; rest &= rest - 1) {
            const uint64_t sector = entry.address[std::countr_zero(rest)] / sector_bytes;
            if (sector == before) continue;
            before = sector;
            count += !find(sector);
        }
        return count;
    }

  private:
    bool find(uint64_t sector) {
        constexpr uint64_t sectors = line_bytes / sector_bytes;
        const uint64_t line = sector / sectors;
        const auto bit = static_cast<uint8_t>(1u << sector % sectors);
        const uint64_t spread = line * 0x9e3779b97f4a7c15u;
        Line& place = lines()[(spread >> 40) % count];
        if (place.line != line || place.owner != owner_) place = {line, owner_, 0};
        const bool had = (place.sectors & bit) != 0;
        place.sectors |= bit;
        return had;
    }
    struct Line {
        uint64_t line = ~uint64_t{0}, owner = 0;
        uint8_t sectors = 0;  // bit mask
    };
    static constexpr size_t count = 1024;
    static Line* lines() {
        static Line* const all = new Line[count];
        return all;
    }
    uint64_t owner_;
};

void widen(AddressRange& extent, const LogEntry& entry) {
    for (uint32_t rest = entry.mask; rest != 0; rest &= rest - 1) {
        const uint64_t address = entry.address[std::countr_zero(rest)];
        extent.low = std::min(extent.low, address);
        extent.high = std::max(extent.high, address + entry.bytes);
    }
}

// Bytes that lie in one of the extents or more.
uint64_t united(std::vector<AddressRange> extents) {
    std::sort(extents.begin(), extents.end(),
              [](const AddressRange& a, const AddressRange& b) { return a.low < b.low; });
    uint64_t bytes = 0, end = 0;
    for (const AddressRange& e : extents) {
        if (e.high <= e.low) continue;
        const uint64_t from = std::max(e.low, end);
        if (e.high > from) bytes += e.high - from;
        end = std::max(end, e.high);
    }
    return bytes;
}

// `least`: if an L1 cache had everything. What one warp of a block has waited for, the others need not.
void wait(LaunchRun& launch, WarpLog& log, double cycles, double least) {
    log.cycles += least;
    launch.work.all_warps_cycles += cycles;
    launch.work.longest_warp_cycles = std::max(launch.work.longest_warp_cycles, log.cycles);
}

// A warp's adds to one variable: nvcc adds them up first.
bool is_one_word(const LogEntry& entry) {
    const uint64_t first = entry.address[std::countr_zero(entry.mask)];
    for (uint32_t rest = entry.mask; rest != 0; rest &= rest - 1)
        if (entry.address[std::countr_zero(rest)] != first) return false;
    return true;
}

// Pinned, registered, or managed and kept there: over the bus.
bool is_of_the_host(uint64_t address, int device) {
    const void* memory = reinterpret_cast<const void*>(address);
    if (arena.contains(memory)) return pages::is_remote(address, device);
    return stream_race::anything_is_registered && stream_race::is_registered(memory);
}

void note_global(LaunchRun& launch, WarpLog& log, const LogEntry& entry, const AccessCost& cost) {
    timeline::KernelWork& work = launch.work;
    ++work.global_requests;
    work.global_lines += cost.lines;
    widen(launch.sites[site_key(entry)].extent, entry);
    if (is_of_the_host(entry.address[std::countr_zero(entry.mask)], launch.device))
        work.remote_sectors += cost.distinct_sectors;
    if (entry.op == trace::Op::load) {
        const unsigned misses = L1(launch, log.block).misses(entry);
        work.l2_sectors += misses;
        return wait(launch, log, misses != 0 ? Latency::global_load : Latency::l1_hit, Latency::l1_hit);
    }
    work.l2_sectors += cost.distinct_sectors;
    if (entry.op == trace::Op::atomic)
        work.atomic_sectors += is_one_word(entry) ? 1 : cost.sectors;
    else
        work.partial_sectors += cost.distinct_sectors - std::min(cost.distinct_sectors, cost.ideal_sectors);
    wait(launch, log, Latency::store, Latency::store);
}

}  // namespace

void note_access(LaunchRun& launch, WarpLog& log, const LogEntry& entry, const AccessCost& cost) {
    ++launch.work.accesses;
    switch (entry.space) {
        case trace::Space::global:
            return note_global(launch, log, entry, cost);
        case trace::Space::shared: {
            launch.work.shared_wavefronts += cost.wavefronts;
            const double cycles = entry.op == trace::Op::store
                                      ? Latency::store
                                      : Latency::shared_load + cost.wavefronts - cost.ideal_wavefronts;
            return wait(launch, log, cycles, cycles);
        }
        default:
            return wait(launch, log, Latency::l1_hit, Latency::l1_hit);
    }
}

void note_branches(LaunchRun& launch, WarpLog& log, uint64_t count) {
    launch.work.branches += count;
    const double cycles = Latency::branch * static_cast<double>(count);
    wait(launch, log, cycles, cycles);
}

timeline::KernelWork work_of(const LaunchRun& launch) {
    timeline::KernelWork work = launch.work;
    work.blocks = launch.blocks;
    work.warps = launch.warps;
    const size_t shared = launch.static_shared + launch.call.config.shared_bytes;
    work.resident_blocks = static_cast<unsigned>(
        std::max(1, resident_blocks(launch.threads, shared, registers_of(launch)).least()));
    std::vector<AddressRange> all, atomics;
    for (const auto& [key, site] : launch.sites) {
        if (site.space != trace::Space::global) continue;
        all.push_back(site.extent);
        if (site.op == trace::Op::atomic) atomics.push_back(site.extent);
    }
    work.dram_bytes = united(std::move(all));
    work.atomic_bytes = united(std::move(atomics));
    return work;
}

}  // namespace simt
