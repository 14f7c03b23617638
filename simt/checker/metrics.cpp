#include "simt/checker/metrics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "simt/checker/draft.h"
#include "simt/checker/kernel_work.h"
#include "simt/machine/arena.h"
#include "simt/machine/occupancy.h"
#include "simt/machine/program.h"
#include "simt/machine/session_state.h"
#include "simt/machine/texture.h"

namespace simt {
namespace {

constexpr uint64_t sector_bytes = 32, line_bytes = 128;
constexpr unsigned banks = 32, bank_bytes = 4;

struct Touched {  // distinct values among the lanes, in a small sorted array
    std::array<uint64_t, 64> values;
    unsigned count = 0;
    void add(uint64_t v) { values[count++] = v; }
    unsigned distinct() {
        std::sort(values.begin(), values.begin() + count);
        return static_cast<unsigned>(std::unique(values.begin(), values.begin() + count) - values.begin());
    }
};

template <class F>
void each_lane(const LogEntry& entry, F f) {
    for (uint32_t rest = entry.mask; rest != 0; rest &= rest - 1)
        f(static_cast<unsigned>(std::countr_zero(rest)));
}

unsigned distinct_units(const LogEntry& entry, uint64_t unit) {
    // Mostly the addresses ascend with the lanes.
    uint64_t before = 0;
    unsigned steps = 0;
    bool ascends = true;
    each_lane(entry, [&](unsigned lane) {
        const uint64_t now = entry.address[lane] / unit;
        ascends = ascends && now >= before;
        steps += now != before;
        before = now;
    });
    if (ascends) return steps;
    Touched touched;
    each_lane(entry, [&](unsigned lane) { touched.add(entry.address[lane] / unit); });
    return touched.distinct();
}

// Atomics: for each sector the most lanes that hit one element of it. 32 lanes on one word: 32.
unsigned atomic_sectors(const LogEntry& entry) {
    std::array<uint64_t, 32> addresses;
    unsigned count = 0;
    each_lane(entry, [&](unsigned lane) { addresses[count++] = entry.address[lane]; });
    std::sort(addresses.begin(), addresses.begin() + count);
    unsigned total = 0, most = 0;
    for (unsigned i = 0; i < count;) {
        unsigned run = 1;
        while (i + run < count && addresses[i + run] == addresses[i]) ++run;
        most = std::max(most, run);
        i += run;
        if (i == count || addresses[i] / sector_bytes != addresses[i - 1] / sector_bytes) {
            total += most;
            most = 0;
        }
    }
    return total;
}

// Local memory is interleaved: the next word of a thread lies a line further on.
unsigned local_sectors(const LogEntry& entry) {
    const unsigned words = std::max(entry.bytes / 4u, 1u);
    unsigned total = 0;
    for (unsigned k = 0; k < words; ++k) {
        Touched touched;
        each_lane(entry,
                  [&](unsigned lane) { touched.add((entry.address[lane] + k * line_bytes) / sector_bytes); });
        total += touched.distinct();
    }
    return total;
}

// Are there two words of one bank among 4-byte accesses?
bool has_conflict(const LogEntry& entry) {
    std::array<uint64_t, banks> words;
    uint32_t seen = 0;
    for (uint32_t rest = entry.mask; rest != 0; rest &= rest - 1) {
        const uint64_t word = entry.address[std::countr_zero(rest)] / bank_bytes;
        const unsigned bank = word % banks;
        if ((seen >> bank & 1) != 0 && words[bank] != word) return true;
        seen |= 1u << bank;
        words[bank] = word;
    }
    return false;
}

// Passes through the 32 four-byte banks: the most distinct words in one bank. 8-byte accesses go by half
// warps, 16-byte ones by quarters.
unsigned bank_passes(const LogEntry& entry, unsigned first, unsigned last, bool count_lanes) {
    if (entry.bytes <= bank_bytes && !count_lanes && !has_conflict(entry)) return entry.mask != 0;
    std::array<std::array<uint64_t, 32>, banks> words;
    std::array<uint8_t, banks> used{};
    const unsigned words_each = std::max<unsigned>(entry.bytes / bank_bytes, 1);
    each_lane(entry, [&](unsigned lane) {
        if (lane < first || lane >= last) return;
        for (unsigned k = 0; k < words_each; ++k) {
            const uint64_t word = entry.address[lane] / bank_bytes + k;
            auto& bank = words[word % banks];
            uint8_t& n = used[word % banks];
            if (!count_lanes && std::find(bank.begin(), bank.begin() + n, word) != bank.begin() + n) continue;
            bank[n++] = word;
        }
    });
    return *std::max_element(used.begin(), used.end());
}

void shared_cost(const LogEntry& entry, AccessCost& cost) {
    // Atomics that add the constant 1 go word by word, others lane by lane (on an H200: ATOMS.POPC.INC and
    // the rest, tests/fidelity/h200_counters.csv).
    const bool lanes = entry.op == trace::Op::atomic && (entry.scalar & atomic_adds_one) == 0;
    const unsigned group = entry.bytes == 16 ? 8 : entry.bytes == 8 ? 16 : 32;
    for (unsigned first = 0; first < 32; first += group) {
        const unsigned passes = bank_passes(entry, first, first + group, lanes);
        cost.wavefronts += passes;
        cost.ideal_wavefronts += passes != 0;
    }
}

nlohmann::ordered_json numbers(const std::map<std::string, uint64_t>& counts) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [name, value] : counts) json[name] = value;
    return json;
}

