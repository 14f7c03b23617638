// What a program asks for: prefetches, advice, and where copies leave what they write.
#include "simt/checker/pages_state.h"

namespace simt::pages {

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

// As an H200 did (tests/bench/results/2026-12-02-h200-lessons.md): after a copy of the host's pages to device memory the host
// found none of them at home.
void read_by_copy(const void* address, size_t bytes, int device, Where where) {
    State& s = state();
    s.used = true;
    each_page(address, bytes, [&](Region& region, size_t i) {
        Page& page = region.pages[i];
        const bool stays = page.prefers == host || (page.accessed_by_devices & devices::only(device)) != 0;
        if (page.is_new() || page.is_on(device) || stays) return;
        Moved& moved = s.lines[{where.file, where.line, true, region.name}];
        note_moved(moved, region.bytes_of(i), true);
        come_to_device(region, i, device, moved);
        page.on_host = page.on_host && page.read_mostly;
        if (!page.read_mostly) leave_devices(region, i, device);
        page.mapped_by = 0;
        settle(region, i,
               {page.has_copies() ? Change::copied : Change::moved, where.file, where.line, false, true});
    });
}

// Where a copy's destination lies afterwards, the programming guide says ("Unified Memory", copies and cudaMemset), and an
// H200 showed: with the host or on the device as the copy's direction names it; by cudaMemcpyDefault on the device, unless
// it prefers the host. Only what a page holds beside the copied bytes has to move.
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

}  // namespace simt::pages
