#include "simt/checker/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "simt/checker/draft.h"
#include "simt/machine/arena.h"
#include "simt/machine/errors.h"
#include "simt/machine/program.h"

namespace simt {

using namespace finding;

namespace {
thread_local const void* host_pc = nullptr;
}  // namespace

void report_finding(const FindingDraft& f) {
    Draft d{.kind = f.kind,
            .message = f.message,
            .fix = f.fix,
            .advice = f.advice,
            .at = site_of(f.where),
            .lane = current_lane};
    d.element = {f.buffer, f.element, f.element >= 0 ? size_t{1} : 0};
    d.last_element = f.last_element;
    d.has_other = f.has_other;
    d.other_action = f.other_action;
    d.other = site_of(f.other);
    finding::write(d);
}

// The allocation that the same instruction went to before, in this block: where two lie side by side, an index that is far
// off in one may have come nearer to the other.
static const Allocation* reached_before(const Lane& lane, bool writes, const void* pc) {
    const uint32_t site = program.offset(pc);
    for (WarpLog& warp : lane.block->logs)
        for (const LogEntry& entry : warp.accesses) {
            if (entry.site != site || entry.space != trace::Space::global || entry.texture != 0) continue;
            if (!writes && entry.op != trace::Op::load) continue;
            if (writes && entry.op == trace::Op::load) continue;  // a memcpy does both at one place
            for (unsigned i = 0; i < 32; ++i) {
                if ((entry.mask >> i & 1) == 0) continue;
                const Allocation* a = memory::find(reinterpret_cast<const void*>(entry.address[i]));
                if (a != nullptr && a->live) return a;
            }
        }
    return nullptr;
}

void report_bounds(const Lane& lane, const void* address, unsigned bytes, bool writes, const void* pc) {
    const Site at = site_in(lane, pc);
    fault(lane, error_illegal_address);
    const Allocation* a = memory::find(address);
    if (a != nullptr && !a->live) {
        const Element e = element_of_allocation(*a, address);
        return finding::write(
            {.kind = "use-after-free",
             .message = fmt::format("{} {} {}{}, but line {} had freed {}", name_lane(lane), did(writes),
                                    e.text(), at_line(at), a->freed.line, a->name),
             .fix = "Free the buffer after the last kernel that uses it has finished.",
             .at = at,
             .lane = &lane,
             .element = e,
             .has_other = true,
             .other_action = "freed",
             .other = site_of(a->freed)});
    }
    if (a == nullptr) a = symbol_at(address);
    if (a == nullptr) a = reached_before(lane, writes, pc);
    if (a == nullptr) a = nearest(address);
    if (a == nullptr) return report_foreign(lane, address, bytes, writes, pc);
    const Element e = element_of_allocation(*a, address);
    const char* kind = a->space == BufferSpace::constant ? "oob-constant" : "oob-global";
    const std::string holds =
        e.count == 0   ? fmt::format("{} is empty", a->name)
        : e.count == 1 ? fmt::format("{} has 1 element", a->name)
                       : fmt::format("{} has {} elements (0 to {})", a->name, e.count, e.count - 1);
    const std::string fix =
        e.index < 0
            ? "An index below 0 was used: check what is subtracted from it at the edge."
            : fmt::format("Let a thread touch {} only where its index is below {}.", a->name, e.count);
    finding::write({.kind = kind,
                    .message = fmt::format("{} {} {}{}, but {}", name_lane(lane), did(writes), e.text(),
                                           at_line(at), holds),
                    .fix = fix,
                    .at = at,
                    .lane = &lane,
                    .element = e});
}

void report_shared_bounds(const Lane& lane, const void* address, unsigned, bool writes, const void* pc) {
    const Site at = site_in(lane, pc);
    fault(lane, error_illegal_address);
    const BlockRun& block = *lane.block;
    const Element e = element_of_shared(block, address);
    const ptrdiff_t inside = place_in_shared(block, address);
    const bool dynamic = inside >= static_cast<ptrdiff_t>(Arena::dynamic_offset);
    if (dynamic && block.dynamic_bytes == 0) {
        return finding::write(
            {.kind = "oob-shared",
             .message = fmt::format("{} {} {}{}, but the launch gave this kernel no dynamic shared memory",
                                    name_lane(lane), did(writes), e.text(), at_line(at)),
             .fix = "Pass the number of bytes as the third launch argument: kernel<<<grid, block, bytes>>>.",
             .at = at,
             .lane = &lane,
             .element = e});
    }
    finding::write(
        {.kind = "oob-shared",
         .message = fmt::format(
             "{} {} {}{}, but {} has {} element{}{}", name_lane(lane), did(writes), e.text(), at_line(at),
             e.buffer, e.count, e.count == 1 ? "" : "s",
             dynamic ? fmt::format(" ({} bytes were given at the launch)", block.dynamic_bytes) : ""),
         .fix = inside < 0 ? "An index below 0 was used: check what is subtracted from it at the edge."
                : dynamic  ? "The third launch argument counts bytes: elements * sizeof(element)."
                           : "Check the index against the size of the array.",
         .at = at,
         .lane = &lane,
         .element = e});
}

namespace {

// Line `number` of a source file; empty if it can't be read.
std::string source_line(const char* file, int number) {
    std::ifstream in(file);
    std::string line;
    for (int i = 0; i < number; ++i)
        if (!std::getline(in, line)) return "";
    return line;
}

bool has_word(const std::string& text, const std::string& word) {
    const auto part_of_a_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const bool starts = at == 0 || !part_of_a_name(text[at - 1]);
        const bool ends = at + word.size() == text.size() || !part_of_a_name(text[at + word.size()]);
        if (starts && ends) return true;
    }
    return false;
}

// The compiler's index check does not say which array it means. The shared variable with that extent (or a
// struct, which may hold it) that the line speaks of; nullptr: it is a local array.
const SharedVariable* shared_array(const BlockRun& block, const Site& at, long count) {
    const std::string line = source_line(at.file, at.line);
    for (const SharedVariable& v : block.shared) {
        const size_t* end = v.shape.extents + v.shape.rank;
        const bool fits =
            v.shape.rank == 0 || std::find(v.shape.extents, end, static_cast<size_t>(count)) != end;
        if (fits && has_word(line, v.name)) return &v;
    }
    return nullptr;
}

// The same for the thread's own arrays; nullptr: it may be one of several, or a part of something else.
const LocalArray* local_array(const Lane& lane, const Site& at, long count) {
    const std::string line = source_line(at.file, at.line);
    const LocalArray* found = nullptr;
    for (const LocalArray& array : lane.locals) {
        const bool fits = count > 0 && array.bytes / array.element_bytes % static_cast<size_t>(count) == 0;
        if (!fits || !has_word(line, array.name)) continue;
        if (found != nullptr) return nullptr;
        found = &array;
    }
    return found;
}

// The same for __device__ and __constant__ arrays.
const Allocation* symbol_array(const Site& at, long count) {
    const std::string line = source_line(at.file, at.line);
    for (const Allocation& symbol : symbol_table()) {
        const size_t elements = symbol.bytes / symbol.element_bytes;
        const bool fits = count > 0 && elements % static_cast<size_t>(count) == 0;
        if (fits && has_word(line, symbol.name)) return &symbol;
    }
    return nullptr;
}

void report_symbol_index(const Lane& lane, const Allocation& symbol, long index, long count, const Site& at) {
    const bool whole = symbol.bytes / symbol.element_bytes == static_cast<size_t>(count);
    finding::write(
        {.kind = symbol.space == BufferSpace::constant ? "oob-constant" : "oob-global",
         .message = fmt::format("{} used index {}{} in {}, {} {} elements (0 to {})", name_lane(lane), index,
                                at_line(at), symbol.name, whole ? "which has" : "where this dimension has",
                                count, count - 1),
         .fix = "Check the index against the size of the array.",
         .at = at,
         .lane = &lane,
         .element = {symbol.name, index, static_cast<size_t>(count)}});
}

}  // namespace

