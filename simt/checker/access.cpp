#include "simt/checker/access.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

#include "simt/checker/draft.h"
#include "simt/checker/findings.h"
#include "simt/checker/order.h"
#include "simt/checker/pages.h"
#include "simt/checker/race.h"
#include "simt/checker/stream_race.h"
#include "simt/checker/texture_check.h"
#include "simt/host/queue.h"
#include "simt/machine/arena.h"
#include "simt/machine/device_symbols.h"
#include "simt/machine/devices.h"
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
constexpr size_t most_byte_cells = size_t{1} << 20;

// Readers of one word that nothing orders among themselves. Kept only once a launch hands something over by
// fences and flags: elsewhere it is enough to know that there were others.
struct Reader {
    uint64_t epoch;
    uint32_t site;
};
std::deque<std::vector<Reader>> reader_sets;
constexpr size_t most_readers =
    32;  // of a set; beyond that the first are forgotten, and races with them missed

bool is_set(uint64_t read, uint64_t now) {
    return (read & epoch::set_flag) != 0 && epoch::generation(read) == epoch::generation(now);
}

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
constexpr uint32_t polls_before_yield = 32;

// ---- races ----

#define SIMT_HOT inline __attribute__((always_inline))

// The usual answer without a search: it has met nobody and acquired nothing since the last barrier.
SIMT_HOT bool knows(const Lane& lane, uint64_t past) {
    if (lane.knowledge.acquired == nullptr && !lane.knowledge.met_warp &&
        (epoch::block(past) != epoch::block(lane.epoch) ||
         (epoch::barriers(past) == epoch::barriers(lane.epoch) && epoch::thread(past) != lane.linear)))
        return false;
    return order::knows(lane, past);
}

__attribute__((noinline)) void report_if_unknown(RaceScope scope, uint64_t past, uint32_t past_site,
                                                 bool past_writes, uint64_t now, bool now_writes,
                                                 const Lane& lane, const void* address, unsigned bytes,
                                                 const void* pc) {
    const bool now_is_atomic = (now & epoch::atomic_flag) != 0;
    auto settled = order::Settled::yes;
    if (knows(lane, past)) {
        if (scope != RaceScope::grid || now_writes || now_is_atomic) return;
        settled = order::is_settled(lane, past);
        if (settled == order::Settled::yes) return;
    }
    const bool both_atomic = (past & now & epoch::atomic_flag) != 0;
    report_race(lane, {scope, address, bytes, pc, now_writes, past, past_site, past_writes, true, both_atomic,
                       now_is_atomic, settled});
}

SIMT_HOT void judge(uint64_t past, uint32_t past_site, bool past_writes, uint64_t now, bool now_writes,
                    const Lane& lane, const void* address, unsigned bytes, const void* pc) {
    const RaceScope scope = unordered(past, now);
    if (scope != RaceScope::none)
        report_if_unknown(scope, past, past_site, past_writes, now, now_writes, lane, address, bytes, pc);
}

// This thread writes what it and others read. Of the others the cell only says that there were some, so they
// race for sure only where this thread can't know of anybody.
void judge_unnamed_readers(uint64_t past, uint32_t past_site, uint64_t now, const Lane& lane,
                           const void* address, unsigned bytes, const void* pc) {
    if (epoch::generation(past) != epoch::generation(now) || (past & now & epoch::atomic_flag) != 0) return;
    const order::Knowledge& knowledge = lane.knowledge;
    if (knowledge.acquired != nullptr) return;
    RaceScope scope = RaceScope::grid;
    if ((past & epoch::cross_flag) == 0) {
        if (epoch::barriers(past) != epoch::barriers(now) || knowledge.met_warp) return;
        scope = RaceScope::block;
    }
    report_race(lane, {scope, address, bytes, pc, true, past, past_site, false, false, false,
                       (now & epoch::atomic_flag) != 0});
}

void add_reader(Cell& cell, uint64_t now, uint32_t site, const Lane& lane) {
    auto& readers = reader_sets[cell.read & epoch::set_mask];
    std::erase_if(readers, [&](const Reader& r) { return order::knows(lane, r.epoch); });
    if (readers.size() == most_readers) readers.erase(readers.begin());
    readers.push_back({now, site});
}

