// The session: options, the report and the trace, signals, a grader's buffers.
#include "simt/include/simt/session.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "simt/checker/findings.h"
#include "simt/host/timeline.h"
#include "simt/machine/arena.h"
#include "simt/machine/devices.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/program.h"
#include "simt/machine/session_state.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/graph.h"
#include "simt/runtime/work.h"

namespace simt {

SessionState& session() {
    static SessionState state;
    return state;
}

namespace {

using Json = nlohmann::ordered_json;
std::recursive_mutex report_mutex;

bool append(simt_region& region, const void* a, size_t a_bytes, const void* b, size_t b_bytes) {
    if (region.data == nullptr) return false;
    const uint64_t used = *region.used;
    if (a_bytes + b_bytes > region.capacity - std::min<uint64_t>(used, region.capacity)) {
        *region.dropped = *region.dropped + 1;
        return false;
    }
    std::memcpy(region.data + used, a, a_bytes);
    if (b_bytes != 0) std::memcpy(region.data + used + a_bytes, b, b_bytes);
    *region.used = used + a_bytes + b_bytes;
    return true;
}

void write_end(const char* how) {
    SessionState& s = session();
    if (!s.active || s.ended) return;
    s.ended = true;
    const Site at = program.site(last_host_pc());
    write_report(Json{{"type", "end"}, {"exit", how}, {"host_file", at.file}, {"host_line", at.line}});
}

// ---- signals ----

void die_by(int signal_number) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// Where a kernel's thread was when it faulted: in the program itself, or where it jumped away from; else its
// last access. A call site's address lies behind the call, hence the 1.
const void* place_of_fault(const Lane& lane, void* context) {
#if defined(__x86_64__)
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto* instruction = reinterpret_cast<const char*>(registers[REG_RIP]);
    if (program.offset(instruction) != 0) return instruction + 1;
    const auto* top = reinterpret_cast<const void* const*>(registers[REG_RSP]);
    if (lane.stack.contains(top) && program.offset(*top) != 0) return *top;
#else
    (void)context;
#endif
    return lane.last_pc;
}

// The compiler touches each page of a big frame in order (-fstack-clash-protection), so it meets a guard;
// several stacks share one guard, and the stack pointer tells whose fault it is.
bool is_out_of_stack(const Lane& lane, const char* address, void* context) {
    constexpr ptrdiff_t near_the_end = 65536;
    if (address < lane.stack.low + near_the_end && address > lane.stack.low - near_the_end) return true;
#if defined(__x86_64__)
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto* top = reinterpret_cast<const char*>(registers[REG_RSP]);
    return top < lane.stack.low && address > top - near_the_end && address < top + near_the_end;
#else
    (void)context;
    return false;
#endif
}

// A big frame faults before its function's first call, which is the one that names the function.
const void* call_behind(const void* pc) {
    const auto next =
        std::upper_bound(program.sites.begin(), program.sites.end(), pc,
                         [](const void* a, const SiteEntry& s) { return a < s.return_address; });
    return program.offset(pc) != 0 && next != program.sites.end() ? next->return_address : pc;
}

void on_fault(int number, siginfo_t* info, void* context) {
    const void* address = info->si_addr;
    if (Lane* lane = current_lane) {
        // The thread is abandoned from inside the handler; the signal must not stay blocked for the next one.
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, number);
        pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
        lane->last_pc = place_of_fault(*lane, context);
        if (number == SIGFPE) {
            report_arithmetic(*lane, "divided by zero");
        } else if (is_out_of_stack(*lane, static_cast<const char*>(address), context)) {
            report_stack_overflow(*lane, call_behind(lane->last_pc));
        } else {
            report_foreign(*lane, address, 1, false, lane->last_pc);
        }
        abandon(*lane);
    }
    if (number == SIGSEGV && memory::is_device_address(address)) {
#if defined(__x86_64__)
        // Bit 1 of the page fault's error code says that it was a write.
        const bool writes = (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
        (void)context;
        const bool writes = false;
#endif
        report_host_access(address, 1, writes, last_host_pc());
    }
    settle_findings(true);
    write_end("signal");
    die_by(number);
}

void catch_signals() {
    static char alternate[65536];
    const stack_t stack{alternate, 0, sizeof alternate};
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(number, &action, nullptr);
}

// What a real device may never have got to.
void report_unwaited() {
    using queue::Kind;
    if (current_error() != 0) return;
    const ApiLock lock;
    for (const queue::OperationPtr& o : queue::pending()) {
        const bool works = o->kind == Kind::kernel || o->kind == Kind::library ||
                           o->kind == Kind::host_function || o->bytes != 0;
        if (!works) continue;
        const bool kernel = o->kind == Kind::kernel;
        report_finding(
            {.kind = "not-waited",
             .advice = true,
             .message = fmt::format("{}{} at line {} was still queued when the program ended: nothing "
                                    "waited for it",
                                    kernel ? "kernel " : "", o->name, o->where.line),
             .fix = "Call cudaDeviceSynchronize() before the end, and check what it returns.",
             .where = o->where});
    }
}

void finish_work() {
    report_unwaited();
    {
        const ApiLock lock;
        timeline::program_ended();
    }
    runtime::finish_everything();
}

void write_timeline() {
    const ApiLock lock;
    timeline::write_timeline();
}

void at_exit() {
    SessionState& s = session();
    if (!s.active || s.ended) return;
    finish_work();
    report_unchecked_errors();
    settle_findings(true);
    write_timeline();
    write_end("exit");
}

const char* space_name(BufferSpace space) {
    switch (space) {
        case BufferSpace::constant:
            return "constant";
        case BufferSpace::managed:
            return "managed";
        case BufferSpace::pinned:
            return "pinned";
        case BufferSpace::array:
            return "array";
        default:
            return "global";
    }
}

// "add=24 transpose=18"
void read_registers(std::string_view text, std::map<std::string, int, std::less<>>& registers) {
    while (!text.empty()) {
        const std::string_view entry = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), entry.size() + 1));
        const size_t equals = entry.find('=');
        if (equals == std::string_view::npos) continue;
        registers[std::string(entry.substr(0, equals))] =
            std::atoi(std::string(entry.substr(equals + 1)).c_str());
    }
}