void add_counts(std::map<std::string, uint64_t>& counts, const SiteMetrics& site) {
    static constexpr const char* ops[] = {"load", "store", "atomic"};
    const std::string op = ops[static_cast<int>(site.op)];
    if (site.space == trace::Space::global) {
        counts["global_" + op + "_requests"] += site.requests;
        counts["global_" + op + "_sectors"] += site.sectors;
        counts["global_lines"] += site.lines;
        counts["global_distinct_sectors"] += site.distinct_sectors;
        counts["global_" + op + "_ideal_sectors"] += site.ideal_sectors;
        counts["global_ideal_sectors"] += site.ideal_sectors;
    } else if (site.space == trace::Space::shared) {
        counts["shared_" + op + "_requests"] += site.requests;
        counts["shared_" + op + "_wavefronts"] += site.wavefronts;
        counts["shared_" + op + "_conflicts"] += site.wavefronts - site.ideal_wavefronts;
        counts["shared_wavefronts"] += site.wavefronts;
        counts["shared_ideal_wavefronts"] += site.ideal_wavefronts;
    } else if (site.space == trace::Space::local) {
        counts["local_" + op + "_requests"] += site.words;
        counts["local_" + op + "_sectors"] += site.sectors;
    } else if (site.space == trace::Space::constant) {
        counts["constant_" + op + "_requests"] += site.requests;
        counts["constant_" + op + "_addresses"] += site.addresses;
    } else if (site.space == trace::Space::texture) {
        counts["texture_" + op + "_requests"] += site.requests;
    }
}

void write_record(BlockRun& block, unsigned warp, const LogEntry& entry, uint32_t step) {
    LaunchRun& launch = *block.launch;
    if (launch.trace_records >= session().trace_records) return;
    const Site site = finding::site_in(launch, program.address(entry.site));
    trace::RecordHeader header{};
    header.launch = launch.index;
    header.block = static_cast<uint32_t>(block.linear);
    header.step = step;
    header.mask = entry.mask;
    header.line = static_cast<uint32_t>(site.line);
    header.column = static_cast<uint16_t>(site.column);
    header.warp = static_cast<uint16_t>(warp);
    header.bytes = entry.bytes;
    header.op = entry.op;
    header.space = entry.space;
    header.phase = entry.phase;
    if (entry.op == trace::Op::atomic) {
        // In the order of simt::Atomic, which begins at 0.
        header.operation = (entry.scalar & (atomic_adds_one - 1u)) + 1u;
        header.changed = entry.changed;
    } else if (entry.scalar == LogEntry::is_volatile) {
        header.operation = static_cast<uint32_t>(entry.op == trace::Op::load ? trace::AtomicOperation::load
                                                                             : trace::AtomicOperation::store);
    }
    if (const TextureObject* texture = find_texture_object(entry.texture)) {
        header.operation = trace::TextureSampling{{static_cast<uint8_t>(texture->addressing[0]),
                                                   static_cast<uint8_t>(texture->addressing[1])},
                                                  texture->filters,
                                                  texture->normalized_coordinates}
                               .packed();
        const size_t columns = texture->extent[0], rows = texture->extent[1];
        if (columns <= 0xffff && rows <= 0xffff) header.changed = static_cast<uint32_t>(rows << 16 | columns);
    }
    std::array<uint64_t, 32> payload;
    unsigned count = 0;
    each_lane(entry, [&](unsigned lane) { payload[count++] = entry.address[lane]; });
    const uint64_t stride = count > 1 ? payload[1] - payload[0] : 0;
    bool affine = count > 2;
    for (unsigned i = 2; i < count && affine; ++i) affine = payload[i] - payload[i - 1] == stride;
    header.affine = affine;
    if (affine) {
        payload[1] = stride;
        count = 2;
    }
    if (write_trace(&header, sizeof header, payload.data(), count * sizeof(uint64_t))) ++launch.trace_records;
}

}  // namespace

