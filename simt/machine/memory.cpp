// Device memory: allocation with gaps between neighbours, quarantine of freed memory, marks of what was
// written.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "simt/checker/pages.h"
#include "simt/checker/stream_race.h"
#include "simt/host/lock.h"
#include "simt/machine/arena.h"
#include "simt/machine/devices.h"
#include "simt/machine/session_state.h"

namespace simt {

Arena arena;

namespace {

struct SourceNotes {
    std::map<int, const char*> allocations;
    std::map<int, int> barriers;
};

// Built on first use: programs register their notes from static constructors, in any order with ours.
std::map<std::string, SourceNotes>& notes() {
    // Never destroyed, like all tables of the machine: an exit handler still reads them.
    static auto& all = *new std::map<std::string, SourceNotes>;
    return all;
}
std::vector<Allocation>& symbols() {
    static auto& all = *new std::vector<Allocation>;
    return all;
}

void* reserve(size_t bytes) {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        std::fprintf(stderr, "simt: cannot reserve %zu GiB of addresses for the simulated memory: %s\n",
                     bytes >> 30, std::strerror(errno));
        std::abort();
    }
    return p;
}

int open_count = 0;
size_t used_bytes[devices::most] = {};

size_t round_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

void protect(int protection) {
    const size_t bytes = arena.global_top - Arena::shared_end;
    if (bytes != 0) mprotect(arena.base + Arena::shared_end, bytes, protection);
}

// Room after an allocation. Strides that run past one buffer by its own size still land in a gap.
size_t gap_after(size_t bytes) {
    return round_up(std::clamp<size_t>(bytes, 4096, size_t{16} << 20), Arena::granule);
}

// Freed stretches of addresses, by offset, neighbours joined. They are taken only when no fresh addresses are
// left, so that a use of freed memory is known as one for as long as may be.
std::map<size_t, size_t>& quarantine() {
    static auto& all = *new std::map<size_t, size_t>;
    return all;
}

void put_in_quarantine(size_t offset, size_t bytes) {
    auto& all = quarantine();
    auto next = all.lower_bound(offset);
    if (next != all.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == offset) {
            offset = before->first;
            bytes += before->second;
            all.erase(before);
        }
    }
    if (next != all.end() && offset + bytes == next->first) {
        bytes += next->second;
        all.erase(next);
    }
    all.emplace(offset, bytes);
}

constexpr size_t no_room = static_cast<size_t>(-1);

// `bytes` of [begin, end) that were freed; no_room: there are no such.
size_t take_from_quarantine(size_t bytes, size_t begin, size_t end) {
    auto& all = quarantine();
    for (auto i = all.lower_bound(begin); i != all.end() && i->first < end; ++i) {
        const auto [offset, length] = *i;
        if (length < bytes) continue;
        all.erase(i);
        if (length > bytes) all.emplace(offset + bytes, length - bytes);
        std::fill_n(arena.owners + offset / Arena::granule, bytes / Arena::granule, 0);
        arena.set_initialised_range(offset, bytes, false);
        return offset;
    }
    return no_room;
}

}  // namespace

void Arena::set_initialised_range(size_t offset, size_t bytes, bool value) {
    while (bytes != 0 && offset % 8 != 0) {
        const auto bit = static_cast<uint8_t>(1u << (offset % 8));
        initialised[offset / 8] =
            static_cast<uint8_t>(value ? initialised[offset / 8] | bit : initialised[offset / 8] & ~bit);
        ++offset, --bytes;
    }
    std::memset(initialised + offset / 8, value ? 0xff : 0, bytes / 8);
    const size_t rest = bytes % 8;
    if (rest == 0) return;
    const auto mask = static_cast<uint8_t>((1u << rest) - 1);
    uint8_t& last = initialised[(offset + bytes) / 8];
    last = static_cast<uint8_t>(value ? last | mask : last & ~mask);
}