void report_leaks() {
    for (const Allocation& a : allocation_table()) {
        const bool is_variable = a.space == BufferSpace::symbol || a.space == BufferSpace::constant;
        if (!a.live || a.allocated.line == 0 || is_variable) continue;
        const char* call = a.space == BufferSpace::array    ? "cudaFreeArray"
                           : a.space == BufferSpace::pinned ? "cudaFreeHost"
                                                            : "cudaFree";
        report_finding({.kind = "leak",
                        .advice = true,
                        .message = fmt::format("{} ({} bytes, allocated at line {}) was never freed", a.name,
                                               a.bytes, a.allocated.line),
                        .fix = fmt::format("Free it with {} when the last {} that uses it is done.", call,
                                           a.space == BufferSpace::pinned ? "copy or kernel" : "kernel"),
                        .where = a.allocated,
                        .buffer = a.name});
    }
    graph::report_leaks();
}

}  // namespace

void write_report(const Json& record) {
    const std::lock_guard lock(report_mutex);
    SessionState& s = session();
    if (s.report.data == nullptr) {
        // A program that was started without a session still tells its user what went wrong.
        if (record.value("type", "") == "finding" && record.value("count", 1) == 1)
            std::fprintf(stderr, "%s:%d: %s: %s\n", record.value("file", "").c_str(), record.value("line", 0),
                         record.value("severity", "").c_str(), record.value("message", "").c_str());
        return;
    }
    const std::string line = record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    append(s.report, line.data(), line.size(), nullptr, 0);
}

void write_report_text(std::string_view line) {
    const std::lock_guard lock(report_mutex);
    append(session().report, line.data(), line.size(), nullptr, 0);
}

bool write_trace(const void* header, size_t header_bytes, const void* payload, size_t payload_bytes) {
    return append(session().trace, header, header_bytes, payload, payload_bytes);
}

