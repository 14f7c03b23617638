#include "simt/libraries/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include "simt/checker/pages.h"
#include "simt/host/timeline.h"
#include "simt/machine/devices.h"
#include "simt/machine/errors.h"

namespace simt::libraries {
namespace {

using Use = Operand::Use;
using Part = Operand::Part;

struct Piece {
    const char* begin;
    size_t bytes;
};

std::vector<Piece> pieces_of(const Operand& o) {
    const auto* base = static_cast<const char*>(o.pointer);
    if (o.part == Part::whole && (o.columns == 1 || o.ld == o.rows))
        return {{base, o.rows * o.columns * o.element_bytes}};
    std::vector<Piece> pieces;
    pieces.reserve(o.columns);
    for (size_t j = 0; j < o.columns; ++j) {
        const size_t first = o.part == Part::lower ? std::min(j, o.rows) : 0;
        const size_t last = o.part == Part::upper ? std::min(j + 1, o.rows) : o.rows;
        if (first < last)
            pieces.push_back({base + (j * o.ld + first) * o.element_bytes, (last - first) * o.element_bytes});
    }
    return pieces;
}

// From the first byte to the last.
size_t extent_of(const Operand& o) {
    return ((o.columns - 1) * o.ld + o.rows) * o.element_bytes;
}

bool is_empty(const Operand& o) {
    return o.rows == 0 || o.columns == 0;
}

const char* verb(const Operand& o) {
    return o.use == Use::reads ? "reads" : "writes";
}

FindingDraft about(const Call& call, const char* kind, const std::string& message, const std::string& fix) {
    return {.kind = kind, .message = message, .fix = fix, .where = call.where};
}

std::string shape_of(const Operand& o) {
    if (o.columns == 1) return fmt::format("{} of {} elements", o.name, o.rows);
    if (o.rows == 1) return fmt::format("{} of {} elements, {} apart", o.name, o.columns, o.ld);
    return fmt::format("{} of {} rows and {} columns, whose columns begin {} elements apart", o.name, o.rows,
                       o.columns, o.ld);
}

FindingDraft no_device_memory(const Call& call, const Operand& o) {
    const std::string what =
        fmt::format("{} at line {} gets {} for {}", call.name, call.where.line,
                    o.pointer == nullptr                   ? "a null pointer"
                    : memory::is_device_address(o.pointer) ? "a device address in no buffer"
                                                           : "host memory",
                    o.name);
    return about(call, o.pointer == nullptr ? "api-misuse" : "host-pointer", what,
                 "The library works on device memory: pass the pointer that cudaMalloc set.");
}

FindingDraft freed_memory(const Call& call, const Operand& o, const Allocation& a) {
    FindingDraft draft = about(call, "use-after-free",
                               fmt::format("{} at line {} {} {} ({}), which line {} freed", call.name,
                                           call.where.line, verb(o), a.name, o.name, a.freed.line),
                               "Free a buffer only after its last use.");
    draft.buffer = a.name;
    draft.has_other = true;
    draft.other_action = "freed";
    draft.other = a.freed;
    return draft;
}

std::string how_to_fit(const Operand& o) {
    if (o.columns == 1 || o.rows == 1)
        return fmt::format(
            "Compare {} with what was allocated: the call counts elements, and cudaMalloc bytes.",
            o.ld > 1 && o.rows == 1 ? "the length and the step in the call" : "the length in the call");
    return "Compare the sizes and the leading dimension in the call with what was allocated. Matrices are "
           "column-major: the leading dimension is the number of rows as the matrix lies in memory.";
}

FindingDraft past_the_end(const Call& call, const Operand& o, const Allocation& a, size_t offset) {
    const size_t element = std::max<size_t>(1, a.element_bytes);
    FindingDraft draft =
        about(call, "oob-global",
              fmt::format("{} at line {} {} {}: it reaches to {}[{}], but the buffer holds {} elements",
                          call.name, call.where.line, verb(o), shape_of(o), a.name,
                          (offset + extent_of(o) - 1) / element, a.bytes / element),
              how_to_fit(o));
    draft.buffer = a.name;
    draft.element = static_cast<int64_t>(a.bytes / element);
    draft.last_element = static_cast<int64_t>((offset + extent_of(o) - 1) / element);
    draft.has_other = a.allocated.line != 0;
    draft.other_action = "allocated";
    draft.other = a.allocated;
    return draft;
}

FindingDraft other_device(const Call& call, const Operand& o, const Allocation& a, int device) {
    FindingDraft draft =
        about(call, "wrong-device",
              fmt::format("{} at line {} runs on device {} and has no access to {} ({}) on device {}",
                          call.name, call.where.line, device, a.name, o.name, a.device),
              fmt::format("Allocate it on device {}, or let that device reach it with "
                          "cudaDeviceEnablePeerAccess.",
                          device));
    draft.buffer = a.name;
    return draft;
}

std::optional<FindingDraft> fault_of(const Call& call, const Operand& o, int device) {
    const Allocation* a = o.pointer == nullptr ? nullptr : memory::find(o.pointer);
    if (a == nullptr || a->space == BufferSpace::array) return no_device_memory(call, o);
    const bool is_there = a->live || a->is_promised || (a->is_of_graph && runtime::may_be_recorded());
    if (!is_there) return freed_memory(call, o, *a);
    const auto offset = static_cast<size_t>(static_cast<const char*>(o.pointer) - a->base);
    if (extent_of(o) > a->bytes - offset) return past_the_end(call, o, *a, offset);
    const bool is_plain = a->space == BufferSpace::global && a->pool_access == nullptr;
    if (devices::several && is_plain && !devices::has(devices::reached_by(device), a->device))
        return other_device(call, o, *a, device);
    return std::nullopt;
}

void check_written(const Call& call, const Operand& o) {
    if (o.use == Use::writes || (o.unless_zero != nullptr && o.unless_zero->now() == 0)) return;
    for (const Piece& piece : pieces_of(o)) {
        const auto gaps = memory::uninitialised(piece.begin, piece.bytes);
        if (gaps.empty()) continue;
        const Allocation* a = memory::find(piece.begin);
        const char* at = piece.begin + gaps.front().first;
        const auto inside = static_cast<size_t>(at - static_cast<const char*>(o.pointer)) / o.element_bytes;
        const auto element =
            static_cast<int64_t>(static_cast<size_t>(at - a->base) / std::max<size_t>(1, a->element_bytes));
        const bool is_matrix = o.rows > 1 && o.columns > 1;
        const std::string place =
            is_matrix ? fmt::format(" (row {}, column {} of {})", inside % o.ld, inside / o.ld, o.name)
                      : fmt::format(" ({})", o.name);
        FindingDraft draft = about(call, "uninit-global",
                                   fmt::format("{} at line {} reads {}[{}]{}, which nothing has written",
                                               call.name, call.where.line, a->name, element, place),
                                   "Write the buffer first: copy to it, set it, or let a kernel fill it.");
        draft.buffer = a->name;
        draft.element = element;
        report_finding(draft);
        return;
    }
}

void touch_pages(const Call& call, const Operand& o, int device) {
    const Allocation* a = pages::any ? memory::find(o.pointer) : nullptr;
    if (a == nullptr || a->space != BufferSpace::managed) return;
    if (o.use == Use::reads)
        pages::read_by_copy(o.pointer, extent_of(o), device, call.where);
    else
        pages::written_by_copy(o.pointer, extent_of(o), device, false, call.where);
}

int device_of(const queue::OperationPtr& operation) {
    return operation == nullptr ? devices::current() : queue::stream_at(operation->stream).device;
}

void break_context(const Call& call) {
    raise_error(error_illegal_address, true, call.where,
                fmt::format("{} at line {} used memory that it must not", call.name, call.where.line));
}

void run_work(const Call& call, const Work& work) {
    const queue::OperationPtr operation = queue::running();
    const int device = device_of(operation);
    const bool is_consequence = operation != nullptr && operation->raced;
    for (const Operand& o : work.operands) {
        if (!is_consequence) check_written(call, o);
        touch_pages(call, o, device);
    }
    work.run();
    for (const Operand& o : work.operands) wrote(o);
    if (operation != nullptr) timeline::library_ran(*operation, work.cost);
}

}  // namespace

double Scalar::now() const {
    if (device == nullptr) return value;
    if (is_double) return *view(static_cast<const double*>(device));
    return *view(static_cast<const float*>(device));
}

Operand matrix(const char* name, const void* pointer, size_t element_bytes, long rows, long columns, long ld,
               Use use, Part part, std::shared_ptr<const Scalar> unless_zero) {
    return {name,
            pointer,
            element_bytes,
            static_cast<size_t>(rows),
            static_cast<size_t>(columns),
            static_cast<size_t>(ld),
            use,
            part,
            std::move(unless_zero)};
}

Operand vector(const char* name, const void* pointer, size_t element_bytes, long n, long increment, Use use,
               std::shared_ptr<const Scalar> unless_zero) {
    const auto step = static_cast<size_t>(std::labs(increment));
    const auto count = static_cast<size_t>(n);
    if (step == 1)
        return {name, pointer, element_bytes, count, 1, count, use, Part::whole, std::move(unless_zero)};
    if (step == 0) return {name, pointer, element_bytes, 1, 1, 1, use, Part::whole, std::move(unless_zero)};
    return {name, pointer, element_bytes, 1, count, step, use, Part::whole, std::move(unless_zero)};
}

cudaError_t queue_call(const Call& call, cudaStream_t stream, Work work) {
    const ApiLock lock;
    if (const cudaError_t error = runtime::enter(runtime::Call::work); error != cudaSuccess) return error;
    const queue::Stream* found = runtime::find_stream(stream);
    if (found == nullptr) return runtime::unknown_stream(call.name, call.where);
    std::erase_if(work.operands, is_empty);
    std::vector<queue::Span> spans;
    size_t bytes = 0;
    bool is_faulty = false;
    for (const Operand& o : work.operands) {
        if (const auto fault = fault_of(call, o, found->device)) {
            report_finding(*fault);
            is_faulty = true;
            continue;
        }
        for (const Piece& piece : pieces_of(o)) {
            const auto begin = reinterpret_cast<uintptr_t>(piece.begin);
            spans.push_back({begin, begin + piece.bytes, o.use != Use::reads});
            bytes += piece.bytes;
        }
    }
    if (work.cost.bytes == 0) work.cost.bytes = static_cast<double>(bytes);
    const bool waits = work.waits;
    std::function<void()> run = [call, work = std::move(work)] { run_work(call, work); };
    if (is_faulty) run = [call] { break_context(call); };
    return runtime::in_stream(stream,
                              {.kind = queue::Kind::library,
                               .where = call.where,
                               .name = call.name,
                               .spans = is_faulty ? std::vector<queue::Span>{} : std::move(spans),
                               .run = std::move(run)},
                              waits);
}

bool touch(const Call& call, const Operand& o) {
    const int device = device_of(queue::running());
    if (is_empty(o)) return true;
    if (const auto fault = fault_of(call, o, device)) {
        report_finding(*fault);
        break_context(call);
        return false;
    }
    check_written(call, o);
    touch_pages(call, o, device);
    return true;
}

void wrote(const Operand& o) {
    if (o.use == Use::reads || is_empty(o)) return;
    for (const Piece& piece : pieces_of(o)) memory::mark_initialised(piece.begin, piece.bytes);
}

bool is_host_argument(const Call& call, const char* argument, const void* pointer, const char* fix) {
    const Allocation* a = memory::find(pointer);
    const bool is_host = a == nullptr ? !memory::is_device_address(pointer)
                                      : a->space == BufferSpace::managed || a->space == BufferSpace::pinned;
    if (!is_host)
        report_finding(about(call, "device-pointer-on-host",
                             fmt::format("{} at line {} reads or writes {} on the host, but it points to "
                                         "device memory",
                                         call.name, call.where.line, argument),
                             fix));
    return is_host;
}

void report_refused(const Call& call, const std::string& why, const std::string& fix) {
    report_finding(about(call, "api-misuse",
                         fmt::format("{} at line {} is refused: {}", call.name, call.where.line, why), fix));
}

void note_destroyed(const char* create, Where created) {
    static auto& times = *new std::map<std::pair<std::string, int>, int>;
    constexpr int many = 4;
    if (++times[{created.file, created.line}] != many) return;
    report_finding({.kind = "api-misuse",
                    .advice = true,
                    .message = fmt::format("{} at line {} has made {} handles that were destroyed again",
                                           create, created.line, many),
                    .fix =
                        "A handle is costly to make, and destroying one waits for the device: make it once, "
                        "and use it for all calls.",
                    .where = created});
}

}  // namespace simt::libraries