AccessCost cost_of(const LogEntry& entry) {
    AccessCost cost;
    if (entry.space == trace::Space::shared) {
        shared_cost(entry, cost);
        return cost;
    }
    if (entry.space == trace::Space::texture) return cost;
    if (entry.space == trace::Space::constant) {
        cost.addresses = distinct_units(entry, 1);
        return cost;
    }
    if (entry.space == trace::Space::local) {
        cost.words = std::max(entry.bytes / 4u, 1u);
        cost.sectors = local_sectors(entry);
        return cost;
    }
    cost.distinct_sectors = distinct_units(entry, sector_bytes);
    cost.sectors = entry.op == trace::Op::atomic ? atomic_sectors(entry) : cost.distinct_sectors;
    cost.lines = distinct_units(entry, line_bytes);
    const unsigned lanes = static_cast<unsigned>(std::popcount(entry.mask));
    cost.ideal_sectors =
        std::min<unsigned>(cost.distinct_sectors, (lanes * entry.bytes + sector_bytes - 1) / sector_bytes);
    return cost;
}

void write_exchange(const BlockRun& block, trace::RecordHeader header, const trace::WarpExchange& exchange,
                    const void* pc, int line) {
    LaunchRun& launch = *block.launch;
    if (launch.trace_records >= session().trace_records) return;
    const Site site = program.site(pc);
    header.launch = launch.index;
    header.block = static_cast<uint32_t>(block.linear);
    header.line = static_cast<uint32_t>(line != 0 ? line : site.line);
    header.op = trace::Op::exchange;
    header.space = trace::Space::warp;
    // It takes the room of two accesses, and the budget is one of room.
    if (write_trace(&header, sizeof header, &exchange, sizeof exchange)) launch.trace_records += 2;
}

void write_order(const Lane& lane, trace::OrderOperation operation, const trace::OrderEvent& event,
                 OrderPlace place) {
    const BlockRun& block = *lane.block;
    LaunchRun& launch = *block.launch;
    if (!block.traced || launch.trace_records >= session().trace_records) return;
    const uint32_t next = block.logs[lane.warp].accesses.step + lane.access_log.next;
    trace::RecordHeader header{};
    header.launch = launch.index;
    header.block = static_cast<uint32_t>(block.linear);
    header.step = next - (place.is_logged && next != 0 ? 1 : 0);
    header.mask = 1u << lane.lane;
    header.line = static_cast<uint32_t>(place.line != 0 ? place.line : program.site(lane.last_pc).line);
    header.warp = lane.warp;
    header.op = trace::Op::exchange;
    header.space = trace::Space::order;
    header.phase = lane.barriers_passed;
    header.operation = static_cast<uint32_t>(operation);
    if (write_trace(&header, sizeof header, &event, sizeof event)) ++launch.trace_records;
}

void account(BlockRun& block, unsigned warp, WarpLog& log) {
    for (const BranchEntry& entry : log.branches) {
        BranchMetrics& branch = block.launch->branches[entry.site];
        ++branch.executed;
        branch.divergent += entry.others != 0;
        branch.lanes += static_cast<unsigned>(std::popcount(entry.mask | entry.others));
    }
    note_branches(*block.launch, log, log.branches.size());
    uint32_t step = log.accesses.step;
    for (const LogEntry& entry : log.accesses) {
        if (block.traced && (entry.space != trace::Space::texture || entry.texture != 0))
            write_record(block, warp, entry, step);
        ++step;
        SiteMetrics& site = block.launch->sites[site_key(entry)];
        const AccessCost cost = cost_of(entry);
        note_access(*block.launch, log, entry, cost);
        site.op = entry.op;
        site.space = entry.space;
        ++site.requests;
        site.sectors += cost.sectors;
        site.lines += cost.lines;
        site.distinct_sectors += cost.distinct_sectors;
        site.ideal_sectors += cost.ideal_sectors;
        site.addresses += cost.addresses;
        site.words += cost.words;
        site.wavefronts += cost.wavefronts;
        site.ideal_wavefronts += cost.ideal_wavefronts;
        site.lanes += static_cast<unsigned>(std::popcount(entry.mask));
    }
    uint64_t& busiest = block.launch->work.busiest_warp_accesses;
    busiest = std::max<uint64_t>(busiest, step);
}

