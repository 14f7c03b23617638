// Managed memory: where its pages are. A page moves to whoever touches it; what that costs is counted under the line
// that touched it.
//
// A page is 64 KiB, the unit in which NVIDIA's driver moves memory on x86 (programming guide, "Unified Memory"). The host may
// touch a page in the host's memory, the device one in its own. Else there is a fault, and then
//   - a page that nobody touched before is made where it is touched;
//   - a page that is mostly read (cudaMemAdviseSetReadMostly) is copied, until somebody writes to it;
//   - a page that prefers the host, or that the device was told to map (cudaMemAdviseSetAccessedBy), stays there, and the
//     device reaches it over the bus;
//   - any other page moves.
// When the device's memory is full, the pages that came first go back to the host.
// A copy or a memset reads managed memory where it is, and what it writes lies afterwards where the programming guide says. What
// happened to which page when is logged for a map of it (page_log.h).
// With several devices a page is with the host or on some device. Another device's touch moves it there, or copies it where it is
// mostly read; a page that prefers a device where it is, or that the other device was told to map, stays and is reached
// over the link between the two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "simt/machine/arena.h"
#include "simt/machine/devices.h"

namespace simt {
struct Lane;
}

namespace simt::pages {

constexpr size_t page_bytes = size_t{64} << 10;

// Who may touch a page without a fault, as bits.
enum Access : uint8_t { device_reads = 1, device_writes = 2, host_reads = 4, host_writes = 8 };

void add(const Allocation& memory);         // managed memory, or a __managed__ variable
void add_pinned(const Allocation& memory);  // never faults
void remove(const Allocation& memory);      // it is freed: its pages are gone
extern bool any;                            // there is such memory
// Of the arena's pages, by device; the host's rights stand in each row.
constexpr size_t arena_pages = (Arena::size - Arena::managed_begin) / page_bytes;
extern uint8_t access_of[devices::most][arena_pages];

int device_of(const Lane& lane);
void device_fault(const Lane& lane, const void* address, bool writes, const void* pc);
void host_fault(const void* address, bool writes, const void* pc);

// A kernel's access to the arena at this offset.
inline void touch_by_device(const Lane& lane, size_t offset, const void* address, bool writes,
                            const void* pc) {
    if (offset < Arena::managed_begin || !any) return;
    const uint8_t needed = writes ? device_writes : device_reads;
    const size_t device = devices::several ? static_cast<size_t>(device_of(lane)) : 0;
    if ((access_of[device][(offset - Arena::managed_begin) / page_bytes] & needed) == 0)
        device_fault(lane, address, writes, pc);
}
// Does the device reach this address over the bus? Pinned memory, and managed pages that stay with the host.
inline bool is_remote(uint64_t address, int of_device) {
    const size_t offset = arena.offset_of(reinterpret_cast<const void*>(address));
    if (offset >= Arena::size || offset < Arena::managed_begin) return false;
    constexpr uint8_t both = device_writes | host_writes;
    return (access_of[of_device][(offset - Arena::managed_begin) / page_bytes] & both) == both;
}
// To a __managed__ variable.
void touch_variable(const Lane& lane, const void* address, bool writes, const void* pc);
// The host's, anywhere.
void touch_by_host(const void* address, size_t bytes, bool writes, const void* pc);

// ---- what a program asks for. The range lies in one allocation; whole pages are meant ----
constexpr int host = -1, nowhere = -2;  // beside the devices 0, 1, ...
// Moves what is elsewhere; the bytes that moved.
// Device memory was allocated: managed pages make way.
void give_way(int device);
void note_prefetch(const void* address, size_t bytes, int to);  // at the call; it moves when it runs
size_t prefetch(const void* address, size_t bytes, int to, Where where);
enum class Advice : uint8_t { read_mostly, prefers, accessed_by };
void advise(const void* address, size_t bytes, Advice advice, bool set, int location, Where where);
// A copy or a memset is about to write here. `to`: the side that its direction names, and of memset the device.
void written_by_copy(const void* address, size_t bytes, int to, bool is_default, Where where);
// A copy to device memory is about to read here: its pages come to that device, but those that prefer the host or that
// the device may reach where they are.
void read_by_copy(const void* address, size_t bytes, int device, Where where);
// What all pages of the range agree on; `nowhere`: they don't, or it was never said.
struct RangeState {
    bool read_mostly = false;
    int prefers = nowhere, last_prefetch = nowhere;
    devices::Set accessed_by_devices = 0;
    bool accessed_by_host = false;
};
RangeState state_of(const void* address, size_t bytes);

// ---- for the record: {"lines": [...], "metrics": {...}, "map": {...}}; nothing moved: null ----
nlohmann::ordered_json report();

}  // namespace simt::pages