void map_arena() {
    if (arena.base != nullptr) return;
    arena.base = static_cast<char*>(reserve(Arena::slot_bytes + Arena::size)) + Arena::slot_bytes;
    // An old size of 0 duplicates a shared mapping: the same pages at a second address.
    void* view = mremap(arena.base, 0, Arena::size, MREMAP_MAYMOVE);
    if (view == MAP_FAILED) {
        std::fprintf(stderr, "simt: cannot map the simulated memory twice: %s\n", std::strerror(errno));
        std::abort();
    }
    arena.view = static_cast<char*>(view);
    arena.owners = static_cast<uint32_t*>(reserve(Arena::size / Arena::granule * sizeof(uint32_t)));
    arena.initialised = static_cast<uint8_t*>(reserve(Arena::size / 8));
    devices::count();
    mprotect(arena.base + Arena::shared_end, Arena::managed_begin - Arena::shared_end, PROT_NONE);
}

void open_device_memory() {
    if (open_count++ == 0) protect(PROT_READ | PROT_WRITE);
}

void close_device_memory() {
    if (--open_count == 0) protect(PROT_NONE);
}

std::deque<Allocation>& allocation_table() {
    static auto& table = *new std::deque<Allocation>;
    return table;
}
const std::vector<Allocation>& symbol_table() {
    return symbols();
}

const Allocation* symbol_at(const void* p) {
    for (const Allocation& s : symbols())
        if (p >= s.base && p < s.base + s.bytes) return &s;
    return nullptr;
}

const char* allocation_note(const char* file, int line) {
    const auto source = notes().find(file);
    if (source == notes().end()) return nullptr;
    const auto note = source->second.allocations.find(line);
    return note == source->second.allocations.end() ? nullptr : note->second;
}

int barrier_condition(const char* file, int line) {
    const auto source = notes().find(file);
    if (source == notes().end()) return 0;
    const auto note = source->second.barriers.find(line);
    return note == source->second.barriers.end() ? 0 : note->second;
}

namespace {

// nvcc's assembler refuses the file ("File uses too much global constant data").
void count_constant(const char* file, const SymbolNote& note) {
    static auto& bytes_of_units = *new std::map<const void*, size_t>;
    const size_t most = device_profile().constant_bytes;
    size_t& bytes = bytes_of_units[note.unit];
    const bool had_room = bytes <= most;
    bytes += note.bytes;
    if (bytes <= most || !had_room) return;
    report_finding(
        {.kind = "oob-constant",
         .message = fmt::format("{} brings the __constant__ variables of this file to {} bytes, but "
                                "constant memory has {}: nvcc would not compile it (File uses too "
                                "much global constant data)",
                                note.name, bytes, most),
         .fix = "Make the variable smaller, or keep it in global memory: __device__ instead of "
                "__constant__, or a buffer from cudaMalloc.",
         .where = {file, note.line},
         .buffer = note.name});
}

}  // namespace

bool register_source(const char* file, std::initializer_list<AllocationNote> allocations,
                     std::initializer_list<BarrierNote> barriers,
                     std::initializer_list<SymbolNote> program_symbols) {
    SourceNotes& source = notes()[file];
    for (const AllocationNote& note : allocations) source.allocations.emplace(note.line, note.name);
    for (const BarrierNote& note : barriers) source.barriers.emplace(note.line, note.condition_line);
    for (const SymbolNote& note : program_symbols) {
        Allocation symbol;
        symbol.base = static_cast<char*>(const_cast<void*>(note.address));
        symbol.bytes = note.bytes;
        symbol.element_bytes = note.element_bytes;
        symbol.name = note.name;
        symbol.space = note.space == SymbolSpace::constant  ? BufferSpace::constant
                       : note.space == SymbolSpace::managed ? BufferSpace::managed
                                                            : BufferSpace::symbol;
        symbol.allocated = {file, note.line};
        symbol.id = 1'000'000 + symbols().size();
        symbols().push_back(symbol);
        if (symbol.space == BufferSpace::managed) {
            stream_race::add_registered(symbol.base, symbol.bytes);
            pages::add(symbol);
        }
        report_buffer(symbol);
        if (symbol.space == BufferSpace::constant) count_constant(file, note);
    }
    return true;
}

