#include "simt/checker/pages.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "simt/checker/findings.h"
#include "simt/checker/page_log.h"
#include "simt/host/lock.h"
#include "simt/host/timeline.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/program.h"

namespace simt::pages {

bool any = false;
uint8_t access_of[devices::most][arena_pages];

namespace {

constexpr uint8_t device_all = device_reads | device_writes, host_all = host_reads | host_writes;

struct Page {
    bool on_host = false;
    devices::Set on_devices = 0;  // with on_host, or several of them: a copy each
    devices::Set mapped_by = 0;   // reach it where it is, after a fault
    devices::Set accessed_by_devices = 0;
    bool read_mostly = false, accessed_by_host = false;
    int prefers = nowhere, last_prefetch = nowhere;

    bool is_on(int device) const { return devices::has(on_devices, device); }
    bool is_new() const { return !on_host && on_devices == 0; }
    bool has_copies() const { return std::popcount(on_devices) + (on_host ? 1 : 0) > 1; }
    // Who may touch it without a fault: this device, and the host.
    uint8_t access(int device) const {
        if (is_new()) return 0;
        if (has_copies())
            return static_cast<uint8_t>((on_host ? host_reads : 0) | (is_on(device) ? device_reads : 0));
        const bool reaches = is_on(device) || devices::has(mapped_by | accessed_by_devices, device);
        return static_cast<uint8_t>((on_host ? host_all : 0) | (reaches ? device_all : 0));
    }
};

struct Region {
    char* base;
    size_t bytes;
    std::string name;
    std::vector<Page> pages;
    bool in_arena;
    uint32_t id = 0;  // counts all regions that there were

