#include "workbench/play/shared_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>

#include "workbench/play/ending.h"

namespace lab::detail {

SharedMemory::SharedMemory(size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        throw std::runtime_error(
            fmt::format("No {} MiB of shared memory for the player: {}. Close other programs and try again.",
                        bytes >> 20, strerror(errno)));
    }
    data_ = static_cast<char*>(p);
}

SharedMemory::~SharedMemory() {
    if (data_) munmap(data_, bytes_);
}

void ControlPage::begin() {
    new (this) ControlPage{};
    control.first_mark = control.last_mark = PlayerControl::kMark;
    control.forbidden = -1;
    control.refused = -1;
}

void attach(simt_session_options& session, Counters& counters, const SharedMemory& report,
            const SharedMemory& trace) {
    session.report = {report.data(), report.size(), &counters.report_used, &counters.report_dropped};
    session.trace = {trace.data(), trace.size(), &counters.trace_used, &counters.trace_dropped};
}

PlayResult read_back(const PlayerControl& control, const Counters& counters, const SharedMemory& report,
                     const SharedMemory& trace) {
    PlayResult result;
    result.returned = control.returned;
    const uint64_t report_used = counters.report_used, trace_used = counters.trace_used;
    result.report = read_report({report.data(), std::min<uint64_t>(report_used, report.size())});
    if (report_used > report.size() && result.report.damage.empty()) {
        result.report.damage =
            "The program wrote over the machine's own memory: the length of its report is damaged.";
    }
    if (trace.data())
        result.trace =
            trace_file({trace.data(), std::min<uint64_t>(trace_used, trace.size())}, counters.trace_dropped);
    return result;
}

}  // namespace lab::detail
