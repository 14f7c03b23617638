#include "simt/checker/access.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

#include "simt/checker/findings.h"
#include "simt/checker/race.h"
#include "simt/machine/arena.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/program.h"

namespace simt {
namespace {

Cell* cells = nullptr;           // one for each word of the arena
std::vector<Cell> global_cells;  // the same for the program's own __device__ variables
uint32_t generation = 0;

// Words that threads share by bytes: the cell's `read` is an index here, its `write_site` the serial number
// of the table, which starts afresh with each launch.
std::deque<std::array<Cell, 4>> byte_cells;
uint32_t byte_cells_serial = 0;

bool is_split(const Cell& cell) {
    return (cell.write & epoch::split_flag) != 0 && cell.write_site == byte_cells_serial;
}

void map_cells() {
    const size_t bytes = Arena::size / 4 * sizeof(Cell);
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        std::fprintf(stderr, "simt: cannot reserve addresses for the race checker (%zu GiB)\n", bytes >> 30);
        std::abort();
    }
    cells = static_cast<Cell*>(p);
}

void forget_cells(size_t begin, size_t end) {
    if (end > begin) madvise(cells + begin / 4, (end - begin) / 4 * sizeof(Cell), MADV_REMOVE);
}

constexpr uint32_t access_steps = 8;

// ---- races ----

// Was the earlier access of another block handed over to this one?
bool handed_over(uint64_t past, const Lane& lane) {
    const auto& acquired = lane.block->acquired;
    if (acquired.empty()) return false;
    const auto seen = acquired.find(epoch::block(past));
    return seen != acquired.end() && epoch::barriers(past) <= seen->second;
}

void judge(uint64_t past, uint32_t past_site, bool past_writes, uint64_t now, bool now_writes,
           const Lane& lane, const void* address, unsigned bytes, const void* pc) {
    const RaceScope scope = unordered(past, now);
    if (scope == RaceScope::none || handed_over(past, lane)) return;
    report_race(lane, {scope, address, bytes, pc, now_writes, past, past_site, past_writes, true});
}

// This thread writes what it and others read. Of the others the cell only says that there were some.
void judge_unnamed_readers(uint64_t past, uint32_t past_site, uint64_t now, const Lane& lane,
                           const void* address, unsigned bytes, const void* pc) {
    if (epoch::generation(past) != epoch::generation(now) || (past & now & epoch::atomic_flag) != 0) return;
    if ((past & epoch::cross_flag) != 0) {
        if (lane.block->acquired.empty())
            report_race(lane, {RaceScope::grid, address, bytes, pc, true, past, past_site, false, false});
        return;
    }
    if (epoch::block(past) != epoch::block(now) || epoch::barriers(past) != epoch::barriers(now)) return;
    if (epoch::warp_syncs(past) != epoch::warp_syncs(now)) return;
    report_race(lane, {RaceScope::block, address, bytes, pc, true, past, past_site, false, false});
}

void update(Cell& cell, uint64_t now, bool write, const Lane& lane, const void* address, unsigned bytes,
            const void* pc) {
    const uint32_t site = program.offset(pc);
    if (cell.write != 0 && cell.write != now)
        judge(cell.write, cell.write_site, true, now, write, lane, address, bytes, pc);
    if (write) {
        if (cell.read != 0) {
            const uint64_t past = cell.read;
            const bool by_itself =
                epoch::thread(past) == epoch::thread(now) && epoch::block(past) == epoch::block(now);
            if (by_itself && (past & (epoch::many_flag | epoch::cross_flag)) != 0) {
                judge_unnamed_readers(past, cell.read_site, now, lane, address, bytes, pc);
            } else {
                judge(past, cell.read_site, false, now, true, lane, address, bytes, pc);
            }
            cell.read = 0;
        }
        cell.write = now;
        cell.write_site = site;
        return;
    }
    const uint64_t past = cell.read;
    uint64_t flags = 0;
    if (past != 0 && epoch::generation(past) == epoch::generation(now)) {
        flags = past & epoch::cross_flag;
        if (epoch::block(past) != epoch::block(now)) {
            flags |= epoch::cross_flag;
        } else if (epoch::barriers(past) == epoch::barriers(now)) {
            flags |= past & epoch::many_flag;
            if (epoch::thread(past) != epoch::thread(now)) {
                cell.read = past | flags | epoch::many_flag;  // the first reader stays
                return;
            }
        }
    }
    cell.read = now | flags;
    cell.read_site = site;
}

void update_bytes(Cell& cell, unsigned byte, unsigned bytes, uint64_t now, bool write, const Lane& lane,
                  const void* address, const void* pc) {
    if (!is_split(cell)) {
        std::array<Cell, 4> parts;
        parts.fill((cell.write & epoch::split_flag) != 0 ? Cell{} : cell);
        byte_cells.push_back(parts);
        cell.write = epoch::split_flag;
        cell.write_site = byte_cells_serial;
        cell.read = byte_cells.size() - 1;
    }
    auto& parts = byte_cells[cell.read];
    for (unsigned i = byte; i < byte + bytes; ++i)
        update(parts[i], now, write, lane, static_cast<const char*>(address) + (i - byte), 1, pc);
}

void race(Cell* first, const Lane& lane, uint64_t now, const void* address, unsigned bytes, bool write,
          const void* pc) {
    if (bytes < 4) {
        const unsigned byte = reinterpret_cast<uintptr_t>(address) % 4;
        update_bytes(*first, byte, bytes, now, write, lane, address, pc);
        return;
    }
    for (unsigned i = 0; i < bytes / 4; ++i) {
        Cell& cell = first[i];
        if (is_split(cell)) {
            update_bytes(cell, 0, 4, now, write, lane, static_cast<const char*>(address) + 4 * i, pc);
        } else {
            if ((cell.write & epoch::split_flag) != 0) cell = {};
            update(cell, now, write, lane, static_cast<const char*>(address) + 4 * i, 4, pc);
        }
    }
}

// A flag or counter through which one block hands its results to another: a write after a fence releases what
// the block did so far, a read acquires what was released there. Kept by block, which can only hide races,
// not invent them.
void hand_over(Lane& lane, const void* address, bool reads, bool writes) {
    BlockRun& block = *lane.block;
    auto& places = block.launch->handover;
    const auto key = reinterpret_cast<uintptr_t>(address);
    const auto self = static_cast<uint32_t>(block.linear & epoch::block_mask);
    if (reads) {
        const auto place = places.find(key);
        if (place != places.end())
            for (auto [other, interval] : place->second)
                if (other != self) block.acquired[other] = std::max(block.acquired[other], interval);
    }
    if (writes && block.fenced) {
        auto& releases = places[key];
        releases[self] = lane.barriers_passed & epoch::barrier_mask;
        for (auto [other, interval] : block.acquired) releases[other] = std::max(releases[other], interval);
    }
}

// ---- the log ----

void log_access(Lane& lane, const void* address, unsigned bytes, trace::Op op, trace::Space space, int scalar,
                const void* pc) {
    const uint32_t site = program.offset(pc);
    const uint32_t bit = 1u << lane.lane;
    WarpLog& log = lane.block->logs[lane.warp];
    uint64_t key = mix(lane.position, site);
    LogEntry* entry = &log.find(key, lane.log_cursor);
    while ((entry->mask & bit) !=
           0) {  // the same place twice in what looks like one trip: an instruction of its own
        key = mix(key, 1);
        entry = &log.find(key, lane.log_cursor);
    }
    if (entry->mask == 0) {
        entry->site = site;
        entry->op = op;
        entry->space = space;
        entry->bytes = static_cast<uint8_t>(bytes);
        entry->scalar = static_cast<uint8_t>(scalar);
        entry->phase = lane.barriers_passed;
    }
    entry->mask |= bit;
    entry->address[lane.lane] = reinterpret_cast<uint64_t>(address);
    if (++lane.log_used >= WarpLog::window) wait_for_window(lane);
}

// ---- where an address lies ----

struct Shape {
    unsigned bytes;
    AccessKind kind;
    int scalar;
    bool reads, writes;
};

trace::Op op_of(AccessKind kind) {
    return kind == AccessKind::atomic ? trace::Op::atomic
           : is_write(kind)           ? trace::Op::store
                                      : trace::Op::load;
}

void check_words(Lane& lane, Cell* first, size_t offset, const void* address, const Shape& shape,
                 trace::Space space, const Allocation* buffer, const void* pc) {
    if (shape.reads && !arena.is_initialised(offset, shape.bytes)) {
        report_uninitialised(lane, address, shape.bytes, space, buffer, pc);
        arena.set_initialised(offset, shape.bytes);
    }
    const bool ordering = shape.kind != AccessKind::load && shape.kind != AccessKind::store;
    const uint64_t now = lane.epoch | (ordering ? epoch::atomic_flag : 0);
    if (ordering) hand_over(lane, address, shape.reads, shape.writes);
    race(first, lane, now, address, shape.bytes, shape.writes, pc);
    if (shape.writes) arena.set_initialised(offset, shape.bytes);
    log_access(lane, address, shape.bytes, op_of(shape.kind), space, shape.scalar, pc);
}

void check_shared(Lane& lane, size_t offset, const void* address, const Shape& shape, const void* pc) {
    BlockRun& block = *lane.block;
    const size_t slot_begin = size_t{block.slot} * Arena::slot_bytes;
    const size_t inside = offset - slot_begin;
    const bool in_static = inside < block.static_used && inside + shape.bytes <= block.static_used;
    const bool in_dynamic = inside >= Arena::dynamic_offset &&
                            inside + shape.bytes <= Arena::dynamic_offset + block.dynamic_bytes;
    if (!in_static && !in_dynamic) {
        report_shared_bounds(lane, address, shape.bytes, shape.writes, pc);
        abandon(lane);
    }
    check_words(lane, cells + offset / 4, offset, address, shape, trace::Space::shared, nullptr, pc);
}

void check_global(Lane& lane, size_t offset, const void* address, const Shape& shape, const void* pc) {
    const uint32_t owner = arena.owners[offset / Arena::granule];
    const Allocation* buffer = owner == 0 ? nullptr : &allocation_table()[owner - 1];
    const auto* p = static_cast<const char*>(address);
    if (buffer == nullptr || !buffer->live || p + shape.bytes > buffer->base + buffer->bytes) {
        report_bounds(lane, address, shape.bytes, shape.writes, pc);
        abandon(lane);
    }
    check_words(lane, cells + offset / 4, offset, address, shape, trace::Space::global, buffer, pc);
}

void check_symbol(Lane& lane, const Allocation& symbol, const void* address, const Shape& shape,
                  const void* pc) {
    const auto* p = static_cast<const char*>(address);
    const bool constant = symbol.space == BufferSpace::constant;
    if (p + shape.bytes > symbol.base + symbol.bytes) {
        report_bounds(lane, address, shape.bytes, shape.writes, pc);
        abandon(lane);
    }
    if (constant && shape.writes) {
        report_constant_write(lane, symbol, address, pc);
        abandon(lane);
    }
    if (constant)
        return log_access(lane, address, shape.bytes, trace::Op::load, trace::Space::constant, 0, pc);
    if (global_cells.empty()) global_cells.resize(program.writable_bytes / 4 + 4);
    const size_t word = (reinterpret_cast<uintptr_t>(address) - program.writable) / 4;
    const bool ordering = shape.kind != AccessKind::load && shape.kind != AccessKind::store;
    if (ordering) hand_over(lane, address, shape.reads, shape.writes);
    race(&global_cells[word], lane, lane.epoch | (ordering ? epoch::atomic_flag : 0), address, shape.bytes,
         shape.writes, pc);
    log_access(lane, address, shape.bytes, op_of(shape.kind), trace::Space::global, shape.scalar, pc);
}

// Not in the arena: the thread's own stack, parameters, constants, __device__ variables; or it is a fault.
void check_elsewhere(Lane& lane, const void* address, const Shape& shape, const void* pc) {
    if (lane.stack.contains(address)) return;
    const LaunchRun& launch = *lane.block->launch;
    const auto* p = static_cast<const char*>(address);
    const auto* arguments = static_cast<const char*>(launch.arguments);
    if (p >= arguments && p < arguments + launch.call.bytes) return;
    if (!shape.writes && program.is_constant(address)) return;
    if (const Allocation* symbol = symbol_at(address)) return check_symbol(lane, *symbol, address, shape, pc);
    if (is_machine_memory(address)) return;
    report_foreign(lane, address, shape.bytes, shape.writes, pc);
    abandon(lane);
}

void check_host(const void* address, unsigned bytes, bool writes, const void* pc) {
    if (arena.base == nullptr || !arena.contains(address)) return;
    const size_t offset = arena.offset_of(address);
    if (offset >= Arena::managed_begin) return;
    report_host_access(address, bytes, writes, pc);
}

void check(const void* address, const Shape& shape, const void* pc) {
    Lane* lane = current_lane;
    if (lane == nullptr) {
        note_host_pc(pc);
        return check_host(address, shape.bytes, shape.writes, pc);
    }
    lane->last_pc = pc;
    lane->polled = shape.kind == AccessKind::load || shape.kind == AccessKind::store ? nullptr : address;
    // A checked access takes as long as about eight basic blocks: the step budget counts it so.
    if (lane->slice > access_steps) lane->slice -= access_steps;
    if (lane->polled != nullptr) lane->polled_pc = pc;
    const size_t offset = arena.offset_of(address);
    if (offset >= Arena::size) return check_elsewhere(*lane, address, shape, pc);
    if ((reinterpret_cast<uintptr_t>(address) & (shape.bytes - 1)) != 0) {
        report_misaligned(*lane, address, shape.bytes, shape.writes, pc);
        abandon(*lane);
    }
    if (offset < Arena::shared_end) return check_shared(*lane, offset, address, shape, pc);
    check_global(*lane, offset, address, shape, pc);
}

}  // namespace

