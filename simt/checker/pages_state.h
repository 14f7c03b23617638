// The pages of managed memory as the machine keeps them; for pages.cpp, what happens by touching, and pages_asked.cpp, what a
// program asks for.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simt/checker/page_log.h"
#include "simt/checker/pages.h"

namespace simt::pages {

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

State& state();
Region* region_at(const void* address);  // nullptr: no managed memory

// What a page has come to, and by which line.
struct Cause {
    Change change;
    std::string file;
    int line = 0;
    bool is_fault = false, writes = false;
};

// What follows from where the page is; the second form logs it, too.
void settle(Region& region, size_t index);
void settle(Region& region, size_t index, const Cause& cause);
void note_moved(Moved& moved, size_t bytes, bool to_device);
void leave_devices(Region& region, size_t index, int but = -1);  // all but `but`; -1: all
void come_to_device(Region& region, size_t index, int device, Moved& moved);

template <class F>
void each_page(const void* address, size_t bytes, F f) {
    Region* region = region_at(address);
    if (region == nullptr || bytes == 0) return;
    const auto* last = static_cast<const char*>(address) + bytes - 1;
    const size_t end = std::min(region->index_of(last) + 1, region->pages.size());
    for (size_t i = region->index_of(address); i < end; ++i) f(*region, i);
}

}  // namespace simt::pages