bool should_trace(const LaunchRun& launch, uint64_t block) {
    constexpr uint64_t all_below = 256;
    if (session().trace.data == nullptr) return false;
    if (launch.blocks <= all_below) return true;
    return block < 32 || block + 32 >= launch.blocks || block % (launch.blocks / 128 + 1) == 0;
}

int registers_of(const LaunchRun& launch) {
    const int* known = known_registers(launch.call);
    return known != nullptr ? *known : estimated_registers;
}

namespace {

// The names after `occupancy_limit_` are ncu's; its limit by shared memory counts what the driver had set.
void put_occupancy(nlohmann::ordered_json& json, const LaunchRun& launch) {
    const bool is_known = known_registers(launch.call) != nullptr;
    const int registers = registers_of(launch);
    const size_t shared = launch.static_shared + launch.call.config.shared_bytes;
    const ResidentBlocks fit = resident_blocks(launch.threads, shared, registers);
    json["registers"] = registers;
    json["registers_estimated"] = is_known ? 0 : 1;
    json["sm_count"] = device_profile().sm_count;
    json["occupancy_limit_warps"] = fit.warps;
    json["occupancy_limit_blocks"] = fit.blocks;
    json["occupancy_limit_registers"] = fit.registers;
    json["occupancy_limit_shared_mem"] = fit.shared;
    json["occupancy_pct"] = occupancy_percent(launch.threads, shared, registers);
}

}  // namespace

nlohmann::ordered_json metrics_json(const LaunchRun& launch) {
    using Line = std::pair<std::string, int>;
    std::map<std::string, uint64_t> total;
    std::map<Line, std::map<std::string, uint64_t>> lines;
    std::map<Line, int> columns;
    for (const auto& [key, site] : launch.sites) {
        add_counts(total, site);
        const Site place = finding::site_in(launch, program.address(static_cast<uint32_t>(key)));
        const Line line{place.file, place.line};
        add_counts(lines[line], site);
        columns.emplace(line, place.column);
    }
    for (const auto& [offset, page] : launch.page_faults) {
        const Site place = finding::site_in(launch, program.address(offset));
        const Line line{place.file, place.line};
        for (auto* counts : {&total, &lines[line]}) {
            (*counts)["page_faults"] += page.faults;
            (*counts)["page_bytes"] += page.bytes;
        }
        columns.emplace(line, place.column);
    }
    uint64_t steps = 0, lanes = 0;
    for (const auto& [offset, branch] : launch.branches) {
        steps += branch.executed;
        lanes += branch.lanes;
        total["branches"] += branch.executed;
        total["divergent_branches"] += branch.divergent;
        const Site place = finding::site_in(launch, program.address(offset));
        const Line line{place.file, place.line};
        lines[line]["branches"] += branch.executed;
        lines[line]["divergent_branches"] += branch.divergent;
        columns.emplace(line, place.column);
    }
    for (const auto& [key, site] : launch.sites) {
        steps += site.requests;
        lanes += site.lanes;
    }
    for (const char* name :
         {"branches", "divergent_branches", "global_load_requests", "global_load_sectors",
          "global_store_requests", "global_store_sectors", "global_atomic_requests", "global_atomic_sectors",
          "global_lines", "shared_load_wavefronts", "shared_store_wavefronts", "shared_atomic_wavefronts",
          "shared_load_conflicts", "shared_store_conflicts", "shared_atomic_conflicts"})
        total.try_emplace(name, 0);
    nlohmann::ordered_json json;
    json["metrics"] = numbers(total);
    json["metrics"]["warps"] = launch.warps;
    if (launch.shuffles != 0) json["metrics"]["warp_shuffles"] = launch.shuffles;
    if (launch.votes != 0) json["metrics"]["warp_votes"] = launch.votes;
    if (launch.grid_barriers != 0) json["metrics"]["grid_barriers"] = launch.grid_barriers;
    if (launch.reductions != 0) json["metrics"]["warp_reductions"] = launch.reductions;
    json["metrics"]["busiest_warp_accesses"] = launch.work.busiest_warp_accesses;
    // Of its accesses and branches, which are what the machine sees of its instructions.
    if (steps != 0)
        json["metrics"]["active_lanes_per_step"] = static_cast<double>(lanes) / static_cast<double>(steps);
    put_occupancy(json["metrics"], launch);
    json["lines"] = nlohmann::ordered_json::array();
    for (const auto& [line, counts] : lines)
        json["lines"].push_back({{"file", line.first},
                                 {"line", line.second},
                                 {"column", columns[line]},
                                 {"metrics", numbers(counts)}});
    return json;
}

}  // namespace simt
