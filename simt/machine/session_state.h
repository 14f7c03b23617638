// The session that this process runs in, and the report that it writes.
#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "simt/machine/machine.h"

namespace simt {

struct SessionState {
    bool active = false;
    int order = SIMT_ORDER_FORWARD;
    uint64_t step_budget = uint64_t{1} << 29;
    uint64_t memory_budget = 0;
    int devices = 0;  // 0: nobody said
    uint64_t trace_records = 200'000;
    bool advise_leaks = false;
    simt_region report{}, trace{};
    std::string profile = "h200";
    Index3 grid{0, 0, 0};  // of every launch; a dimension of 0: as the program asks
    std::map<std::string, int, std::less<>> registers;  // by kernel
    bool ended = false;
};

SessionState& session();

// Appends one line to the report. Without a session (a program that was linked by hand) findings go to
// stderr.
void write_report(const nlohmann::ordered_json& record);
void write_report_text(std::string_view line);  // the same, as text with its line end
void report_buffer(const Allocation& allocation);

// Appends one trace record; false when the region is full.
bool write_trace(const void* header, size_t header_bytes, const void* payload, size_t payload_bytes);

}  // namespace simt
