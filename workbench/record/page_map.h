// Where each page of managed memory was, and when: a list of what happened to the pages, act by act. Beside the
// timeline, which says how long it took.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace lab {

struct PagedBuffer {  // an allocation, or a __managed__ variable
    std::string name, file;
    int line = 0;
    uint64_t bytes = 0;
    bool is_variable = false;  // then its pages begin with the host
};

struct PageAct {       // a stretch of the run
    std::string kind;  // host (its own code), kernel, prefetch, copy, set, call
    std::string name;  // the kernel's, or the call
    std::string file;
    int line = 0;     // host: of the first access
    int launch = -1;  // Kernel::launch
};

struct PageEvent {  // neighbouring pages to which the same thing happened
    int act = 0, buffer = 0;
    uint32_t first = 0, count = 1;  // pages of the buffer
    std::string change;             // made, moved, copied, mapped, dropped, evicted, advised, freed
    bool is_fault = false, writes = false;
    bool on_host = false;     // afterwards
    uint32_t on_devices = 0;  // the same, as bits
    std::string file;
    int line = 0;  // that caused it; 0: no line did
};

struct PageMap {
    uint64_t page_bytes = 65536, device_bytes = 0;  // of the device's whole memory
    std::vector<PagedBuffer> buffers;
    std::vector<PageAct> acts;
    std::vector<PageEvent> events;  // in the order of the acts
    uint64_t left_out = 0;          // pages' events for which there was no room

    uint32_t pages_of(const PagedBuffer& buffer) const {
        return static_cast<uint32_t>((buffer.bytes + page_bytes - 1) / page_bytes);
    }
};

// Whoever reads a map may use its numbers as indices: what would not be one is left out.
nlohmann::ordered_json from_page_map(const PageMap& map);
PageMap to_page_map(const nlohmann::ordered_json& record);

}  // namespace lab