// Two readers that nothing orders, in a launch where a third may know of one of them and not of the other.
bool start_reader_set(Cell& cell, uint64_t now, uint32_t site, const Lane& lane) {
    const uint64_t past = cell.read;
    if ((past & (epoch::many_flag | epoch::cross_flag | epoch::set_flag)) != 0 ||
        epoch::generation(past) != epoch::generation(now) || lane.block->launch->history.at.empty() ||
        knows(lane, past))
        return false;
    reader_sets.push_back({{past, cell.read_site}, {now, site}});
    cell.read = epoch::valid_flag | epoch::set_flag |
                (past & epoch::generation_mask << epoch::generation_shift) | (reader_sets.size() - 1);
    return true;
}

void judge_readers(const Cell& cell, uint64_t now, const Lane& lane, const void* address, unsigned bytes,
                   const void* pc) {
    const uint64_t past = cell.read;
    if (is_set(past, now)) {
        for (const Reader& r : reader_sets[past & epoch::set_mask])
            judge(r.epoch, r.site, false, now, true, lane, address, bytes, pc);
        return;
    }
    if ((past & epoch::set_flag) != 0) return;
    const bool by_itself =
        epoch::thread(past) == epoch::thread(now) && epoch::block(past) == epoch::block(now);
    if (by_itself && (past & (epoch::many_flag | epoch::cross_flag)) != 0) {
        judge_unnamed_readers(past, cell.read_site, now, lane, address, bytes, pc);
    } else {
        judge(past, cell.read_site, false, now, true, lane, address, bytes, pc);
    }
}

SIMT_HOT void update(Cell& cell, uint64_t now, bool write, const Lane& lane, const void* address,
                     unsigned bytes, const void* pc) {
    const uint32_t site = program.offset(pc);
    if (cell.write != 0 && cell.write != now)
        judge(cell.write, cell.write_site, true, now, write, lane, address, bytes, pc);
    if (write) {
        if (cell.read != 0) {
            judge_readers(cell, now, lane, address, bytes, pc);
            cell.read = 0;
        }
        cell.write = now;
        cell.write_site = site;
        return;
    }
    const uint64_t past = cell.read;
    constexpr uint64_t place = epoch::generation_mask << epoch::generation_shift |
                               epoch::block_mask << epoch::block_shift |
                               epoch::barrier_mask << epoch::barrier_shift;
    // The usual case of a word that many read: the first of them is kept already.
    if ((past & (epoch::many_flag | epoch::set_flag)) == epoch::many_flag && ((past ^ now) & place) == 0 &&
        epoch::thread(past) != epoch::thread(now) && lane.knowledge.acquired == nullptr &&
        !lane.knowledge.met_warp)
        return;
    if (past != 0 && past != now) {
        if (is_set(past, now)) return add_reader(cell, now, site, lane);
        if (start_reader_set(cell, now, site, lane)) return;
    }
    uint64_t flags = 0;
    if (past != 0 && epoch::generation(past) == epoch::generation(now)) {
        flags = past & epoch::cross_flag;
        if (epoch::block(past) != epoch::block(now)) {
            flags |= epoch::cross_flag;
        } else if (epoch::barriers(past) == epoch::barriers(now)) {
            flags |= past & epoch::many_flag;
            if (epoch::thread(past) != epoch::thread(now)) {
                flags |= epoch::many_flag;
                if (!knows(lane, past)) {
                    cell.read = past | flags;  // the first reader stays
                    return;
                }
            }
        }
    }
    cell.read = now | flags;
    cell.read_site = site;
}