namespace {

std::map<const char*, Allocation>& registered() {
    static auto& all = *new std::map<const char*, Allocation>;
    return all;
}

}  // namespace

namespace memory {

bool register_host(void* pointer, size_t bytes, Where where, const std::string& name, size_t element_bytes) {
    const ApiLock lock;
    auto* begin = static_cast<char*>(pointer);
    const auto next = registered().lower_bound(begin + bytes);
    if (next != registered().begin()) {
        const Allocation& last = std::prev(next)->second;
        if (last.base + last.bytes > begin) return false;
    }
    Allocation a;
    a.id = 2'000'000 + registered().size();
    a.base = begin;
    a.bytes = bytes;
    a.element_bytes = element_bytes;
    const char* note = allocation_note(where.file, where.line);
    a.name = !name.empty()     ? name
             : note != nullptr ? note
                               : fmt::format("registered memory of line {}", where.line);
    a.space = BufferSpace::pinned;
    a.allocated = where;
    a.device = devices::current();
    registered().emplace(begin, a);
    report_buffer(a);
    stream_race::add_registered(pointer, bytes);
    return true;
}

bool unregister_host(void* pointer) {
    const ApiLock lock;
    if (registered().erase(static_cast<char*>(pointer)) == 0) return false;
    stream_race::remove_registered(pointer);
    return true;
}

const Allocation* registered_at(const void* pointer) {
    const ApiLock lock;
    const auto* p = static_cast<const char*>(pointer);
    const auto next = registered().upper_bound(p);
    if (next == registered().begin()) return nullptr;
    const Allocation& a = std::prev(next)->second;
    return p < a.base + a.bytes ? &a : nullptr;
}

namespace {

bool has_budget(BufferSpace space) {
    return space == BufferSpace::global || space == BufferSpace::array;
}

size_t& used_by(int device) {
    return used_bytes[static_cast<size_t>(device)];
}

}  // namespace

void* allocate(size_t bytes, size_t element_bytes, BufferSpace space, const std::string& name, Where where,
               int device) {
    const ApiLock lock;
    map_arena();
    if (device < 0) device = devices::current();
    const bool host_too = space == BufferSpace::managed || space == BufferSpace::pinned;
    if (has_budget(space) && bytes > bytes_total() - std::min(bytes_total(), used_by(device))) return nullptr;
    size_t& top = host_too ? arena.managed_top : arena.global_top;
    const size_t end = host_too ? Arena::size : Arena::managed_begin;
    // Managed memory shares its pages with nothing else.
    const size_t alignment = space == BufferSpace::managed ? pages::page_bytes : Arena::granule;
    const size_t room = round_up(std::max<size_t>(bytes, 1), alignment);
    // The gap in front: a negative index must not find a neighbour.
    const size_t with_gaps = alignment + room + gap_after(bytes) + (alignment - Arena::granule);
    size_t start = top;
    if (with_gaps > end - top) {
        const size_t begin = host_too ? Arena::managed_begin : Arena::shared_end;
        start = take_from_quarantine(with_gaps, begin, end);
        if (start == no_room) return nullptr;
    } else {
        top += with_gaps;
    }
    const size_t offset = round_up(start + Arena::granule, alignment);
    if (!host_too && open_count != 0) protect(PROT_READ | PROT_WRITE);

    Allocation a;
    a.id = allocation_table().size() + 1;
    a.base = arena.base + offset;
    a.bytes = bytes;
    a.element_bytes = std::max<size_t>(element_bytes, 1);
    a.space = space;
    a.allocated = where;
    a.device = device;
    const char* note = name.empty() ? allocation_note(where.file, where.line) : nullptr;
    a.name = !name.empty() ? name : note != nullptr ? note : fmt::format("device buffer {}", a.id);
    allocation_table().push_back(a);
    const auto owner = static_cast<uint32_t>(allocation_table().size());
    std::fill_n(arena.owners + offset / Arena::granule, room / Arena::granule, owner);
    if (host_too) arena.set_initialised_range(offset, bytes, true);  // the host may have written it
    // Poison: a value that no program expects. Small buffers only; large ones stay untouched pages of
    // zeros, and the marks tell all the same.
    if (space != BufferSpace::managed)
        std::memset(arena.view + offset, 0xCB, std::min<size_t>(bytes, size_t{16} << 20));
    if (space == BufferSpace::managed) pages::add(a);
    if (space == BufferSpace::pinned) pages::add_pinned(a);
    if (has_budget(space)) {
        used_by(device) += bytes;
        pages::give_way(device);
    }
    report_buffer(a);
    return a.base;
}

namespace {
Allocation& allocation_at(void* pointer) {
    return const_cast<Allocation&>(*find(pointer));
}
}  // namespace

void* reserve_for_graph(size_t bytes, size_t element_bytes, Where where) {
    const ApiLock lock;
    void* pointer = allocate(bytes, element_bytes, BufferSpace::global, "", where);
    if (pointer == nullptr) return nullptr;
    Allocation& a = allocation_at(pointer);
    a.is_of_graph = true;
    a.live = false;
    used_by(a.device) -= bytes;
    return pointer;
}

void take_for_graph(void* pointer) {
    const ApiLock lock;
    Allocation& a = allocation_at(pointer);
    if (!a.live) used_by(a.device) += a.bytes;
    a.live = true;
    a.freed = {};
    arena.set_initialised_range(arena.offset_of(a.base), a.bytes, false);
}

size_t bytes_of_graphs() {
    const ApiLock lock;
    size_t bytes = 0;
    for (const Allocation& a : allocation_table()) bytes += a.is_of_graph && a.live ? a.bytes : 0;
    return bytes;
}

void promise(void* pointer, bool is_promised) {
    const ApiLock lock;
    allocation_at(pointer).is_promised = is_promised;
}

void set_pool_access(void* base, const uint32_t* access) {
    const ApiLock lock;
    const_cast<Allocation&>(*find(base)).pool_access = access;
}

void set_extents(void* base, std::initializer_list<size_t> outermost_first) {
    const ApiLock lock;
    auto& a = const_cast<Allocation&>(*find(base));
    a.rank = outermost_first.size();
    std::copy(outermost_first.begin(), outermost_first.end(), a.extents);
}

const Allocation* find(const void* pointer) {
    const ApiLock lock;
    if (!is_device_address(pointer)) {
        const Allocation* symbol = symbol_at(pointer);
        return symbol != nullptr ? symbol : registered_at(pointer);
    }
    const uint32_t owner = arena.owners[arena.offset_of(pointer) / Arena::granule];
    if (owner == 0) return nullptr;
    const Allocation& a = allocation_table()[owner - 1];
    return pointer >= a.base && pointer < a.base + std::max<size_t>(a.bytes, 1) ? &a : nullptr;
}

Released release(void* pointer, Where where) {
    const ApiLock lock;
    const Allocation* found = find(pointer);
    if (found == nullptr || found->space == BufferSpace::symbol || found->space == BufferSpace::constant) {
        report_finding(
            {.kind = "invalid-free",
             .message = fmt::format("line {} frees an address that cudaMalloc never returned", where.line),
             .fix = "Pass the pointer exactly as the allocation call set it.",
             .where = where});
        return Released::not_an_allocation;
    }
    if (found->space == BufferSpace::managed && !arena.contains(found->base)) {
        report_finding(
            {.kind = "invalid-free",
             .message = fmt::format("line {} frees the __managed__ variable {}, which no call allocated",
                                    where.line, found->name),
             .fix = "A __managed__ variable lives as long as the program: free nothing here.",
             .where = where,
             .buffer = found->name});
        return Released::not_an_allocation;
    }
    auto& a = const_cast<Allocation&>(*found);
    if (pointer != a.base) {
        report_finding({.kind = "invalid-free",
                        .message = fmt::format("line {} frees {} bytes into {}, not its start", where.line,
                                               static_cast<char*>(pointer) - a.base, a.name),
                        .fix = fmt::format("Free the pointer that the allocation on line {} returned.",
                                           a.allocated.line),
                        .where = where,
                        .buffer = a.name});
        return Released::inside_an_allocation;
    }
    if (!a.live) {
        report_finding({.kind = "double-free",
                        .message = fmt::format("line {} frees {} a second time; line {} freed it already",
                                               where.line, a.name, a.freed.line),
                        .fix = "Free each buffer once, or set its pointer to nullptr after the first time.",
                        .where = where,
                        .buffer = a.name,
                        .has_other = true,
                        .other_action = "freed",
                        .other = a.freed});
        return Released::already_freed;
    }
    a.live = false;
    a.freed = where;
    if (a.space == BufferSpace::managed) pages::remove(a);
    if (has_budget(a.space)) used_by(a.device) -= a.bytes;
    // The addresses stay in quarantine; their pages go back at once.
    const size_t offset = arena.offset_of(a.base);
    const size_t first = round_up(offset, 4096), last = (offset + a.bytes) / 4096 * 4096;
    if (last > first) madvise(arena.view + first, last - first, MADV_REMOVE);
    if (a.is_of_graph) return Released::ok;  // which takes it again
    const size_t room = round_up(std::max<size_t>(a.bytes, 1), Arena::granule);
    put_in_quarantine(offset - Arena::granule, Arena::granule + room + gap_after(a.bytes));
    return Released::ok;
}

bool is_device_address(const void* pointer) {
    return arena.base != nullptr && arena.contains(pointer);
}

char* host_view(const void* device) {
    if (!is_device_address(device)) return static_cast<char*>(const_cast<void*>(device));
    return arena.view + arena.offset_of(device);
}

void mark_initialised(const void* device, size_t bytes) {
    if (is_device_address(device)) arena.set_initialised_range(arena.offset_of(device), bytes, true);
}

std::vector<ByteRange> uninitialised(const void* device, size_t bytes) {
    std::vector<ByteRange> ranges;
    if (!is_device_address(device) || !arena.marks_are_kept) return ranges;
    const size_t begin = arena.offset_of(device);
    for (size_t i = 0; i < bytes;) {
        if ((begin + i) % 8 == 0 && i + 8 <= bytes && arena.initialised[(begin + i) / 8] == 0xff) {
            i += 8;
            continue;
        }
        if (!arena.is_initialised(begin + i, 1)) {
            if (!ranges.empty() && ranges.back().last + 1 == i) {
                ranges.back().last = i;
            } else {
                ranges.push_back({i, i});
            }
        }
        ++i;
    }
    return ranges;
}

void copy_marks(const void* to, const void* from, size_t bytes) {
    if (!is_device_address(to)) return;
    if (!is_device_address(from)) return mark_initialised(to, bytes);
    const size_t destination = arena.offset_of(to), source = arena.offset_of(from);
    size_t moved = 0;
    if (destination % 8 == 0 && source % 8 == 0) {
        moved = bytes / 8 * 8;
        std::memmove(arena.initialised + destination / 8, arena.initialised + source / 8, moved / 8);
    }
    for (size_t i = moved; i < bytes; ++i)
        arena.set_initialised_range(destination + i, 1, arena.is_initialised(source + i, 1));
}

size_t bytes_in_use(int device) {
    return used_by(device < 0 ? devices::current() : device);
}
size_t bytes_total() {
    const uint64_t budget = session().memory_budget;
    const size_t profile = device_profile().global_bytes;
    return budget != 0 ? std::min<size_t>(budget, profile) : profile;
}

}  // namespace memory
}  // namespace simt
