// What happened to the pages of managed memory, in order: for a map of where each page was when. An act is a stretch of the
// run: a kernel, a prefetch, a copy, a call, or host code between two of these. The caller has the ApiLock for all of
// this page.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "simt/machine/devices.h"
#include "simt/machine/machine.h"

namespace simt::queue {
struct Operation;
}

namespace simt::pages {

enum class Change : uint8_t {
    made,     // nobody had touched it; the first bytes of it are where it was touched
    moved,    // its bytes went to the other side
    copied,   // both sides have it
    mapped,   // it stays, and the other side reaches it over the bus
    dropped,  // a write took the other side's copy away
    evicted,  // a full device sent it back to the host
    advised,
    freed,
};

struct PageEvent {
    uint32_t buffer, page;
    Change change;
    bool is_fault = false, writes = false;
    // Where it is afterwards.
    bool on_host = false;
    devices::Set on_devices = 0;
    std::string file;  // of the line that caused it
    int line = 0;
};

namespace log {

// `id`: counts the allocations and variables that have pages. A variable begins with the host.
void add_buffer(uint32_t id, const Allocation& memory, bool is_variable);
void add(const PageEvent& event);
// Acts. What is logged next belongs to the last one that began; host code begins one where none of its own is under way.
void operation_begins(const queue::Operation& operation);
void call_begins(const char* call, Where where);
void host_begins(const std::string& file, int line);
void operation_ends();       // what follows is another act
extern bool host_is_acting;  // an act of the host is under way: it needs no other

// {"page_bytes", "device_bytes", "buffers", "acts", "events", "left_out"}; include/simt/report.md
nlohmann::ordered_json report();

}  // namespace log
}  // namespace simt::pages
