#include "simt/checker/stream_race.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "simt/checker/access.h"
#include "simt/checker/draft.h"
#include "simt/host/lock.h"
#include "simt/machine/arena.h"
#include "simt/machine/devices.h"
#include "simt/machine/launch_run.h"

namespace simt::stream_race {

using queue::Kind;
using queue::Operation;
using queue::OperationPtr;
using queue::Span;

bool kernel_is_watched = false;
bool anything_is_registered = false;

namespace {

// ---- spans of copies and memsets ----

struct Entry {
    uintptr_t end;
    bool writes;
    OperationPtr operation;
};

struct Spans {
    std::multimap<uintptr_t, Entry> by_begin;
    uintptr_t longest = 0;

    // Calls `visit` with all that overlap [begin, end).
    template <class Visit>
    void visit(uintptr_t begin, uintptr_t end, Visit visit) {
        auto i = by_begin.lower_bound(begin > longest ? begin - longest : 0);
        for (; i != by_begin.end() && i->first < end; ++i)
            if (i->second.end > begin) visit(i->first, i->second);
    }
    // A later operation of the same stream on the same span stands for the earlier one, too.
    void add(const Span& span, const OperationPtr& operation) {
        longest = std::max(longest, span.end - span.begin);
        const auto [first, last] = by_begin.equal_range(span.begin);
        for (auto i = first; i != last; ++i) {
            Entry& e = i->second;
            if (e.end != span.end || e.writes != span.writes || !e.operation->is_before(*operation)) continue;
            e.operation = operation;
            return;
        }
        by_begin.emplace(span.begin, Entry{span.end, span.writes, operation});
    }
};

// ---- what the host touched, word by word, while kernels were queued ----

struct HostWord {
    uint32_t write_tick = 0, write_site = 0;
    uint32_t read_tick = 0, read_site = 0;
    uint8_t written = 0, read = 0;  // which of its bytes, in that tick: bits
};

// The bytes of the word at `word` that lie in [begin, end), as bits.
unsigned bytes_of_word(uintptr_t word, uintptr_t begin, uintptr_t end) {
    unsigned bits = 0;
    for (uintptr_t b = std::max(word, begin); b < std::min(word + 4, end); ++b) bits |= 1u << (b - word);
    return bits;
}

HostWord* map_host_words() {
    constexpr size_t bytes = (Arena::size - Arena::managed_begin) / 4 * sizeof(HostWord);
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<HostWord*>(p);
}

struct State {
    Spans spans;
    std::array<OperationPtr, epoch::generation_mask + 1> kernels;  // by generation
    std::array<bool, epoch::generation_mask + 1> is_foreign{};     // unordered with the kernel that runs
    bool any_foreign = false;
    OperationPtr kernel;
    bool any_near = false;  // some span's operation is unordered with the kernel that runs
    std::map<uint32_t, std::vector<OperationPtr>> with_spans;  // by stream, in their order
    // Readers of an earlier kernel, where a later one that nothing orders with it took their place in the cell.
    struct Reader {
        uint32_t generation, site;
    };
    std::unordered_map<const Cell*, std::vector<Reader>> hidden_readers;
    HostWord* host_words = nullptr;
    std::unordered_map<uintptr_t, HostWord> registered_words;
    uint32_t last_host_tick = 0;  // of the newest of them
    // Flags that the host raised (by volatile or atomic writes) while a kernel was queued: what it did up to that
    // tick is ordered before what a kernel does once it has seen the flag.
    std::unordered_map<uintptr_t, uint32_t> host_flags;
    uint32_t seen_host_tick = 0;                // by the kernel that runs
    std::map<uintptr_t, uintptr_t> registered;  // begin, end
    // An edge that is missing in front of or behind a whole graph is one fault, whichever nodes meet it.
    std::set<std::pair<uint64_t, uint64_t>> missing_edges;
    // Races that were told: the two operations, their lines and the allocation. A kernel that races does so with
    // each of its accesses, and a sentence for each would take seconds.
    std::set<std::tuple<uint64_t, uint64_t, int, int, const Allocation*>> told;
};

State& state() {
    static State& s = *new State;
    return s;
}

HostWord* host_word(uintptr_t address, bool make) {
    State& s = state();
    const auto* p = reinterpret_cast<const void*>(address);
    if (arena.contains(p)) {
        const size_t offset = arena.offset_of(p);
        if (offset < Arena::managed_begin) return nullptr;
        if (s.host_words == nullptr && (!make || (s.host_words = map_host_words()) == nullptr))
            return nullptr;
        return &s.host_words[(offset - Arena::managed_begin) / 4];
    }
    if (make) return &s.registered_words[address / 4];
    const auto found = s.registered_words.find(address / 4);
    return found == s.registered_words.end() ? nullptr : &found->second;
}

// ---- words ----

// A graph's node runs where the graph is launched, whatever stream it is in here.
std::string stream_of(const Operation& o) {
    if (o.graph.number != 0) return fmt::format("the graph that line {} launches", o.graph.where.line);
    return queue::stream_at(o.stream).name;
}

std::string noun(const Operation& o) {
    if (o.kind == Kind::kernel && o.graph.number == 0)
        return fmt::format("kernel {} (launched at line {}", o.name, o.where.line);
    if (o.kind == Kind::kernel) return fmt::format("kernel {} (node of line {}", o.name, o.where.line);
    return fmt::format("{} (line {}", o.name, o.where.line);
}

std::string party(const Operation& o) {
    return fmt::format("{} in {})", noun(o), stream_of(o));
}

const char* does(const Operation& o, bool writes) {
    if (o.kind == Kind::release) return "frees";
    if (o.kind == Kind::allocate) return "allocates";
    return writes ? "writes" : "reads";
}

std::string argument(const Operation& o) {
    return queue::stream_at(o.stream).argument;
}

// The line at which an operation is queued.
int line_of(const Operation& o) {
    return o.graph.number != 0 ? o.graph.where.line : o.where.line;
}

std::string missing_node_edge(const Operation& first, const Operation& second) {
    return fmt::format(
        "Make the node of line {} depend on the node of line {}: name it among its dependencies, or "
        "add the edge with cudaGraphAddDependencies; in a capture record an event after line {} and make "
        "the other stream wait for it before line {}.",
        second.where.line, first.where.line, first.where.line, second.where.line);
}

std::string missing_edge(const Operation& first, const Operation& second) {
    if (first.graph.number != 0 && first.graph.number == second.graph.number)
        return missing_node_edge(first, second);
    const queue::Stream& a = queue::stream_at(first.stream);
    const queue::Stream& b = queue::stream_at(second.stream);
    std::string fix = fmt::format(
        "Record an event after line {} (cudaEventRecord(event, {})) and make {} wait for it before line {} "
        "(cudaStreamWaitEvent({}, event)).",
        line_of(first), argument(first), b.name, line_of(second), argument(second));
    if (a.device != b.device)
        return fmt::format("Nothing orders the streams of two devices, not even their default streams. {}",
                           fix);
    if (a.is_legacy != b.is_legacy)
        fix = fmt::format("{} does not wait for {}: it was made with cudaStreamNonBlocking. {}",
                          a.is_legacy ? b.name : a.name, a.is_legacy ? a.name : b.name, fix);
    return fix;
}

finding::Element element_at(const void* address) {
    const Allocation* a = memory::find(address);
    return a == nullptr ? finding::Element{} : finding::element_of_allocation(*a, address);
}

std::string name_of(const finding::Element& e) {
    return e.buffer.empty() ? "the same memory" : e.text();
}

struct Side {
    const Operation* operation;
    bool writes;
    int line = 0;  // of a kernel's own access
};

std::string deed(const Side& side, const std::string& what) {
    const std::string at = side.line == 0 ? "" : fmt::format(" at line {}", side.line);
    return fmt::format("{} {}{}{}", party(*side.operation), does(*side.operation, side.writes),
                       what.empty() ? " it" : " " + what, at);
}

bool is_known_edge(const Operation& first, const Operation& second) {
    constexpr uint64_t of_graph = uint64_t{1} << 63;
    const auto [a, b] = std::pair(first.graph.number, second.graph.number);
    if (a == b) return false;  // both 0, or nodes of one graph: each edge is a fault of its own
    const uint64_t from = a != 0 ? a | of_graph : first.id, to = b != 0 ? b | of_graph : second.id;
    return !state().missing_edges.emplace(from, to).second;
}

// `launch`: the one that runs.
void report(const Side& a, const Side& b, const void* address, int launch) {
    const Side& first = a.operation->id < b.operation->id ? a : b;
    const Side& second = a.operation->id < b.operation->id ? b : a;
    if (!state()
             .told
             .emplace(first.operation->id, second.operation->id, first.line, second.line,
                      memory::find(address))
             .second)
        return;
    if (is_known_edge(*first.operation, *second.operation)) return;
    const finding::Element e = element_at(address);
    const bool one_graph =
        first.operation->graph.number != 0 && first.operation->graph.number == second.operation->graph.number;
    const std::string nothing = one_graph
                                    ? "nothing makes one node wait for the other"
                                    : fmt::format("nothing makes {} wait for {}",
                                                  stream_of(*second.operation), stream_of(*first.operation));
    finding::write(
        {.kind = "stream-race",
         .message = fmt::format("{} while {}: {}", deed(second, name_of(e)), deed(first, ""), nothing),
         .fix = missing_edge(*first.operation, *second.operation),
         .at = finding::site_of(second.operation->where),
         .launch = launch,
         .element = e,
         .has_other = true,
         .other_action = "queued",
         .other = finding::site_of(first.operation->where)});
}

std::string wait_in_host(const Operation& o, int host_line) {
    const queue::Stream& stream = queue::stream_at(o.stream);
    const std::string whole_device =
        devices::several ? fmt::format("cudaSetDevice({}) and cudaDeviceSynchronize()", stream.device)
                         : "cudaDeviceSynchronize()";
    const bool is_branch = o.graph.number != 0 && stream.created.line == 0;
    const std::string wait =
        stream.is_legacy || is_branch ? whole_device : fmt::format("cudaStreamSynchronize({})", argument(o));
    if (host_line > line_of(o))
        return fmt::format("Put {} between line {} and line {}.", wait, line_of(o), host_line);
    return fmt::format("Put {} before line {}.", wait, host_line);
}

// The host touched what an operation touches that it had queued before and not waited for.
void report_host(const Side& side, const void* address, bool host_writes, const void* pc, int launch) {
    const Operation& o = *side.operation;
    const Site at = program.site(pc);
    const finding::Element e = element_at(address);
    const Allocation* a = memory::find(address);
    const bool managed = a != nullptr && a->space == BufferSpace::managed;
    const bool kernel = o.kind == Kind::kernel;
    const std::string line = side.line == 0 ? "" : fmt::format(" at line {}", side.line);
    std::string message =
        fmt::format("line {} {} {} on the host, but {} {} it{} and may not be done", at.line,
                    host_writes ? "writes" : "reads", name_of(e), party(o), does(o, side.writes), line);
    if (!host_writes && !o.done) message += ": the host sees the old value";
    finding::write({.kind = kernel && managed ? "managed-race" : "async-race",
                    .message = message,
                    .fix = wait_in_host(o, at.line),
                    .at = at,
                    .launch = launch,
                    .element = e,
                    .has_other = true,
                    .other_action = "queued",
                    .other = finding::site_of(o.where)});
}

// ---- kernels against others ----

void check_spans(const Side& side, uintptr_t begin, uintptr_t end, int launch) {
    if (!state().any_near) return;
    state().spans.visit(begin, end, [&](uintptr_t other_begin, const Entry& e) {
        if ((!side.writes && !e.writes) || e.operation->is_ordered_with(*side.operation)) return;
        const auto* at = reinterpret_cast<const void*>(std::max(begin, other_begin));
        report(side, {e.operation.get(), e.writes}, at, launch);
    });
}

void check_one_cell(const Side& side, const Cell& cell, const void* address, bool orders, int launch) {
    State& s = state();
    const auto against = [&](uint64_t past, uint32_t site, bool past_writes) {
        if ((past & epoch::valid_flag) == 0 || !s.is_foreign[epoch::generation(past)]) return;
        if (orders && (past & epoch::atomic_flag) != 0) return;
        const Operation* other = s.kernels[epoch::generation(past)].get();
        report(side, {other, past_writes, program.site(program.address(site)).line}, address, launch);
    };
    against(cell.write, cell.write_site, true);
    if ((cell.read & epoch::set_flag) == 0 && side.writes) against(cell.read, cell.read_site, false);
    const auto hidden = s.hidden_readers.find(&cell);
    if (hidden == s.hidden_readers.end() || !side.writes) return;
    for (const State::Reader& r : hidden->second)
        if (s.is_foreign[r.generation])
            report(side, {s.kernels[r.generation].get(), false, program.site(program.address(r.site)).line},
                   address, launch);
}

// Calls `visit` for each of [begin, end)'s cells, with its address: one a word, or one a byte where threads share
// a word by bytes.
template <class Visit>
void visit_cells(uintptr_t begin, uintptr_t end, Visit visit) {
    for (uintptr_t p = begin / 4 * 4; p < end; p += 4) {
        const Cell* cell = cell_of(reinterpret_cast<const void*>(p));
        if (cell == nullptr) return;
        if ((cell->write & epoch::split_flag) == 0) {
            visit(*cell, reinterpret_cast<const void*>(std::max(p, begin)));
            continue;
        }
        for (uintptr_t b = std::max(p, begin); b < std::min(p + 4, end); ++b)
            if (const Cell* part = byte_cell(*cell, b % 4)) visit(*part, reinterpret_cast<const void*>(b));
    }
}

void keep_hidden_reader(const Cell& cell) {
    State& s = state();
    const uint64_t past = cell.read;
    if ((past & epoch::valid_flag) == 0 || (past & epoch::set_flag) != 0) return;
    const uint32_t generation = epoch::generation(past);
    if (!s.is_foreign[generation]) return;
    auto& readers = s.hidden_readers[&cell];
    for (const State::Reader& r : readers)
        if (r.generation == generation) return;
    readers.push_back({generation, cell.read_site});
}

// Of each stream's operations with spans, those up to some are before the kernel, and those from some on after
// it: is there one between?
bool is_near_spans(const Operation& kernel) {
    for (const auto& [stream, operations] : state().with_spans) {
        const auto next =
            std::upper_bound(operations.begin(), operations.end(), kernel.before.at(stream),
                             [](uint64_t tick, const OperationPtr& o) { return tick < o->tick; });
        if (next != operations.end() && !kernel.is_before(**next)) return true;
    }
    return false;
}

void check_host_words(const Side& side, uintptr_t begin, uintptr_t end, int launch) {
    const uint32_t unordered = std::max(side.operation->host_tick, state().seen_host_tick + 1);
    for (uintptr_t p = begin / 4 * 4; p < end; p += 4) {
        const HostWord* word = host_word(p, false);
        if (word == nullptr) continue;
        const auto* at = reinterpret_cast<const void*>(std::max(p, begin));
        const unsigned touched = bytes_of_word(p, begin, end);
        if (word->write_tick >= unordered && (word->written & touched) != 0) {
            report_host(side, at, true, program.address(word->write_site), launch);
        } else if (side.writes && word->read_tick >= unordered && (word->read & touched) != 0) {
            report_host(side, at, false, program.address(word->read_site), launch);
        }
    }
}

}  // namespace

void add(const OperationPtr& operation) {
    State& s = state();
    if (operation->spans.empty()) return;
    s.with_spans[operation->stream].push_back(operation);
    for (const Span& span : operation->spans) {
        s.spans.visit(span.begin, span.end, [&](uintptr_t begin, const Entry& e) {
            if ((!span.writes && !e.writes) || e.operation->is_ordered_with(*operation)) return;
            const auto* at = reinterpret_cast<const void*>(std::max(begin, span.begin));
            operation->raced = e.operation->raced = true;
            report({operation.get(), span.writes}, {e.operation.get(), e.writes}, at, -1);
        });
    }
    // Kernels that have run and that nothing orders before it.
    bool any = false;
    for (size_t g = 0; g < s.kernels.size(); ++g) {
        s.is_foreign[g] = s.kernels[g] != nullptr && !s.kernels[g]->is_before(*operation);
        any = any || s.is_foreign[g];
    }
    constexpr size_t most_looked_at = size_t{64} << 20;
    for (const Span& span : operation->spans) {
        if (any)
            visit_cells(span.begin, std::min(span.end, span.begin + most_looked_at),
                        [&](const Cell& cell, const void* at) {
                            check_one_cell({operation.get(), span.writes}, cell, at, false, -1);
                        });
        s.spans.add(span, operation);
    }
}

void begin_kernel(const OperationPtr& kernel, uint32_t generation) {
    State& s = state();
    s.kernel = kernel;
    s.kernels[generation] = kernel;
    s.any_foreign = false;
    for (size_t g = 0; g < s.kernels.size(); ++g) {
        s.is_foreign[g] = s.kernels[g] != nullptr && !s.kernels[g]->is_ordered_with(*kernel);
        s.any_foreign = s.any_foreign || s.is_foreign[g];
    }
    s.any_near = is_near_spans(*kernel);
    s.seen_host_tick = 0;
    kernel_is_watched = s.any_foreign || s.any_near || !s.hidden_readers.empty() ||
                        (s.last_host_tick != 0 && s.last_host_tick >= kernel->host_tick);
}

void go_on_with(uint32_t generation) {
    State& s = state();
    s.kernels[generation] = s.kernel;
    s.is_foreign[generation] = false;
}

void end_kernel() {
    kernel_is_watched = false;
    state().kernel = nullptr;
}

void check(const Lane& lane, const void* address, unsigned bytes, bool writes, bool orders, const void* pc) {
    State& s = state();
    if (s.kernel == nullptr) return;
    const int launch = static_cast<int>(lane.block->launch->index);
    if (orders && !writes)
        if (const auto flag = s.host_flags.find(reinterpret_cast<uintptr_t>(address));
            flag != s.host_flags.end())
            s.seen_host_tick = std::max(s.seen_host_tick, flag->second);
    const Side side{s.kernel.get(), writes, program.site(pc).line};
    const auto begin = reinterpret_cast<uintptr_t>(address);
    check_spans(side, begin, begin + bytes, launch);
    visit_cells(begin, begin + bytes, [&](const Cell& cell, const void* at) {
        check_one_cell(side, cell, at, orders, launch);
        if (!writes && s.any_foreign) keep_hidden_reader(cell);
    });
    if (s.last_host_tick >= s.kernel->host_tick) check_host_words(side, begin, begin + bytes, launch);
}

void check_host(const void* address, size_t bytes, bool writes, bool orders, const void* pc) {
    const ApiLock lock;
    load_program(pc);
    State& s = state();
    if (!queue::host_must_be_watched) return;
    if (orders && !writes && queue::anything_is_pending) queue::note_host_poll();
    const auto begin = reinterpret_cast<uintptr_t>(address);
    s.spans.visit(begin, begin + bytes, [&](uintptr_t other_begin, const Entry& e) {
        if ((!writes && !e.writes) || queue::host_knows(*e.operation)) return;
        e.operation->raced = true;
        const auto* at = reinterpret_cast<const void*>(std::max(begin, other_begin));
        report_host({e.operation.get(), e.writes}, at, writes, pc, -1);
    });
    visit_cells(begin, begin + bytes, [&](const Cell& cell, const void* at) {
        const auto against = [&](uint64_t past, uint32_t site, bool past_writes) {
            const OperationPtr& kernel = s.kernels[epoch::generation(past)];
            if ((past & epoch::valid_flag) == 0 || kernel == nullptr || queue::host_knows(*kernel)) return;
            if (orders && (past & epoch::atomic_flag) != 0) {
                if (!writes) queue::host_learns(*kernel);
                return;
            }
            report_host({kernel.get(), past_writes, program.site(program.address(site)).line}, at, writes, pc,
                        -1);
        };
        against(cell.write, cell.write_site, true);
        if (writes && (cell.read & epoch::set_flag) == 0) against(cell.read, cell.read_site, false);
    });
    if (!queue::anything_is_pending || queue::host_function != nullptr) return;
    if (orders) {
        if (writes) s.host_flags[begin] = queue::pass_host_tick();
        return;
    }
    for (uintptr_t p = begin / 4 * 4; p < begin + bytes; p += 4) {
        HostWord* word = host_word(p, true);
        if (word == nullptr) return;
        s.last_host_tick = queue::host_tick();
        uint32_t& tick = writes ? word->write_tick : word->read_tick;
        uint8_t& touched = writes ? word->written : word->read;
        const unsigned now = bytes_of_word(p, begin, begin + bytes);
        touched = static_cast<uint8_t>(tick == s.last_host_tick ? touched | now : now);
        tick = s.last_host_tick;
        (writes ? word->write_site : word->read_site) = program.offset(pc);
    }
}

void add_registered(const void* begin, size_t bytes) {
    const auto first = reinterpret_cast<uintptr_t>(begin);
    state().registered[first] = first + bytes;
    anything_is_registered = true;
}

void remove_registered(const void* begin) {
    state().registered.erase(reinterpret_cast<uintptr_t>(begin));
    anything_is_registered = !state().registered.empty();
}

bool is_registered(const void* address) {
    const auto& all = state().registered;
    const auto p = reinterpret_cast<uintptr_t>(address);
    const auto next = all.upper_bound(p);
    return next != all.begin() && std::prev(next)->second > p;
}

void forget() {
    State& s = state();
    s.spans = {};
    s.with_spans.clear();
    s.kernels = {};
    s.hidden_readers.clear();
    s.registered_words.clear();
    s.host_flags.clear();
    s.last_host_tick = 0;
}

void forget_kernels() {
    state().kernels = {};
    state().hidden_readers.clear();
}

}  // namespace simt::stream_race
