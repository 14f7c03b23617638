// The machine's report (simt/include/simt/report.md) -> findings, kernels and buffers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workbench/record/run.h"

namespace lab {

struct Report {
    std::vector<Finding> findings;  // columns still count in the rewritten text
    std::vector<Kernel> kernels;    // in order of their launch
    std::vector<Buffer> buffers;
    std::vector<DeviceLimits> devices;  // none or one
    std::vector<Timeline> timelines;    // none or one
    std::vector<TimedCall> times;
    std::vector<std::string> notes;
    bool closed = false;  // the closing record is there, and last
    std::string exit;     // of the closing record: returned, exit, signal
    int host_line = 0;    // of the closing record
    std::string damage;   // one sentence; not empty: something wrote over the report
};

// Reads the `used` bytes of a report. The program under test shares memory with it, so nothing in it is
// trusted: what is not a record of a known type, or not whole, is damage.
Report read_report(std::string_view text);

}  // namespace lab
