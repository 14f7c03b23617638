#include "simt/checker/pages.h"

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "simt/host/lock.h"
#include "simt/host/timeline.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/program.h"

namespace simt::pages {

bool any = false;
uint8_t access_of[(Arena::size - Arena::managed_begin) / page_bytes];

namespace {

constexpr uint8_t device_all = device_reads | device_writes, host_all = host_reads | host_writes;

struct Page {
    bool on_host = false, on_device = false;  // both: a copy each
    bool read_mostly = false, accessed_by_device = false, accessed_by_host = false;
    int prefers = nowhere, last_prefetch = nowhere;
    uint8_t access = 0;
};

struct Region {
    char* base;
    size_t bytes;
    std::string name;
    std::vector<Page> pages;
    bool in_arena;

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
    std::deque<std::pair<char*, size_t>>
        resident;  // region and page, in the order in which they came to the device
    uint64_t resident_bytes = 0;
    uint64_t device_faults = 0, host_faults = 0, to_device = 0, to_host = 0, prefetched = 0, evicted = 0;
    uint64_t remote_pages = 0;
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

void set_access(Region& region, size_t index, uint8_t access) {
    region.pages[index].access = access;
    if (!region.in_arena) return;
    const size_t first = (arena.offset_of(region.base) - Arena::managed_begin) / page_bytes;
    access_of[first + index] = access;
}

// What follows from where the page is. `mapped`: the device reaches the host's page.
void settle(Region& region, size_t index, bool mapped = false) {
    const Page& page = region.pages[index];
    uint8_t access = 0;
    if (page.on_host && page.on_device) {
        access = device_reads | host_reads;
    } else if (page.on_device) {
        access = device_all;
    } else if (page.on_host) {
        access = host_all | (mapped || page.accessed_by_device ? device_all : 0);
    }
    set_access(region, index, access);
}

void note_moved(Moved& moved, size_t bytes, bool to_device) {
    State& s = state();
    (to_device ? moved.to_device : moved.to_host) += bytes;
    (to_device ? s.to_device : s.to_host) += bytes;
}

void leave_device(Region& region, size_t index) {
    State& s = state();
    const auto at = std::find(s.resident.begin(), s.resident.end(), std::pair(region.base, index));
    if (at == s.resident.end()) return;
    s.resident.erase(at);
    s.resident_bytes -= region.bytes_of(index);
}

// Makes room for a page, at the cost of the one that came first.
size_t make_room(size_t bytes) {
    State& s = state();
    size_t evicted = 0;
    const size_t total = memory::bytes_total(), used = memory::bytes_in_use();
    while (!s.resident.empty() && s.resident_bytes + bytes + used > total) {
        const auto [base, index] = s.resident.front();
        Region& region = s.regions.at(base);
        Page& page = region.pages[index];
        s.resident.pop_front();
        s.resident_bytes -= region.bytes_of(index);
        if (!page.on_host) evicted += region.bytes_of(index);
        page.on_device = false;
        page.on_host = true;
        settle(region, index);
    }
    s.evicted += evicted;
    s.to_host += evicted;
    return evicted;
}

void come_to_device(Region& region, size_t index, Moved& moved) {
    State& s = state();
    moved.to_host += make_room(region.bytes_of(index));
    region.pages[index].on_device = true;
    s.resident.emplace_back(region.base, index);
    s.resident_bytes += region.bytes_of(index);
}

Moved& line_of(const Site& site, bool by_device, const Region& region) {
    return state().lines[{site.file, site.line, by_device, region.name}];
}

// Bytes that moved for it.
size_t serve_device(Region& region, size_t index, bool writes, Moved& moved) {
    State& s = state();
    Page& page = region.pages[index];
    ++moved.faults;
    ++s.device_faults;
    const bool is_new = !page.on_host && !page.on_device;
    const bool stays = page.prefers == host || page.accessed_by_device;
    if (page.on_device) {  // a copy, and now it is written to
        page.on_host = false;
        settle(region, index);
        return 0;
    }
    if (stays) {
        page.on_host = true;
        ++s.remote_pages;
        settle(region, index, true);
        return 0;
    }
    come_to_device(region, index, moved);
    const size_t bytes = is_new ? 0 : region.bytes_of(index);
    if (bytes != 0) note_moved(moved, bytes, true);
    page.on_host = page.on_host && page.read_mostly && !writes;
    settle(region, index);
    return bytes;
}

size_t serve_host(Region& region, size_t index, bool writes, Moved& moved) {
    State& s = state();
    Page& page = region.pages[index];
    ++moved.faults;
    ++s.host_faults;
    size_t bytes = 0;
    if (page.on_device && !page.on_host) {
        bytes = region.bytes_of(index);
        note_moved(moved, bytes, false);
    }
    page.on_host = true;
    const bool keeps_copy = page.on_device && page.read_mostly && !writes;
    if (page.on_device && !keeps_copy) {
        page.on_device = false;
        leave_device(region, index);
    }
    settle(region, index);
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
        access_of[page] = device_all | host_all;
}

void give_way() {
    if (any) make_room(0);
}

void remove(const Allocation& memory) {
    const ApiLock lock;
    State& s = state();
    const auto region = s.regions.find(memory.base);
    if (region == s.regions.end()) return;
    for (size_t i = 0; i < region->second.pages.size(); ++i) {
        leave_device(region->second, i);
        set_access(region->second, i, 0);
    }
    s.regions.erase(region);
}

void device_fault(const Lane& lane, const void* address, bool writes, const void* pc) {
    Region* region = region_at(address);
    if (region == nullptr) return;
    State& s = state();
    s.used = true;
    LaunchRun& launch = *lane.block->launch;
    const uint64_t evicted = s.evicted;
    launch.work.page_collapses += region->pages[region->index_of(address)].on_device;
    const size_t bytes =
        serve_device(*region, region->index_of(address), writes, line_of(program.site(pc), true, *region));
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
    if ((region->pages[region->index_of(address)].access & needed) == 0)
        device_fault(lane, address, writes, pc);
}

void host_fault(const void* address, bool writes, const void* pc) {
    const ApiLock lock;
    Region* region = region_at(address);
    if (region == nullptr) return;
    state().used = true;
    const Site site = program.site(pc);
    const size_t bytes =
        serve_host(*region, region->index_of(address), writes, line_of(site, false, *region));
    timeline::host_worked("a page fault", timeline::of_page_faults(1, bytes), {site.file, site.line});
}

void touch_by_host(const void* address, size_t bytes, bool writes, const void* pc) {
    const uint8_t needed = writes ? host_writes : host_reads;
    if (arena.contains(address)) {
        const size_t offset = arena.offset_of(address) - Arena::managed_begin;
        for (size_t page = offset / page_bytes; page <= (offset + bytes - 1) / page_bytes; ++page)
            if ((access_of[page] & needed) == 0)
                host_fault(page * page_bytes < offset ? address
                                                      : arena.base + Arena::managed_begin + page * page_bytes,
                           writes, pc);
        return;
    }
    const Region* region = region_at(address);
    if (region != nullptr && (region->pages[region->index_of(address)].access & needed) == 0)
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
        const bool is_new = !page.on_host && !page.on_device;
        if (to == host ? page.on_host : page.on_device) return;
        Moved& moved = s.lines[{where.file, where.line, to != host, region.name}];
        const size_t size = is_new ? 0 : region.bytes_of(i);
        if (size != 0) note_moved(moved, size, to != host);
        all += size;
        if (to == host) {
            page.on_host = true;
            if (page.on_device && !page.read_mostly) {
                page.on_device = false;
                leave_device(region, i);
            }
        } else {
            come_to_device(region, i, moved);
            page.on_host = page.on_host && page.read_mostly;
        }
        settle(region, i);
    });
    s.prefetched += all;
    return all;
}

void advise(const void* address, size_t bytes, Advice advice, bool set, int location) {
    each_page(address, bytes, [&](Region& region, size_t i) {
        Page& page = region.pages[i];
        const bool is_device = location >= 0;
        switch (advice) {
            case Advice::read_mostly:
                page.read_mostly = set;
                // One of two copies is enough from now on: the device's.
                if (!set && page.on_host && page.on_device) page.on_host = false;
                break;
            case Advice::prefers:
                page.prefers = set ? location : nowhere;
                break;
            case Advice::accessed_by:
                (is_device ? page.accessed_by_device : page.accessed_by_host) = set;
                break;
        }
        settle(region, i);
    });
}

RangeState state_of(const void* address, size_t bytes) {
    RangeState all;
    bool first = true;
    each_page(address, bytes, [&](const Region& region, size_t i) {
        const Page& page = region.pages[i];
        if (first) {
            all = {page.read_mostly, page.prefers, page.last_prefetch, page.accessed_by_device,
                   page.accessed_by_host};
            first = false;
            return;
        }
        all.read_mostly = all.read_mostly && page.read_mostly;
        if (all.prefers != page.prefers) all.prefers = nowhere;
        if (all.last_prefetch != page.last_prefetch) all.last_prefetch = nowhere;
        all.accessed_by_device = all.accessed_by_device && page.accessed_by_device;
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
              {"remote_pages", s.remote_pages}}}};
}

}  // namespace simt::pages