void report_array_index(const Lane& lane, long index, long count, const void* pc) {
    const Site at = site_in(lane, pc);
    fault(lane, error_illegal_address);
    const SharedVariable* shared = shared_array(*lane.block, at, count);
    const LocalArray* local = shared == nullptr ? local_array(lane, at, count) : nullptr;
    const Allocation* symbol = shared == nullptr && local == nullptr ? symbol_array(at, count) : nullptr;
    if (symbol != nullptr) return report_symbol_index(lane, *symbol, index, count, at);
    const std::string name = shared != nullptr  ? shared->name
                             : local != nullptr ? local->name
                                                : "a local array";
    const bool whole =
        (shared != nullptr && shared->shape.rank == 1) ||
        (local != nullptr && local->bytes / local->element_bytes == static_cast<size_t>(count));
    finding::write(
        {.kind = shared != nullptr ? "oob-shared" : "oob-local",
         .message = fmt::format(
             "{} used index {}{} in {}, {} {} elements (0 to {})", name_lane(lane), index, at_line(at), name,
             whole || (shared == nullptr && local == nullptr) ? "which has" : "where this dimension has",
             count, count - 1),
         .fix = "Check the index against the size of the array.",
         .at = at,
         .lane = &lane,
         .element = {shared == nullptr && local == nullptr ? "" : name, index, static_cast<size_t>(count)}});
}