__attribute__((noinline)) void update_bytes(Cell& cell, unsigned byte, unsigned bytes, uint64_t now,
                                            bool write, const Lane& lane, const void* address,
                                            const void* pc) {
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

SIMT_HOT void race(Cell* first, const Lane& lane, uint64_t now, const void* address, unsigned bytes,
                   bool write, const void* pc) {
    if (bytes < 4) {
        const unsigned byte = reinterpret_cast<uintptr_t>(address) % 4;
        update_bytes(*first, byte, bytes, now, write, lane, address, pc);
        return;
    }
    for (unsigned i = 0; i < bytes / 4; ++i) {
        Cell& cell = first[i];
        if (__builtin_expect(is_split(cell), 0)) {
            update_bytes(cell, 0, 4, now, write, lane, static_cast<const char*>(address) + 4 * i, pc);
        } else {
            if ((cell.write & epoch::split_flag) != 0) cell = {};
            update(cell, now, write, lane, static_cast<const char*>(address) + 4 * i, 4, pc);
        }
    }
}

// ---- the log ----

SIMT_HOT LogEntry& log_access(Lane& lane, const void* address, unsigned bytes, trace::Op op,
                              trace::Space space, int scalar, const void* pc) {
    const uint32_t site = program.offset(pc);
    const uint32_t bit = 1u << lane.lane;
    AccessLog& log = lane.block->logs[lane.warp].accesses;
    uint64_t key = mix(lane.position, site);
    LogEntry* entry = &log.find(key, lane.access_log.next);
    while ((entry->mask & bit) !=
           0) {  // the same place twice in what looks like one trip: an instruction of its own
        key = mix(key, 1);
        entry = &log.find(key, lane.access_log.next);
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
    ++lane.access_log.used;
    return *entry;
}

// ---- where an address lies ----

struct Shape {
    unsigned bytes;
    AccessKind kind;
    int scalar;
    bool reads, writes;
    int scope = 0;           // of an atomic, as in abi.h
    bool of_struct = false;  // a piece of a struct that is copied whole
};

// Volatile accesses and atomics order others, and do not race with each other.
bool is_ordering(const Shape& shape) {
    return shape.kind != AccessKind::load && shape.kind != AccessKind::store;
}

uint64_t epoch_of(const Lane& lane, const Shape& shape) {
    if (!is_ordering(shape)) return lane.epoch;
    return lane.epoch | epoch::atomic_flag | (shape.scope == 1 ? epoch::block_scope_flag : 0);
}

SIMT_HOT void order_access(Lane& lane, const void* address, const Shape& shape) {
    if (!is_ordering(shape)) return;
    if (shape.reads) order::acquire(lane, address, shape.writes);
    // An atomic releases after it has been done: a compare-and-swap may not write.
    if (shape.kind == AccessKind::volatile_store) order::release(lane, address, false, 0, false);
}

trace::Op op_of(AccessKind kind) {
    return kind == AccessKind::atomic ? trace::Op::atomic
           : is_write(kind)           ? trace::Op::store
                                      : trace::Op::load;
}

// For the log.
int scalar_of(const Shape& shape) {
    const bool is_volatile =
        shape.kind == AccessKind::volatile_load || shape.kind == AccessKind::volatile_store;
    return is_volatile ? LogEntry::is_volatile : shape.scalar;
}

// A struct that is read whole: nothing writes its padding, and nobody needs it. A word of which a byte was written is
// taken for one with padding in it; one with none is padding only where the elements are such that something aligned
// to 8 may lie in them, and the other word of its 8 bytes was written. A copy of 16 bytes does not say whether it is a
// struct's or a float4's: there the buffer's elements decide.
__attribute__((noinline)) bool may_miss_padding_alone(const Lane& lane, size_t offset, const void* address,
                                                      const Shape& shape, const Allocation* buffer) {
    // 1: not known.
    const size_t element =
        buffer != nullptr ? buffer->element_bytes : finding::shared_element_bytes(*lane.block, address);
    if (!shape.of_struct && (shape.bytes != 16 || (element != 1 && element < 16))) return false;
    const bool holds_eight = element == 1 || element % 8 == 0;
    const auto any = [&](size_t first, size_t bytes) {
        for (size_t i = first; i < first + bytes; ++i)
            if (arena.is_initialised(i, 1)) return true;
        return false;
    };
    const size_t unit = holds_eight ? 8 : 4, end = offset + shape.bytes;
    for (size_t first = offset / unit * unit; first < end; first += unit)
        if (!any(first, unit)) return false;
    return true;
}

SIMT_HOT void check_words(Lane& lane, Cell* first, size_t offset, const void* address, const Shape& shape,
                          trace::Space space, const Allocation* buffer, const void* pc) {
    if (shape.reads && !arena.is_initialised(offset, shape.bytes) &&
        !may_miss_padding_alone(lane, offset, address, shape, buffer)) {
        size_t skip = 0;
        while (skip + 1 < shape.bytes && arena.is_initialised(offset + skip, 1)) ++skip;
        report_uninitialised(lane, static_cast<const char*>(address) + skip, shape.bytes, space, buffer, pc);
        arena.set_initialised(offset, shape.bytes);
    }
    order_access(lane, address, shape);
    race(first, lane, epoch_of(lane, shape), address, shape.bytes, shape.writes, pc);
    if (shape.writes) arena.set_initialised(offset, shape.bytes);
    log_access(lane, address, shape.bytes, op_of(shape.kind), space, scalar_of(shape), pc);
}

SIMT_HOT void check_shared(Lane& lane, size_t offset, const void* address, const Shape& shape,
                           const void* pc) {
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

// With several devices: whose memory is it, and may this one touch it?
__attribute__((noinline)) void check_owner(Lane& lane, const Allocation& buffer, const void* address,
                                           const Shape& shape, const void* pc) {
    if (!is_reachable(*lane.block->launch, buffer)) {
        report_other_device(lane, buffer, address, shape.writes, pc);
        abandon(lane);
    }
    if (buffer.space == BufferSpace::constant && shape.writes) {
        report_constant_write(lane, buffer, address, pc);
        abandon(lane);
    }
    if (buffer.space == BufferSpace::symbol || buffer.space == BufferSpace::constant)
        device_symbols::by_pointer(lane, buffer, address, shape.bytes, shape.writes, pc);
}

SIMT_HOT void check_global(Lane& lane, size_t offset, const void* address, const Shape& shape,
                           const void* pc) {
    const uint32_t owner = arena.owners[offset / Arena::granule];
    const Allocation* buffer = owner == 0 ? nullptr : &allocation_table()[owner - 1];
    const auto* p = static_cast<const char*>(address);
    if (buffer == nullptr || !buffer->live || p + shape.bytes > buffer->base + buffer->bytes) {
        report_bounds(lane, address, shape.bytes, shape.writes, pc);
        abandon(lane);
    }
    if (__builtin_expect(devices::several, 0)) check_owner(lane, *buffer, address, shape, pc);
    if (__builtin_expect(stream_race::kernel_is_watched, 0))
        stream_race::check(lane, address, shape.bytes, shape.writes, is_ordering(shape), pc);
    check_words(lane, cells + offset / 4, offset, address, shape, trace::Space::global, buffer, pc);
}

Cell* symbol_cell(const void* address) {
    if (arena.contains(address)) return cells + arena.offset_of(address) / 4;  // a device's own copy
    if (global_cells.empty()) global_cells.resize(program.writable_bytes / 4 + 4);
    return &global_cells[(reinterpret_cast<uintptr_t>(address) - program.writable) / 4];
}

__attribute__((noinline)) void check_symbol(Lane& lane, const Allocation& symbol, const void* address,
                                            const Shape& shape, const void* pc) {
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
    // What others see of it is its device's copy.
    const void* seen = address;
    if (devices::several && symbol.space != BufferSpace::managed)
        seen = device_symbols::by_name(lane, symbol, address, shape.bytes, shape.writes, pc);
    if (constant) {
        if (stream_race::kernel_is_watched) stream_race::check(lane, seen, shape.bytes, false, false, pc);
        log_access(lane, seen, shape.bytes, trace::Op::load, trace::Space::constant, 0, pc);
        return;
    }
    pages::touch_variable(lane, address, shape.writes, pc);
    if (stream_race::kernel_is_watched)
        stream_race::check(lane, seen, shape.bytes, shape.writes, is_ordering(shape), pc);
    order_access(lane, address, shape);
    race(symbol_cell(seen), lane, epoch_of(lane, shape), seen, shape.bytes, shape.writes, pc);
    log_access(lane, seen, shape.bytes, op_of(shape.kind), trace::Space::global, shape.scalar, pc);
}

// Host memory of cudaHostRegister. The host may have written all of it.
void check_registered(Lane& lane, const Allocation& host, const void* address, const Shape& shape,
                      const void* pc) {
    if (static_cast<const char*>(address) + shape.bytes > host.base + host.bytes) {
        report_bounds(lane, address, shape.bytes, shape.writes, pc);
        abandon(lane);
    }
    if (stream_race::kernel_is_watched)
        stream_race::check(lane, address, shape.bytes, shape.writes, is_ordering(shape), pc);
    log_access(lane, address, shape.bytes, op_of(shape.kind), trace::Space::global, shape.scalar, pc);
}

// ---- local arrays ----

LocalArray* local_around(Lane& lane, const void* address) {
    const auto* p = static_cast<const char*>(address);
    for (size_t i = lane.locals.size(); i-- > 0;) {
        LocalArray& array = lane.locals[i];
        if (p >= array.base && p < array.base + array.bytes) return &array;
    }
    return nullptr;
}

// A GPU interleaves its threads' local memory: word k of all 32 lanes is one 128-byte line.
const void* interleaved(const Lane& lane, const void* address) {
    constexpr uintptr_t reach = 1 << 24;  // more than any stack
    const auto top = reinterpret_cast<uintptr_t>(lane.stack.high);
    const uintptr_t inside = reach - (top - reinterpret_cast<uintptr_t>(address));
    return reinterpret_cast<const void*>(inside / 4 * 128 + uintptr_t{lane.lane} * 4 + inside % 4);
}

void check_local(Lane& lane, const void* address, const Shape& shape, const void* pc) {
    LocalArray* array = local_around(lane, address);
    if (array == nullptr) return;
    const auto first = static_cast<size_t>(static_cast<const char*>(address) - array->base);
    if (first + shape.bytes > array->bytes) {
        report_local_bounds(lane, *array, first, shape.writes, pc);
        abandon(lane);
    }
    bool any_written = false;
    for (size_t i = first; i < first + shape.bytes; ++i) {
        uint64_t& word = array->written[i / 64];
        const uint64_t bit = uint64_t{1} << (i % 64);
        any_written = any_written || (word & bit) != 0;
        word |= bit;
    }
    // The padding of a struct is never written, and is read when the whole is copied.
    if (shape.reads && !any_written) report_uninitialised_local(lane, *array, first, pc);
    if (array->in_registers) return;
    log_access(lane, interleaved(lane, address), shape.bytes, op_of(shape.kind), trace::Space::local,
               shape.scalar, pc);
}

// Not in the arena: the thread's own stack, parameters, constants, __device__ variables; or it is a fault.
__attribute__((noinline)) void check_elsewhere(Lane& lane, const void* address, const Shape& shape,
                                               const void* pc) {
    if (lane.stack.contains(address)) return check_local(lane, address, shape, pc);
    const LaunchRun& launch = *lane.block->launch;
    const auto* p = static_cast<const char*>(address);
    const auto* arguments = static_cast<const char*>(launch.arguments);
    if (p >= arguments && p < arguments + launch.call.bytes) return;
    if (!shape.writes && program.is_constant(address)) return;
    if (const Allocation* symbol = symbol_at(address)) return check_symbol(lane, *symbol, address, shape, pc);
    if (is_machine_memory(address)) return;
    if (const Allocation* host = memory::registered_at(address))
        return check_registered(lane, *host, address, shape, pc);
    if (arena.is_in_front(address) && lane.block->slot == 0)
        report_shared_bounds(lane, address, shape.bytes, shape.writes, pc);
    else
        report_foreign(lane, address, shape.bytes, shape.writes, pc);
    abandon(lane);
}

void check_host(const void* address, size_t bytes, bool writes, bool orders, const void* pc) {
    if (arena.base == nullptr) return;
    const bool inside = arena.contains(address);
    if (inside && arena.offset_of(address) < Arena::managed_begin)
        return report_host_access(address, static_cast<unsigned>(bytes), writes, pc);
    if (pages::any && bytes != 0) pages::touch_by_host(address, bytes, writes, pc);
    if (!queue::host_must_be_watched) return;
    if (inside || (stream_race::anything_is_registered && stream_race::is_registered(address)))
        stream_race::check_host(address, bytes, writes, orders, pc);
}

// A thread that looks at the same flag again and again gives its slice back.
SIMT_HOT void note_poll(Lane& lane, const void* address, const Shape& shape, const void* pc) {
    if (!is_ordering(shape)) {
        lane.polled = nullptr;
        return;
    }
    if (lane.polled != address || shape.kind == AccessKind::volatile_store) {
        lane.polls = 0;
        lane.polling = false;
    }
    lane.polled = address;
    lane.polled_pc = pc;
    if (++lane.polls >= polls_before_yield) step_aside(lane);
}

SIMT_HOT void check(const void* address, const Shape& shape, const void* pc) {
    Lane* lane = current_lane;
    if (lane == nullptr) {
        note_host_pc(pc);
        return check_host(address, shape.bytes, shape.writes, is_ordering(shape), pc);
    }
    lane->last_pc = pc;
    // Before anything is checked: others run meanwhile, and what holds now must hold when the access happens.
    if (lane->access_log.used >= LogEntry::window) wait_for_window(*lane);
    if (lane->slice == 1) spend_slice(*lane);
    note_poll(*lane, address, shape, pc);
    if (shape.writes && shape.kind != AccessKind::atomic) ++lane->writes;
    // A checked access takes as long as about eight basic blocks: the step budget counts it so.
    if (lane->slice > access_steps) lane->slice -= access_steps;
    const size_t offset = arena.offset_of(address);
    if (offset >= Arena::size) return check_elsewhere(*lane, address, shape, pc);
    if ((reinterpret_cast<uintptr_t>(address) & (shape.bytes - 1)) != 0) {
        report_misaligned(*lane, address, shape.bytes, shape.writes, pc);
        abandon(*lane);
    }
    if (offset < Arena::shared_end) return check_shared(*lane, offset, address, shape, pc);
    pages::touch_by_device(*lane, offset, address, shape.writes, pc);
    check_global(*lane, offset, address, shape, pc);
}

}  // namespace

// One function for each of the accesses that programs are full of, with everything inlined that they need.
template <unsigned bytes, AccessKind kind>
void check_fixed(const void* address, const void* pc) {
    constexpr bool writes = is_write(kind);
    check(address, {bytes, kind, 0, !writes, writes}, pc);
}
template void check_fixed<4, AccessKind::load>(const void*, const void*);
template void check_fixed<4, AccessKind::store>(const void*, const void*);
template void check_fixed<8, AccessKind::load>(const void*, const void*);
template void check_fixed<8, AccessKind::store>(const void*, const void*);

void check_access(const void* address, unsigned bytes, AccessKind kind, const void* pc) {
    const bool writes = is_write(kind);
    check(address, {bytes, kind, 0, !writes, writes}, pc);
}

void check_atomic(const void* address, unsigned bytes, int operation, int scope, bool reads, bool writes,
                  const void* pc) {
    check(address, {bytes, AccessKind::atomic, operation, reads, writes, scope}, pc);
}

void note_changed(Lane& lane, const void* address) {
    AccessLog& log = lane.block->logs[lane.warp].accesses;
    const uint32_t next = lane.access_log.next;
    if (next == 0 || next > log.size()) return;
    LogEntry& entry = log.begin()[next - 1];
    // What lies in the program's own memory is not in the log.
    if (entry.address[lane.lane] == reinterpret_cast<uint64_t>(address)) entry.changed |= 1u << lane.lane;
}

void begin_texture_access(Lane& lane, const void* pc) {
    lane.last_pc = pc;
    if (lane.access_log.used >= LogEntry::window) wait_for_window(lane);
    if (lane.slice == 1) spend_slice(lane);
    lane.polled = nullptr;
    if (lane.slice > access_steps) lane.slice -= access_steps;
}

namespace {

// The texture cache need not see what its own launch has written, though a barrier or the thread itself orders the
// two. What nothing orders is a race like any.
bool is_stale(const Lane& lane, uint64_t write) {
    return (write & epoch::valid_flag) != 0 && epoch::generation(write) == epoch::generation(lane.epoch) &&
           (unordered(write, lane.epoch) == RaceScope::none || knows(lane, write));
}

// `address`: of the element that `first` is the first word of.
void report_if_stale(const Lane& lane, const Cell* first, const void* address, unsigned bytes,
                     const void* pc) {
    const auto report = [&](const Cell& cell, size_t offset) {
        if (!is_stale(lane, cell.write)) return false;
        report_incoherent(lane, static_cast<const char*>(address) + offset, cell.write, cell.write_site, pc);
        return true;
    };
    const unsigned in_word = reinterpret_cast<uintptr_t>(address) % 4;
    for (unsigned i = 0; i < (bytes + 3) / 4; ++i) {
        const Cell& cell = first[i];
        if ((cell.write & epoch::split_flag) == 0) {
            if (report(cell, size_t{4} * i)) return;
            continue;
        }
        if (!is_split(cell)) continue;
        for (unsigned b = in_word; b < std::min(in_word + bytes, 4u); ++b)
            if (report(byte_cells[cell.read][b], size_t{4} * i + b - in_word)) return;
    }
}

}  // namespace

void check_texel(Lane& lane, const Allocation& memory, const void* address, unsigned bytes, bool writes,
                 const void* pc) {
    if (writes) ++lane.writes;
    if (stream_race::kernel_is_watched) stream_race::check(lane, address, bytes, writes, false, pc);
    const size_t offset = arena.offset_of(address);
    const bool in_arena = offset < Arena::size;
    if (!in_arena && memory.space == BufferSpace::constant) return;
    if (in_arena && !writes && !arena.is_initialised(offset, bytes)) {
        report_uninitialised(lane, address, bytes, trace::Space::global, &memory, pc);
        arena.set_initialised(offset, bytes);
    }
    Cell* first = in_arena ? cells + offset / 4 : symbol_cell(address);
    if (!writes) report_if_stale(lane, first, address, bytes, pc);
    race(first, lane, lane.epoch, address, bytes, writes, pc);
    if (in_arena && writes) arena.set_initialised(offset, bytes);
}

void log_texture(Lane& lane, const void* address, unsigned bytes, bool writes, const void* pc) {
    log_access(lane, address, bytes, writes ? trace::Op::store : trace::Op::load, trace::Space::texture, 0,
               pc);
}

void log_fetch(Lane& lane, uint64_t handle, trace::TexturePlace at, unsigned bytes, const void* pc) {
    LogEntry& entry = log_access(lane, nullptr, bytes, trace::Op::load, trace::Space::texture, 0, pc);
    entry.texture = static_cast<uint32_t>(handle);
    entry.address[lane.lane] = trace::TexturePlace::packed(at);
}

void check_range(const void* address, size_t bytes, AccessKind kind, const void* pc) {
    auto p = reinterpret_cast<uintptr_t>(address);
    // A struct whose alignment is 4 moves in pieces of 4, one of 16 in pieces of 16.
    while (bytes != 0) {
        unsigned piece = 16;
        while (piece > 1 && (p % piece != 0 || piece > bytes)) piece /= 2;
        check(reinterpret_cast<const void*>(p), {piece, kind, 0, !is_write(kind), is_write(kind), 0, true},
              pc);
        p += piece;
        bytes -= piece;
    }
}

void check_host_range(const void* address, size_t bytes, bool writes, const void* pc) {
    note_host_pc(pc);
    if (bytes != 0) check_host(address, bytes, writes, false, pc);
}

void begin_local(Lane& lane, const LocalArray& array, bool set) {
    const auto depth = static_cast<uint32_t>(lane.frames.size());
    // One that is part of another comes after it, or the other way round: what was declared last is looked at first.
    const auto same = std::find_if(lane.locals.rbegin(), lane.locals.rend(), [&](const LocalArray& known) {
        return known.base == array.base && known.bytes == array.bytes;
    });
    if (same == lane.locals.rend())
        lane.locals.push_back(array);
    else
        std::rotate(lane.locals.rbegin(), same, same + 1);
    LocalArray* mine = &lane.locals.back();
    mine->name = array.name;
    mine->where = array.where;
    mine->depth = depth;
    mine->in_registers = array.in_registers;
    mine->written.assign((array.bytes + 63) / 64, set ? ~uint64_t{0} : 0);
}

void clear_shared(unsigned slot, size_t offset, size_t bytes) {
    const size_t begin = size_t{slot} * Arena::slot_bytes + offset;
    std::memset(arena.view + begin, 0xCB, bytes);
    arena.set_initialised_range(begin, bytes, false);
    // Whatever block had the slot before has nothing to do with this one.
    std::fill_n(cells + begin / 4, (bytes + 3) / 4, Cell{});
}

const Cell* cell_of(const void* address) {
    if (cells == nullptr) return nullptr;
    if (arena.contains(address)) return cells + arena.offset_of(address) / 4;
    const size_t word = (reinterpret_cast<uintptr_t>(address) - program.writable) / 4;
    return word < global_cells.size() ? &global_cells[word] : nullptr;
}

const Cell* byte_cell(const Cell& cell, unsigned byte) {
    return is_split(cell) ? &byte_cells[cell.read][byte] : nullptr;
}

uint32_t start_generation() {
    // What earlier kernels did with bytes matters where a later one may run beside them.
    if (!queue::host_must_be_watched || byte_cells.size() > most_byte_cells) {
        byte_cells.clear();
        ++byte_cells_serial;
    }
    reader_sets.clear();
    return next_generation();
}

uint32_t next_generation() {
    if (cells == nullptr) map_cells();
    if (++generation <= epoch::generation_mask) return generation;
    generation = 1;
    stream_race::forget_kernels();
    forget_cells(0, Arena::shared_end);
    forget_cells(Arena::shared_end, arena.global_top);
    forget_cells(Arena::managed_begin, arena.managed_top);
    std::fill(global_cells.begin(), global_cells.end(), Cell{});
    return generation;
}

}  // namespace simt
