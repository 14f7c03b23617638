// The functions of simt/include/simt/library.h.
#include "simt/include/simt/library.h"

#include <fmt/format.h>
#include <unwind.h>

#include <cstring>

#include "simt/host/timeline.h"
#include "simt/libraries/call.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/program.h"

namespace simt {
namespace {

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* found) {
    const auto* pc = reinterpret_cast<const void*>(_Unwind_GetIP(context));
    if (program.offset(pc) == 0) return _URC_NO_REASON;
    const Site site = program.site(pc);
    if (site.line == 0 || site.foreign) return _URC_NO_REASON;
    *static_cast<Where*>(found) = {site.file, site.line};
    return _URC_END_OF_STACK;
}

}  // namespace

Where calling_line() {
    load_program(__builtin_return_address(0));
    Where found{};
    if (program.checked) _Unwind_Backtrace(look_at_frame, &found);
    return found;
}

void note_library_call(const void* stream) {
    const ApiLock lock;
    const queue::Stream* found = runtime::find_stream(static_cast<cudaStream_t>(const_cast<void*>(stream)));
    timeline::note_library_call(found != nullptr && found->is_legacy);
}

void report_small_storage(const char* call, size_t given, size_t needed, Where where) {
    libraries::report_refused(
        {call, where}, fmt::format("temp_storage_bytes is {}, but {} bytes are needed", given, needed),
        "Ask for the size with the same arguments and d_temp_storage == nullptr, and allocate as much.");
}

void hand_to_host(void* host, const void* value, size_t bytes) {
    std::memcpy(host, value, bytes);
}

void expect_work(uint64_t elements) {
    constexpr uint64_t steps_each = 4096;
    if (current_lane != nullptr) current_lane->block->launch->budget += elements * steps_each;
}

}  // namespace simt