void report_misaligned(const Lane& lane, const void* address, unsigned bytes, bool writes, const void* pc) {
    const Site at = site_in(lane, pc);
    fault(lane, error_misaligned);
    const Element e = element_at(lane, address);
    finding::write(
        {.kind = "misaligned",
         .message = fmt::format(
             "{} {} {} bytes at once{} at an address that is not a multiple of {} ({} bytes past one), in {}",
             name_lane(lane), did(writes), bytes, at_line(at), bytes,
             reinterpret_cast<uintptr_t>(address) % bytes, e.buffer),
         .fix = fmt::format("A {}-byte access needs a {}-byte aligned address: start at an element whose "
                            "byte offset is a multiple of {}.",
                            bytes, bytes, bytes),
         .at = at,
         .lane = &lane,
         .element = e});
}

void report_uninitialised(const Lane& lane, const void* address, unsigned, trace::Space space,
                          const Allocation* buffer, const void* pc) {
    const Site at = site_in(lane, pc);
    const Element e = element_at(lane, address);
    const bool shared = space == trace::Space::shared;
    finding::write(
        {.kind = shared ? "uninit-shared" : "uninit-global",
         .message =
             fmt::format("{} read {}{}, which nothing has written", name_lane(lane), e.text(), at_line(at)),
         .fix = shared ? "Shared memory starts with no value: write every element that is read, with a "
                         "__syncthreads() between."
                : buffer != nullptr && buffer->space == BufferSpace::array
                    ? "Copy data into the array, or write it through a surface in a launch before."
                    : "Copy data into the buffer, or set it with cudaMemset, before a kernel reads it.",
         .at = at,
         .lane = &lane,
         .element = e});
}

namespace {

Element element_of_local(const LocalArray& array, size_t offset) {
    return {array.name, static_cast<int64_t>(offset / array.element_bytes),
            array.bytes / array.element_bytes};
}

}  // namespace

void report_local_bounds(const Lane& lane, const LocalArray& array, size_t offset, bool writes,
                         const void* pc) {
    const Site at = site_in(lane, pc);
    fault(lane, error_illegal_address);
    const Element e = element_of_local(array, offset);
    finding::write({.kind = "oob-local",
                    .message = fmt::format("{} {} past the end of {}{}, which has {} elements",
                                           name_lane(lane), did(writes), array.name, at_line(at), e.count),
                    .fix = "Check the index against the size of the array.",
                    .at = at,
                    .lane = &lane,
                    .element = e});
}