void check_access(const void* address, unsigned bytes, AccessKind kind, const void* pc) {
    const bool writes = is_write(kind);
    check(address, {bytes, kind, 0, !writes, writes}, pc);
}

void check_atomic(const void* address, unsigned bytes, int operation, bool reads, bool writes,
                  const void* pc) {
    check(address, {bytes, AccessKind::atomic, operation, reads, writes}, pc);
}

void check_range(const void* address, size_t bytes, AccessKind kind, const void* pc) {
    auto p = reinterpret_cast<uintptr_t>(address);
    // A struct whose alignment is 4 moves in pieces of 4, one of 16 in pieces of 16.
    while (bytes != 0) {
        unsigned piece = 16;
        while (piece > 1 && (p % piece != 0 || piece > bytes)) piece /= 2;
        check_access(reinterpret_cast<const void*>(p), piece, kind, pc);
        p += piece;
        bytes -= piece;
    }
}

void clear_shared(unsigned slot, size_t offset, size_t bytes) {
    const size_t begin = size_t{slot} * Arena::slot_bytes + offset;
    std::memset(arena.view + begin, 0xCB, bytes);
    arena.set_initialised_range(begin, bytes, false);
    // Whatever block had the slot before has nothing to do with this one.
    std::fill_n(cells + begin / 4, (bytes + 3) / 4, Cell{});
}

uint32_t start_generation() {
    byte_cells.clear();
    ++byte_cells_serial;
    return next_generation();
}

uint32_t next_generation() {
    if (cells == nullptr) map_cells();
    if (++generation <= epoch::generation_mask) return generation;
    generation = 1;
    forget_cells(0, Arena::shared_end);
    forget_cells(Arena::shared_end, arena.global_top);
    forget_cells(Arena::managed_begin, arena.managed_top);
    std::fill(global_cells.begin(), global_cells.end(), Cell{});
    return generation;
}

}  // namespace simt