    bool contains(const void* p) const { return p >= base && p < base + bytes; }
    size_t index_of(const void* p) const {
        return static_cast<size_t>(static_cast<const char*>(p) - base) / page_bytes;
    }
    size_t bytes_of(size_t page) const { return std::min(page_bytes, bytes - page * page_bytes); }
};

struct Moved {
    uint64_t faults = 0, to_device = 0, to_host = 0;
};

// Under which line, and on which side. A buffer's name stands beside it.
struct Line {
    std::string file;
    int line;
    bool by_device;
    std::string buffer;
    auto operator<=>(const Line&) const = default;
};

struct State {
    std::map<const char*, Region> regions;  // by base
    std::map<Line, Moved> lines;
    // Of each device: region and page, in the order in which they came there.
    struct Residents {
        std::deque<std::pair<char*, size_t>> pages;
        uint64_t bytes = 0;
    };
    std::array<Residents, devices::most> resident;
    uint64_t device_faults = 0, host_faults = 0, to_device = 0, to_host = 0, prefetched = 0, evicted = 0;
    uint64_t remote_pages = 0;
    uint32_t next_id = 0;
    bool used = false;
};

State& state() {
    static State& s = *new State;
    return s;
}

Region* region_at(const void* address) {
    auto& regions = state().regions;
    const auto next = regions.upper_bound(static_cast<const char*>(address));
    if (next == regions.begin()) return nullptr;
    Region& region = std::prev(next)->second;
    return region.contains(address) ? &region : nullptr;
}

// What follows from where the page is.
void settle(Region& region, size_t index) {
    if (!region.in_arena) return;
    const size_t first = (arena.offset_of(region.base) - Arena::managed_begin) / page_bytes;
    const Page& page = region.pages[index];
    for (int d = 0; d < devices::count(); ++d) access_of[d][first + index] = page.access(d);
}

// What a page has come to, and by which line.
struct Cause {
    Change change;
    std::string file;
    int line = 0;
    bool is_fault = false, writes = false;
};

void settle(Region& region, size_t index, const Cause& cause) {
    settle(region, index);
    const Page& page = region.pages[index];
    log::add({region.id, static_cast<uint32_t>(index), cause.change, cause.is_fault, cause.writes,
              page.on_host, page.on_devices, cause.file, cause.line});
}

void note_moved(Moved& moved, size_t bytes, bool to_device) {
    State& s = state();
    (to_device ? moved.to_device : moved.to_host) += bytes;
    (to_device ? s.to_device : s.to_host) += bytes;
}

State::Residents& residents_of(int device) {
    return state().resident[static_cast<size_t>(device)];
}

void leave_device(Region& region, size_t index, int device) {
    State::Residents& resident = residents_of(device);
    region.pages[index].on_devices &= ~devices::only(device);
    const auto at = std::find(resident.pages.begin(), resident.pages.end(), std::pair(region.base, index));
    if (at == resident.pages.end()) return;
    resident.pages.erase(at);
    resident.bytes -= region.bytes_of(index);
}

// All but `but`; -1: all.
void leave_devices(Region& region, size_t index, int but = -1) {
    for (int d = 0; d < devices::count(); ++d)
        if (d != but && region.pages[index].is_on(d)) leave_device(region, index, d);
}

// Makes room for a page, at the cost of the one that came first.
size_t make_room(int device, size_t bytes) {
    State& s = state();
    State::Residents& resident = residents_of(device);
    size_t evicted = 0;
    const size_t total = memory::bytes_total(), used = memory::bytes_in_use(device);
    while (!resident.pages.empty() && resident.bytes + bytes + used > total) {
        const auto [base, index] = resident.pages.front();
        Region& region = s.regions.at(base);
        Page& page = region.pages[index];
        leave_device(region, index, device);
        if (page.is_new()) {
            evicted += region.bytes_of(index);
            page.on_host = true;
        }
        page.mapped_by = 0;
        settle(region, index, {Change::evicted, "", 0});
    }
    s.evicted += evicted;
    s.to_host += evicted;
    return evicted;
}

void come_to_device(Region& region, size_t index, int device, Moved& moved) {
    moved.to_host += make_room(device, region.bytes_of(index));
    State::Residents& resident = residents_of(device);
    region.pages[index].on_devices |= devices::only(device);
    resident.pages.emplace_back(region.base, index);
    resident.bytes += region.bytes_of(index);
}

Moved& line_of(const Site& site, bool by_device, const Region& region) {
    return state().lines[{site.file, site.line, by_device, region.name}];
}

// Does a page stay where it is, or begin with the host, when this device touches it?
bool stays(const Page& page, int device) {
    if (page.prefers == host && page.on_devices == 0) return true;
    const bool is_preferred = page.prefers >= 0 && page.prefers != device && page.is_on(page.prefers);
    return is_preferred || devices::has(page.accessed_by_devices, device);
}

// Bytes that moved for it.
size_t serve_device(Region& region, size_t index, int device, bool writes, const Site& site) {
    State& s = state();
    Page& page = region.pages[index];
    Moved& moved = line_of(site, true, region);
    ++moved.faults;
    ++s.device_faults;
    const bool is_new = page.is_new();
    Cause cause{Change::moved, site.file, site.line, true, writes};
    if (page.is_on(device)) {  // a copy, and now it is written to
        page.on_host = false;
        leave_devices(region, index, device);
        cause.change = Change::dropped;
        settle(region, index, cause);
        return 0;
    }
    if (stays(page, device) && !(page.has_copies() && writes)) {
        if (is_new) page.on_host = true;
        page.mapped_by |= devices::only(device);
        ++s.remote_pages;
        cause.change = Change::mapped;
        settle(region, index, cause);
        return 0;
    }
    come_to_device(region, index, device, moved);
    const size_t bytes = is_new ? 0 : region.bytes_of(index);
    if (bytes != 0) note_moved(moved, bytes, true);
    const bool keeps_copies = page.read_mostly && !writes;
    page.on_host = page.on_host && keeps_copies;
    if (!keeps_copies) leave_devices(region, index, device);
    page.mapped_by = 0;
    if (is_new || page.has_copies()) cause.change = is_new ? Change::made : Change::copied;
    settle(region, index, cause);
    return bytes;
}

size_t serve_host(Region& region, size_t index, bool writes, const Site& site) {
    State& s = state();
    Page& page = region.pages[index];
    Moved& moved = line_of(site, false, region);
    Cause cause{page.is_new()  ? Change::made
                : page.on_host ? Change::dropped
                               : Change::moved,
                site.file, site.line, true, writes};
    ++moved.faults;
    ++s.host_faults;
    size_t bytes = 0;
    if (page.on_devices != 0 && !page.on_host) {
        bytes = region.bytes_of(index);
        note_moved(moved, bytes, false);
    }
    page.on_host = true;
    const bool keeps_copies = page.read_mostly && !writes;
    if (!keeps_copies) leave_devices(region, index);
    page.mapped_by = 0;
    if (page.has_copies()) cause.change = Change::copied;
    settle(region, index, cause);
    return bytes;
}

template <class F>
void each_page(const void* address, size_t bytes, F f) {
    Region* region = region_at(address);
    if (region == nullptr || bytes == 0) return;
    const auto* last = static_cast<const char*>(address) + bytes - 1;
    const size_t end = std::min(region->index_of(last) + 1, region->pages.size());
    for (size_t i = region->index_of(address); i < end; ++i) f(*region, i);
}

}  // namespace

void add(const Allocation& memory) {
    const ApiLock lock;
    any = true;
    Region region{memory.base, memory.bytes, memory.name, {}, arena.contains(memory.base)};
    region.pages.resize((memory.bytes + page_bytes - 1) / page_bytes);
    region.id = state().next_id++;
    log::add_buffer(region.id, memory, !region.in_arena);
    Region& kept = state().regions.insert_or_assign(memory.base, std::move(region)).first->second;
    // A variable has its initial value, in the host's memory.
    for (size_t i = 0; i < kept.pages.size(); ++i) {
        kept.pages[i].on_host = !kept.in_arena;
        settle(kept, i);
    }
}

void add_pinned(const Allocation& memory) {
    const size_t first = arena.offset_of(memory.base) - Arena::managed_begin;
    for (size_t page = first / page_bytes; page <= (first + memory.bytes - 1) / page_bytes; ++page)
        for (int d = 0; d < devices::count(); ++d) access_of[d][page] = device_all | host_all;
}

void give_way(int device) {
    if (any) make_room(device, 0);
}

void remove(const Allocation& memory) {
    const ApiLock lock;
    State& s = state();
    const auto region = s.regions.find(memory.base);
    if (region == s.regions.end()) return;
    if (s.used) log::call_begins("cudaFree", memory.freed);
    for (size_t i = 0; i < region->second.pages.size(); ++i) {
        leave_devices(region->second, i);
        region->second.pages[i] = {};
        if (s.used)
            settle(region->second, i, {Change::freed, memory.freed.file, memory.freed.line});
        else
            settle(region->second, i);
    }
    s.regions.erase(region);
}

int device_of(const Lane& lane) {
    return lane.block->launch->device;
}

void device_fault(const Lane& lane, const void* address, bool writes, const void* pc) {
    Region* region = region_at(address);
    if (region == nullptr) return;
    State& s = state();
    s.used = true;
    LaunchRun& launch = *lane.block->launch;
    const uint64_t evicted = s.evicted;
    const size_t index = region->index_of(address);
    launch.work.page_collapses += region->pages[index].is_on(launch.device);
    const size_t bytes = serve_device(*region, index, launch.device, writes, program.site(pc));
    PageMetrics& site = launch.page_faults[program.offset(pc)];
    ++site.faults;
    site.bytes += bytes;
    launch.work.page_faults += 1;
    launch.work.page_bytes += bytes + (s.evicted - evicted);
}

void touch_variable(const Lane& lane, const void* address, bool writes, const void* pc) {
    const Region* region = any ? region_at(address) : nullptr;
    if (region == nullptr) return;
    const uint8_t needed = writes ? device_writes : device_reads;
    if ((region->pages[region->index_of(address)].access(device_of(lane)) & needed) == 0)
        device_fault(lane, address, writes, pc);
}

void host_fault(const void* address, bool writes, const void* pc) {
    const ApiLock lock;
    Region* region = region_at(address);
    if (region == nullptr) {
        const Allocation* a = memory::find(address);
        const bool is_freed = a != nullptr && a->space == BufferSpace::managed && !a->live;
        if (is_freed) report_freed_on_host(*a, address, writes, pc);
        return;
    }
    state().used = true;
    load_program(pc);  // the host may be at its pages before anything is launched
    const Site site = program.site(pc);
    log::host_begins(site.file, site.line);
    const size_t bytes = serve_host(*region, region->index_of(address), writes, site);
    timeline::host_worked("a page fault", timeline::of_page_faults(1, bytes), {site.file, site.line});
}

// The host is at managed memory that it may touch: no fault, and an act of its own all the same.
static void note_host(const void* address, const void* pc) {
    const ApiLock lock;
    if (region_at(address) == nullptr) return;
    load_program(pc);
    const Site site = program.site(pc);
    log::host_begins(site.file, site.line);
}

void touch_by_host(const void* address, size_t bytes, bool writes, const void* pc) {
    if (!log::host_is_acting) note_host(address, pc);
    const uint8_t needed = writes ? host_writes : host_reads;
    if (arena.contains(address)) {
        const size_t offset = arena.offset_of(address) - Arena::managed_begin;
        for (size_t page = offset / page_bytes; page <= (offset + bytes - 1) / page_bytes; ++page)
            if ((access_of[0][page] & needed) == 0)
                host_fault(page * page_bytes < offset ? address
                                                      : arena.base + Arena::managed_begin + page * page_bytes,
                           writes, pc);
        return;
    }
    const Region* region = region_at(address);
    if (region != nullptr && (region->pages[region->index_of(address)].access(0) & needed) == 0)
        host_fault(address, writes, pc);
}

void note_prefetch(const void* address, size_t bytes, int to) {
    each_page(address, bytes, [&](Region& region, size_t i) { region.pages[i].last_prefetch = to; });
}

size_t prefetch(const void* address, size_t bytes, int to, Where where) {
    State& s = state();
    s.used = true;
    size_t all = 0;
    each_page(address, bytes, [&](Region& region, size_t i) {
        Page& page = region.pages[i];
        const bool is_new = page.is_new();
        if (to == host ? page.on_host : page.is_on(to)) return;
        Cause cause{is_new ? Change::made : Change::moved, where.file, where.line};
        Moved& moved = s.lines[{where.file, where.line, to != host, region.name}];
        const size_t size = is_new ? 0 : region.bytes_of(i);
        if (size != 0) note_moved(moved, size, to != host);
        all += size;
        if (to == host) {
            page.on_host = true;
            if (!page.read_mostly) leave_devices(region, i);
        } else {
            come_to_device(region, i, to, moved);
            page.on_host = page.on_host && page.read_mostly;
            if (!page.read_mostly) leave_devices(region, i, to);
        }
        page.mapped_by = 0;
        if (page.has_copies()) cause.change = Change::copied;
        settle(region, i, cause);
    });
    s.prefetched += all;
    return all;
}

void advise(const void* address, size_t bytes, Advice advice, bool set, int location, Where where) {
    log::call_begins("cudaMemAdvise", where);
    each_page(address, bytes, [&](Region& region, size_t i) {
        Page& page = region.pages[i];
        switch (advice) {
            case Advice::read_mostly:
                page.read_mostly = set;
                // One of several copies is enough from now on: a device's.
                if (!set && page.has_copies()) {
                    page.on_host = false;
                    leave_devices(region, i, std::countr_zero(page.on_devices));
                }
                break;
            case Advice::prefers:
                page.prefers = set ? location : nowhere;
                break;
            case Advice::accessed_by:
                if (location < 0)
                    page.accessed_by_host = set;
                else if (set)
                    page.accessed_by_devices |= devices::only(location);
                else
                    page.accessed_by_devices &= ~devices::only(location);
                break;
        }
        page.mapped_by = 0;
        settle(region, i, {Change::advised, where.file, where.line});
    });
}

// What a copy reads is read where it is, so it moves nothing. Where its destination lies afterwards, the programming guide says
// ("Unified Memory", copies and cudaMemset): with the host or on the device as the copy's direction names it; by
// cudaMemcpyDefault on the device, unless it prefers the host. Only what a page holds beside the copied bytes has to
// move.
void written_by_copy(const void* address, size_t bytes, int to, bool is_default, Where where) {
    State& s = state();
    s.used = true;
    const char* begin = static_cast<const char*>(address);
    each_page(address, bytes, [&](Region& region, size_t i) {
        Page& page = region.pages[i];
        const int side = is_default && page.prefers == host ? host : to;
        if (!page.has_copies() && (side == host ? page.on_host : page.is_on(side))) return;
        const bool is_new = page.is_new();
        const char* first = region.base + i * page_bytes;
        const size_t size = region.bytes_of(i);
        const bool is_whole = begin <= first && first + size <= begin + bytes;
        const bool is_there = side == host ? page.on_host : page.is_on(side);
        Moved& moved = s.lines[{where.file, where.line, side != host, region.name}];
        if (!is_new && !is_whole && !is_there) note_moved(moved, size, side != host);
        if (side == host) {
            page.on_host = true;
            leave_devices(region, i);
        } else {
            if (!page.is_on(side)) come_to_device(region, i, side, moved);
            page.on_host = false;
            leave_devices(region, i, side);
        }
        page.mapped_by = 0;
        settle(region, i, {is_new ? Change::made : Change::moved, where.file, where.line, false, true});
    });
}

RangeState state_of(const void* address, size_t bytes) {
    RangeState all;
    bool first = true;
    each_page(address, bytes, [&](const Region& region, size_t i) {
        const Page& page = region.pages[i];
        if (first) {
            all = {page.read_mostly, page.prefers, page.last_prefetch, page.accessed_by_devices,
                   page.accessed_by_host};
            first = false;
            return;
        }
        all.read_mostly = all.read_mostly && page.read_mostly;
        if (all.prefers != page.prefers) all.prefers = nowhere;
        if (all.last_prefetch != page.last_prefetch) all.last_prefetch = nowhere;
        all.accessed_by_devices &= page.accessed_by_devices;
        all.accessed_by_host = all.accessed_by_host && page.accessed_by_host;
    });
    return all;
}

nlohmann::ordered_json report() {
    const State& s = state();
    if (!s.used) return nullptr;
    nlohmann::ordered_json lines = nlohmann::ordered_json::array();
    for (const auto& [line, moved] : s.lines)
        lines.push_back({{"file", line.file},
                         {"line", line.line},
                         {"side", line.by_device ? "device" : "host"},
                         {"buffer", line.buffer},
                         {"faults", moved.faults},
                         {"to_device_bytes", moved.to_device},
                         {"to_host_bytes", moved.to_host}});
    return {{"lines", std::move(lines)},
            {"metrics",
             {{"device_page_faults", s.device_faults},
              {"host_page_faults", s.host_faults},
              {"migrated_to_device_bytes", s.to_device},
              {"migrated_to_host_bytes", s.to_host},
              {"prefetched_bytes", s.prefetched},
              {"evicted_bytes", s.evicted},
              {"remote_pages", s.remote_pages}}},
            {"map", log::report()}};
}

}  // namespace simt::pages
