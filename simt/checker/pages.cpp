#include "simt/checker/pages.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "simt/checker/findings.h"
#include "simt/checker/page_log.h"
#include "simt/checker/pages_state.h"
#include "simt/host/lock.h"
#include "simt/host/timeline.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/program.h"

namespace simt::pages {

bool any = false;
uint8_t access_of[devices::most][arena_pages];

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

void settle(Region& region, size_t index) {
    if (!region.in_arena) return;
    const size_t first = (arena.offset_of(region.base) - Arena::managed_begin) / page_bytes;
    const Page& page = region.pages[index];
    for (int d = 0; d < devices::count(); ++d) access_of[d][first + index] = page.access(d);
}

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

static State::Residents& residents_of(int device) {
    return state().resident[static_cast<size_t>(device)];
}

static void leave_device(Region& region, size_t index, int device) {
    State::Residents& resident = residents_of(device);
    region.pages[index].on_devices &= ~devices::only(device);
    const auto at = std::find(resident.pages.begin(), resident.pages.end(), std::pair(region.base, index));
    if (at == resident.pages.end()) return;
    resident.pages.erase(at);
    resident.bytes -= region.bytes_of(index);
}

void leave_devices(Region& region, size_t index, int but) {
    for (int d = 0; d < devices::count(); ++d)
        if (d != but && region.pages[index].is_on(d)) leave_device(region, index, d);
}

// Makes room for a page, at the cost of the one that came first.
static size_t make_room(int device, size_t bytes) {
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

static Moved& line_of(const Site& site, bool by_device, const Region& region) {
    return state().lines[{site.file, site.line, by_device, region.name}];
}

// Does a page stay where it is, or begin with the host, when this device touches it?
static bool stays(const Page& page, int device) {
    if (page.prefers == host && page.on_devices == 0) return true;
    const bool is_preferred = page.prefers >= 0 && page.prefers != device && page.is_on(page.prefers);
    return is_preferred || devices::has(page.accessed_by_devices, device);
}

// Bytes that moved for it.
static size_t serve_device(Region& region, size_t index, int device, bool writes, const Site& site) {
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

static size_t serve_host(Region& region, size_t index, bool writes, const Site& site) {
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
