#include "simt/checker/page_log.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "simt/checker/pages.h"
#include "simt/host/queue.h"

namespace simt::pages::log {

bool host_is_acting = false;

namespace {

using Json = nlohmann::ordered_json;

// A record stays small, whatever a program does to its pages.
constexpr size_t most_acts = 500, most_events = 4000, most_buffers = 200;
// So many of the last events may still grow: faults and the evictions that they cause take turns.
constexpr size_t open_events = 4;

struct Act {
    const char* kind;  // kernel, prefetch, copy, set, call, host
    std::string name, file;
    int line = 0;
    int launch = -1;
    bool is_kept = false;  // it is worth a column although it changed nothing
};

struct Run {  // neighbouring pages to which the same thing happened
    PageEvent event;
    uint32_t act, count;

    bool holds(const PageEvent& e) const {
        return e.buffer == event.buffer && e.page >= event.page && e.page < event.page + count;
    }
    bool is_continued_by(const PageEvent& e, uint32_t in_act) const {
        return act == in_act && e.buffer == event.buffer && e.change == event.change &&
               e.is_fault == event.is_fault && e.writes == event.writes && e.on_host == event.on_host &&
               e.on_devices == event.on_devices && e.line == event.line && e.file == event.file &&
               (e.page == event.page + count || e.page + 1 == event.page);
    }
};

struct Buffer {
    uint32_t id;
    std::string name, file;
    int line;
    size_t bytes;
    bool is_variable;
};

struct Log {
    std::vector<Buffer> buffers;
    std::vector<Act> acts;
    std::vector<Run> runs;
    uint64_t left_out = 0;  // events
    bool is_in_operation = false;
};

Log& all() {
    static Log& log = *new Log;
    return log;
}

const char* kind_of(queue::Kind kind) {
    switch (kind) {
        case queue::Kind::kernel:
        case queue::Kind::library:
            return "kernel";
        case queue::Kind::prefetch:
        case queue::Kind::prefetch_to_host:
            return "prefetch";
        case queue::Kind::set:
            return "set";
        case queue::Kind::copy_to_device:
        case queue::Kind::copy_to_host:
        case queue::Kind::copy_on_device:
        case queue::Kind::copy_on_host:
        case queue::Kind::copy_between_devices:
            return "copy";
        default:
            return nullptr;
    }
}

void begin(Act act) {
    if (all().acts.size() <= most_acts) all().acts.push_back(std::move(act));
}

// Pages count from the buffer's first one.
const char* name_of(Change change) {
    static constexpr const char* names[] = {"made",    "moved",   "copied",  "mapped",
                                            "dropped", "evicted", "advised", "freed"};
    return names[static_cast<unsigned>(change)];
}

Json act_json(const Act& act) {
    Json json{{"kind", act.kind}, {"name", act.name}, {"file", act.file}, {"line", act.line}};
    if (act.launch >= 0) json["launch"] = act.launch;
    return json;
}

Json run_json(const Run& run, uint32_t act, size_t buffer) {
    Json json{{"act", act},
              {"buffer", buffer},
              {"first", run.event.page},
              {"count", run.count},
              {"change", name_of(run.event.change)},
              {"file", run.event.file},
              {"line", run.event.line}};
    if (run.event.is_fault) json["fault"] = true;
    if (run.event.writes) json["writes"] = true;
    if (run.event.on_host) json["on_host"] = true;
    if (run.event.on_devices != 0) json["on_devices"] = run.event.on_devices;
    return json;
}

}  // namespace

void add_buffer(uint32_t id, const Allocation& memory, bool is_variable) {
    if (all().buffers.size() >= most_buffers) return;
    all().buffers.push_back(
        {id, memory.name, memory.allocated.file, memory.allocated.line, memory.bytes, is_variable});
}

void add(const PageEvent& event) {
    Log& log = all();
    if (log.acts.empty()) call_begins("", {"", 0});
    const auto act = static_cast<uint32_t>(log.acts.size() - 1);
    const size_t open = std::min(open_events, log.runs.size());
    for (size_t back = 1; back <= open; ++back) {
        Run& run = log.runs[log.runs.size() - back];
        if (run.is_continued_by(event, act)) {
            run.event.page = std::min(run.event.page, event.page);
            ++run.count;
            return;
        }
        if (run.holds(event)) break;  // what happened to this page since must stay in order
    }
    if (log.runs.size() >= most_events || log.acts.size() > most_acts)
        ++log.left_out;
    else
        log.runs.push_back({event, act, 1});
}

void operation_begins(const queue::Operation& operation) {
    const char* kind = kind_of(operation.kind);
    if (kind == nullptr || !any) return;
    const bool is_kernel = operation.kind == queue::Kind::kernel;
    begin({kind, operation.name, operation.where.file, operation.where.line,
           is_kernel ? static_cast<int>(operation.launch) : -1, is_kernel || *kind == 'p'});
    all().is_in_operation = true;
    host_is_acting = false;
}

void operation_ends() {
    all().is_in_operation = false;
}

void call_begins(const char* call, Where where) {
    begin({"call", call, where.file, where.line});
    host_is_acting = false;
}

void host_begins(const std::string& file, int line) {
    if (host_is_acting || all().is_in_operation) return;
    host_is_acting = true;
    begin({"host", "", file, line, -1, true});
}

Json report() {
    const Log& log = all();
    // Acts that changed nothing and ask for no column are left out.
    std::vector<bool> is_used(log.acts.size());
    for (const Run& run : log.runs) is_used[run.act] = true;
    std::vector<uint32_t> act_at(log.acts.size());
    Json acts = Json::array(), events = Json::array(), buffers = Json::array();
    for (size_t i = 0; i < log.acts.size(); ++i) {
        act_at[i] = static_cast<uint32_t>(acts.size());
        if (is_used[i] || log.acts[i].is_kept) acts.push_back(act_json(log.acts[i]));
    }
    for (const Buffer& buffer : log.buffers) {
        buffers.push_back(
            {{"name", buffer.name}, {"file", buffer.file}, {"line", buffer.line}, {"bytes", buffer.bytes}});
        if (buffer.is_variable) buffers.back()["variable"] = true;
    }
    for (const Run& run : log.runs) {
        const auto buffer = std::find_if(log.buffers.begin(), log.buffers.end(),
                                         [&](const Buffer& b) { return b.id == run.event.buffer; });
        if (buffer == log.buffers.end()) continue;
        events.push_back(run_json(run, act_at[run.act], static_cast<size_t>(buffer - log.buffers.begin())));
    }
    return {{"page_bytes", page_bytes},      {"device_bytes", memory::bytes_total()},
            {"buffers", std::move(buffers)}, {"acts", std::move(acts)},
            {"events", std::move(events)},   {"left_out", log.left_out}};
}

}  // namespace simt::pages::log