void report_uninitialised_local(const Lane& lane, const LocalArray& array, size_t offset, const void* pc) {
    const Site at = site_in(lane, pc);
    const Element e = element_of_local(array, offset);
    const bool is_fragment = std::string_view(array.name) == "fragment.x";
    finding::write({.kind = "uninit-local",
                    .message = fmt::format("{} read {}{}, which it has not written", name_lane(lane),
                                           e.text(), at_line(at)),
                    .fix = is_fragment ? "A fragment starts with no values: call fill_fragment or "
                                         "load_matrix_sync for it first."
                                       : fmt::format("A local array starts with no value: write {} before it "
                                                     "is read, or declare it with = {{}}.",
                                                     array.name),
                    .at = at,
                    .lane = &lane,
                    .element = e,
                    .has_other = true,
                    .other_action = "declared",
                    .other = site_of(array.where)});
}

void report_constant_write(const Lane& lane, const Allocation& symbol, const void* address, const void* pc) {
    const Site at = site_in(lane, pc);
    fault(lane, error_illegal_address);
    const Element e = element_of_allocation(symbol, address);
    finding::write(
        {.kind = "oob-constant",
         .message = fmt::format("{} wrote {}{}, but __constant__ memory cannot be written by a kernel",
                                name_lane(lane), e.text(), at_line(at)),
         .fix = "Set it from the host with cudaMemcpyToSymbol.",
         .at = at,
         .lane = &lane,
         .element = e});
}

void report_foreign(const Lane& lane, const void* address, unsigned, bool writes, const void* pc) {
    const Site at = site_in(lane, pc);
    fault(lane, error_illegal_address);
    if (address == nullptr || reinterpret_cast<uintptr_t>(address) < 4096) {
        return finding::write({.kind = "oob-global",
                               .message = fmt::format("{} {} through a null pointer{}", name_lane(lane),
                                                      writes ? "wrote" : "read", at_line(at)),
                               .fix = "Allocate the buffer with cudaMalloc and check what it returned.",
                               .at = at,
                               .lane = &lane});
    }
    const bool variable = program.is_global_variable(address);
    const Where launched = lane.block->launch->call.where;
    finding::write(
        {.kind = "host-pointer",
         .message = variable ? fmt::format("{} {} a host variable{}; a kernel cannot see it", name_lane(lane),
                                           did(writes), at_line(at))
                             : fmt::format("{} {} host memory{}: line {} passed a host pointer to {}",
                                           name_lane(lane), did(writes), at_line(at), launched.line,
                                           lane.block->launch->call.kernel),
         .fix = variable ? "Mark it __device__ (or __constant__), or pass its value as a kernel argument."
                         : "Allocate with cudaMalloc, copy with cudaMemcpy, and pass the device pointer.",
         .at = at,
         .lane = &lane,
         .has_other = true,
         .other_action = "launched",
         .other = site_of(launched)});
}

void report_host_access(const void* address, unsigned, bool writes, const void* pc) {
    load_program(pc);  // there may have been no launch yet
    const Site at = program.site(pc);
    const Allocation* a = memory::find(address);
    if (a == nullptr) a = nearest(address);
    const Element e = a == nullptr ? Element{} : element_of_allocation(*a, address);
    finding::write(
        {.kind = "device-pointer-on-host",
         .message = fmt::format("host code {} {}{}, which is device memory", did(writes),
                                a == nullptr ? "an address" : e.text(), at_line(at)),
         .fix = "Copy it with cudaMemcpy and use the host copy; only kernels can follow a device pointer.",
         .at = at,
         .element = e});
}

void report_freed_on_host(const Allocation& a, const void* address, bool writes, const void* pc) {
    load_program(pc);
    const Site at = program.site(pc);
    const Element e = element_of_allocation(a, address);
    finding::write({.kind = "use-after-free",
                    .message = fmt::format("host code {} {}{}, but line {} had freed {}", did(writes),
                                           e.text(), at_line(at), a.freed.line, a.name),
                    .fix = "Free managed memory after the last use on either side.",
                    .at = at,
                    .element = e,
                    .has_other = true,
                    .other_action = "freed",
                    .other = site_of(a.freed)});
}

void note_host_pc(const void* pc) {
    host_pc = pc;
}
const void* last_host_pc() {
    return host_pc;
}

}  // namespace simt