// What the device of this session has, for whoever shows limits.
static void report_device() {
    const DeviceProfile& p = device_profile();
    const auto three = [](const Index3& d) { return Json::array({d.x, d.y, d.z}); };
    write_report({{"type", "device"},
                  {"name", p.name},
                  {"max_block", three(p.max_block)},
                  {"max_grid", three(p.max_grid)},
                  {"limits",
                   {{"sm_count", p.sm_count},
                    {"global_bytes", p.global_bytes},
                    {"constant_bytes", p.constant_bytes},
                    {"l2_bytes", p.l2_bytes},
                    {"shared_per_block", p.shared_per_block},
                    {"shared_per_block_optin", p.shared_per_block_optin},
                    {"shared_per_sm", p.shared_per_sm},
                    {"registers_per_block", p.registers_per_block},
                    {"registers_per_sm", p.registers_per_sm},
                    {"threads_per_block", p.threads_per_block},
                    {"threads_per_sm", p.threads_per_sm},
                    {"blocks_per_sm", p.blocks_per_sm},
                    {"clock_khz", p.clock_khz},
                    {"memory_clock_khz", p.memory_clock_khz},
                    {"memory_bus_bits", p.memory_bus_bits},
                    {"fp32_per_sm", p.fp32_per_sm},
                    {"warp_size", 32}}}});
}

void report_buffer(const Allocation& a) {
    Json record{{"type", "buffer"},
                {"id", a.id},
                {"name", a.name},
                {"space", space_name(a.space)},
                {"address", reinterpret_cast<uint64_t>(a.base)},
                {"bytes", a.bytes},
                {"element_bytes", a.element_bytes},
                {"file", a.allocated.file},
                {"line", a.allocated.line}};
    if (devices::several) record["device"] = a.device;
    write_report(record);
}

}  // namespace simt

using namespace simt;

extern "C" {

void simt_session_begin(const simt_session_options* options) {
    SessionState& s = session();
    s.active = true;
    s.order = options->order;
    if (options->step_budget != 0) s.step_budget = options->step_budget;
    s.memory_budget = options->memory_budget;
    s.devices = options->devices == 0 ? 1 : options->devices;
    if (options->trace_records != 0) s.trace_records = options->trace_records;
    s.advise_leaks = options->advice_leaks != 0;
    s.grid = {options->grid[0], options->grid[1], options->grid[2]};
    s.report = options->report;
    s.trace = options->trace;
    if (options->device_profile != nullptr) s.profile = options->device_profile;
    if (options->registers != nullptr) read_registers(options->registers, s.registers);
    map_arena();
    catch_signals();
    std::atexit(at_exit);
}

void simt_session_end(void) {
    SessionState& s = session();
    finish_work();
    report_unchecked_errors();
    if (program.checked && current_error() == 0) {
        capture::report_unfinished();
        graph::report_unused();
    }
    // After a fault cudaFree fails, too: what it could not free is a consequence.
    if (s.advise_leaks && current_error() == 0) report_leaks();
    settle_findings(true);
    write_timeline();
    report_device();
    write_end("returned");
}

void* simt_buffer_create(const char* name, size_t bytes, size_t element_bytes) {
    return memory::allocate(bytes, element_bytes, BufferSpace::global, name, {"", 0});
}

void simt_buffer_pin(const char* name, void* host, size_t bytes, size_t element_bytes) {
    memory::register_host(host, bytes, {"", 0}, name, element_bytes);
}

void simt_buffer_upload(void* device, const void* host, size_t bytes) {
    std::memcpy(memory::host_view(device), host, bytes);
    memory::mark_initialised(device, bytes);
}

void simt_buffer_download(void* device, void* host, size_t bytes, int must_be_written) {
    runtime::finish_everything();
    const Allocation* buffer = memory::find(device);
    if (buffer == nullptr) return;
    if (!buffer->live) return;  // the learner freed it: reported where it is used or freed again
    const auto gaps = memory::uninitialised(device, bytes);
    const char* view = memory::host_view(device);
    auto* to = static_cast<char*>(host);
    size_t next = 0, missing = 0;
    for (const auto& gap : gaps) {
        std::memcpy(to + next, view + next, gap.first - next);
        next = gap.last + 1;
        missing += gap.last / buffer->element_bytes - gap.first / buffer->element_bytes + 1;
    }
    std::memcpy(to + next, view + next, bytes - next);
    if (must_be_written != 0 && !gaps.empty())
        report_never_written(*buffer, gaps.front().first / buffer->element_bytes,
                             gaps.back().last / buffer->element_bytes, missing);
}

}  // extern "C"
