#include "simt/checker/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <tuple>

#include "simt/host/queue.h"
#include "simt/machine/arena.h"
#include "simt/machine/session_state.h"

namespace simt::finding {
namespace {

using Json = nlohmann::ordered_json;
using Key =
    std::tuple<std::string, std::string, int, int, std::string>;  // kind, file, line, other line, buffer

struct Seen {
    Json record;
    uint64_t count = 1, written = 0;  // written: the count that the report has
    bool dropped = false;
};
std::map<Key, Seen>& seen_findings() {
    static auto& all = *new std::map<Key, Seen>;  // never destroyed: an exit handler still reads it
    return all;
}
std::mutex finding_mutex;

// Findings that may be the consequence of another fault wait until the launch has ended: a read of a value
// that another thread was to write first looks uninitialised, but the cause is the missing barrier; a race
// within a warp is often the smaller half of one between warps.
bool may_be_a_consequence(const std::string& kind, bool advice) {
    return kind == "uninit-shared" || kind == "uninit-global" || kind == "warp-race" ||
           (kind == "never-written" && advice);
}

// What was to write the memory may still be queued in another stream.
bool may_still_be_explained(const Json& finding) {
    const std::string kind = finding.value("kind", "");
    return queue::anything_is_pending && (kind == "uninit-global" || kind == "never-written");
}

bool is_wider_race(const std::string& kind) {
    return kind == "shared-race" || kind == "global-race";
}

bool share_a_line(const Json& a, const Json& b) {
    const auto other_line = [](const Json& f) {
        return f.contains("other") ? f["other"].value("line", 0) : 0;
    };
    const int a_lines[] = {a.value("line", 0), other_line(a)};
    const auto stands_in_a = [&](int line) {
        return line != 0 && (line == a_lines[0] || line == a_lines[1]);
    };
    return stands_in_a(b.value("line", 0)) || stands_in_a(other_line(b));
}

bool explains(const Json& cause, const Json& finding) {
    const std::string kind = cause.value("kind", "");
    if (kind == "stream-race" && cause.value("buffer", "") == finding.value("buffer", "")) return true;
    if (cause.value("launch", -1) != finding.value("launch", -1)) return false;
    if (kind == "barrier-divergence") return true;
    if (finding.value("kind", "") == "warp-race") return is_wider_race(kind) && share_a_line(cause, finding);
    return kind.ends_with("-race") && cause.value("buffer", "") == finding.value("buffer", "");
}

bool is_explained(const Json& finding) {
    return std::any_of(seen_findings().begin(), seen_findings().end(),
                       [&](const auto& entry) { return explains(entry.second.record, finding); });
}

Json triple(Index3 v) {
    return Json::array({v.x, v.y, v.z});
}
}  // namespace

std::string Element::text() const {
    if (index < 0 && count == 0) return buffer;
    if (shape.rank < 2 || index < 0) return fmt::format("{}[{}]", buffer, index);
    std::string text;
    size_t rest = static_cast<size_t>(index);
    for (size_t i = shape.rank; i-- > 1;) {
        text = fmt::format("[{}]", rest % shape.extents[i]) + text;
        rest /= shape.extents[i];
    }
    return fmt::format("{}[{}]{}", buffer, rest, text);
}

Index3 thread_of(const LaunchRun& launch, unsigned linear) {
    const Index3 e = launch.call.config.block;
    return {linear % e.x, linear / e.x % e.y, linear / e.x / e.y};
}
Index3 block_of(const LaunchRun& launch, uint64_t linear) {
    const Index3 g = launch.call.config.grid;
    return {static_cast<unsigned>(linear % g.x), static_cast<unsigned>(linear / g.x % g.y),
            static_cast<unsigned>(linear / g.x / g.y)};
}
std::string name_thread(Index3 thread, Index3 block) {
    return fmt::format("thread ({},{},{}) of block ({},{},{})", thread.x, thread.y, thread.z, block.x,
                       block.y, block.z);
}
std::string name_lane(const Lane& lane) {
    return name_thread(lane.thread, lane.block->index);
}
const char* did(bool writes) {
    return writes ? "wrote" : "read";
}

Element element_of_allocation(const Allocation& a, const void* address) {
    const auto distance = static_cast<const char*>(address) - a.base;
    const auto size = static_cast<int64_t>(a.element_bytes);
    // Rounds down for addresses in front of the buffer.
    const int64_t index = distance >= 0 ? distance / size : -((-distance + size - 1) / size);
    return {a.name, index, a.bytes / a.element_bytes, {a.element_bytes, a.rank, a.extents}};
}

ptrdiff_t place_in_shared(const BlockRun& block, const void* address) {
    return static_cast<ptrdiff_t>(arena.offset_of(address) - size_t{block.slot} * Arena::slot_bytes);
}

namespace {

// `place` bytes (below 0) from where the block's shared memory begins: counted from its first array.
Element element_before_shared(const BlockRun& block, ptrdiff_t place) {
    const auto first = std::min_element(
        block.shared.begin(), block.shared.end(),
        [](const SharedVariable& a, const SharedVariable& b) { return a.offset < b.offset; });
    if (first == block.shared.end()) return {"shared memory", place, 0};
    const auto size = static_cast<ptrdiff_t>(first->shape.element_bytes);
    return {first->name, (place - size + 1) / size, first->bytes / first->shape.element_bytes};
}

}  // namespace

namespace {

// The variable that begins last before these bytes; nullptr: none.
const SharedVariable* shared_variable_at(const BlockRun& block, size_t inside) {
    const SharedVariable* best = nullptr;
    for (const SharedVariable& v : block.shared)
        if (v.offset <= inside && (best == nullptr || v.offset > best->offset)) best = &v;
    return best;
}

}  // namespace

size_t shared_element_bytes(const BlockRun& block, const void* address) {
    const ptrdiff_t place = place_in_shared(block, address);
    if (place >= static_cast<ptrdiff_t>(Arena::dynamic_offset)) return block.dynamic_element_bytes;
    const SharedVariable* v = place < 0 ? nullptr : shared_variable_at(block, static_cast<size_t>(place));
    return v == nullptr ? 1 : v->shape.element_bytes;
}

Element element_of_shared(const BlockRun& block, const void* address) {
    const ptrdiff_t place = place_in_shared(block, address);
    if (place < 0) return element_before_shared(block, place);
    const auto inside = static_cast<size_t>(place);
    if (inside >= Arena::dynamic_offset) {
        const size_t size = block.dynamic_element_bytes;
        const char* name = *block.dynamic_name != '\0' ? block.dynamic_name : "shared memory";
        return {name, static_cast<int64_t>((inside - Arena::dynamic_offset) / size),
                block.dynamic_bytes / size};
    }
    const SharedVariable* best = shared_variable_at(block, inside);
    if (best == nullptr) return {"shared memory", -1, 0};
    return {best->name, static_cast<int64_t>((inside - best->offset) / best->shape.element_bytes),
            best->bytes / best->shape.element_bytes, best->shape};
}

// The nearest allocation to an address that lies in none: the one whose end, or start, it just missed.
const Allocation* nearest(const void* address) {
    const Allocation* best = nullptr;
    size_t distance = SIZE_MAX;
    for (const Allocation& a : allocation_table()) {
        const auto* p = static_cast<const char*>(address);
        const size_t d = p < a.base ? static_cast<size_t>(a.base - p)
                         : static_cast<size_t>(p - a.base) < a.bytes
                             ? 0
                             : static_cast<size_t>(p - a.base) - a.bytes;
        if (d < distance) {
            distance = d;
            best = &a;
        }
    }
    return best;
}

Element element_at(const Lane& lane, const void* address) {
    if (arena.contains(address) && arena.offset_of(address) < Arena::shared_end)
        return element_of_shared(*lane.block, address);
    if (const Allocation* a = memory::find(address)) return element_of_allocation(*a, address);
    return {};
}

// ---- writing ----

void write(const Draft& d) {
    const std::lock_guard lock(finding_mutex);
    const Key key{d.kind, d.at.file, d.at.line, d.has_other ? d.other.line : 0, d.element.buffer};
    auto [place, fresh] = seen_findings().try_emplace(key);
    if (!fresh) {
        ++place->second.count;
        return;
    }
    Json r{{"type", "finding"},    {"id", seen_findings().size()},
           {"kind", d.kind},       {"severity", d.advice ? "advice" : "error"},
           {"message", d.message}, {"fix", d.fix},
           {"file", d.at.file},    {"line", d.at.line},
           {"column", d.at.column}};
    if (d.launch >= 0) r["launch"] = d.launch;
    if (d.lane != nullptr) {
        d.lane->block->traced = true;  // whatever the sample: its access is still in the log
        r["launch"] = d.lane->block->launch->index;
        r["kernel"] = d.lane->block->launch->call.kernel;
        r["block"] = triple(d.thread_is_given ? d.block : d.lane->block->index);
        r["thread"] = triple(d.thread_is_given ? d.thread : d.lane->thread);
    }
    if (!d.element.buffer.empty()) r["buffer"] = d.element.buffer;
    if (d.element.index != -1 || d.element.count != 0) {
        r["element"] = d.element.index;
        r["last_element"] = d.last_element >= 0 ? d.last_element : d.element.index;
    }
    r["count"] = 1;
    if (d.has_other) {
        Json other{{"action", d.other_action},
                   {"file", d.other.file},
                   {"line", d.other.line},
                   {"column", d.other.column}};
        if (d.other_has_thread) {
            other["block"] = triple(d.other_block);
            other["thread"] = triple(d.other_thread);
        }
        r["other"] = other;
    }
    place->second.record = std::move(r);
    if (may_be_a_consequence(d.kind, d.advice)) return;
    write_report(place->second.record);
    place->second.written = 1;
}

void fault(const Lane& lane, int error) {
    LaunchRun& launch = *lane.block->launch;
    if (launch.error == 0) launch.error = error;
    launch.status = "fault";
}

Site site_of(Where where) {
    return {where.file, where.line, 0};
}

Site site_in(const LaunchRun& launch, const void* pc) {
    const Site site = program.site(pc);
    return site.foreign ? site_of(launch.call.where) : site;
}

Site site_in(const Lane& lane, const void* pc) {
    const Site site = program.site(pc);
    if (!site.foreign) return site;
    for (size_t i = lane.frames.size(); i-- > 0;) {
        const Site caller = program.site(program.address(lane.frames[i].call_site));
        if (lane.frames[i].call_site != 0 && caller.line != 0 && !caller.foreign) return caller;
    }
    return site_of(lane.block->launch->call.where);
}

std::string at_line(const Site& site) {
    return site.line == 0 ? "" : fmt::format(" at line {}", site.line);
}

}  // namespace simt::finding

namespace simt {

void settle_findings(bool program_ends) {
    using namespace finding;
    const std::lock_guard lock(finding_mutex);
    for (auto& [key, seen] : seen_findings()) {
        if (seen.written == 0 && !seen.dropped) {
            seen.dropped = is_explained(seen.record);
            if (!seen.dropped && !program_ends && may_still_be_explained(seen.record)) continue;
        }
        if (seen.dropped || seen.count == seen.written) continue;
        seen.record["count"] = seen.count;
        seen.written = seen.count;
        write_report(seen.record);
    }
}

}  // namespace simt
