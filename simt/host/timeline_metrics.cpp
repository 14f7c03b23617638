#include "simt/host/timeline_metrics.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "simt/checker/pages.h"
#include "simt/machine/devices.h"
#include "simt/machine/machine.h"

namespace simt::timeline {

namespace {

using Json = nlohmann::ordered_json;

bool is_on_device(Engine engine) {
    return engine != Engine::none && engine != Engine::host_functions;
}

// Begins and ends of what ran on engines, in order of time.
struct Edge {
    double at;
    unsigned slot;
    int change;
    Engine engine() const { return engine_of_slot(slot); }
};

std::vector<Edge> edges_of(const Timeline& timeline) {
    std::vector<Edge> edges;
    for (size_t t = 0; t < timeline.log.tasks.size(); ++t) {
        const PlacedTask& p = timeline.placed.tasks[t];
        const Task& task = timeline.log.tasks[t];
        if (p.end == PlacedTask::never || task.engine == Engine::none) continue;
        for (const unsigned slot : {slot_of(task), second_slot_of(task)}) {
            if (slot == no_slot) continue;
            edges.push_back({p.begin, slot, 1});
            edges.push_back({p.end, slot, -1});
        }
    }
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.at != b.at ? a.at < b.at : a.change > b.change; });
    return edges;
}

// What runs at some time.
struct Now {
    bool runs[engines] = {};  // on some device
    int kernels = 0;
    int busy_slots = 0, copying_slots = 0;  // engines of devices
};

Now now_of(const std::vector<int>& running) {
    Now now;
    for (unsigned slot = 0; slot < running.size(); ++slot) {
        if (running[slot] == 0) continue;
        const Engine engine = engine_of_slot(slot);
        now.runs[static_cast<unsigned>(engine)] = true;
        now.busy_slots += is_on_device(engine);
        now.copying_slots += is_on_device(engine) && engine != Engine::sms;
        if (engine == Engine::sms) now.kernels += running[slot];
    }
    return now;
}

void measure_overlap(const std::vector<Edge>& edges, unsigned slots, Metrics& m) {
    constexpr double shortest_gap = 1;  // ns
    std::vector<int> running(slots);
    std::vector<double> busy(slots);
    double before = 0, idle_since = -1;
    for (const Edge& edge : edges) {
        const double time = edge.at - before;
        const Now now = now_of(running);
        for (unsigned e = 1; e < engines; ++e)
            if (now.runs[e]) m.busy[e] += time;
        for (unsigned slot = 0; slot < slots; ++slot)
            if (running[slot] != 0 && is_on_device(engine_of_slot(slot))) busy[slot] += time;
        if (now.busy_slots != 0) m.any_busy += time;
        if (now.kernels > 1) m.kernels_together += time;
        if (now.kernels != 0 && now.copying_slots != 0) m.copies_beside_kernels += time;
        const bool was_idle = now.busy_slots == 0 && idle_since >= 0;
        before = edge.at;
        running[edge.slot] += edge.change;
        if (!is_on_device(edge.engine())) continue;
        if (edge.change > 0 && was_idle && edge.at - idle_since > shortest_gap) ++m.idle_gaps;
        if (edge.change < 0) idle_since = edge.at;
    }
    double sum = 0, most = 0;
    for (const double time : busy) {
        sum += time;
        most = std::max(most, time);
    }
    m.hidden = sum - m.any_busy;
    m.most_hidden = sum - most;
}

void measure_extent(const Timeline& timeline, Metrics& m) {
    double first = PlacedTask::never, last = 0;
    for (size_t t = 0; t < timeline.log.tasks.size(); ++t) {
        const PlacedTask& p = timeline.placed.tasks[t];
        if (p.end == PlacedTask::never) continue;
        m.total = std::max(m.total, p.end);
        if (!is_on_device(timeline.log.tasks[t].engine)) continue;
        first = std::min(first, p.begin);
        last = std::max(last, p.end);
    }
    m.device = std::max(0.0, last - first);
    // What the host does after the last wait, mostly freeing, is no part of it.
    for (size_t s = 0; s < timeline.placed.steps.size(); ++s)
        if (timeline.log.steps[s].what != Step::What::works)
            m.total = std::max(m.total, timeline.placed.steps[s].end);
}

// The steps of each step's thread, as a chain.
std::vector<uint32_t> steps_before(const Log& log) {
    std::vector<uint32_t> before(log.steps.size(), ~0u), last;
    for (size_t s = 0; s < log.steps.size(); ++s) {
        const uint32_t thread = log.steps[s].thread;
        if (thread >= last.size()) last.resize(thread + 1, ~0u);
        before[s] = std::exchange(last[thread], static_cast<uint32_t>(s));
    }
    return before;
}

// Back from the task that ended last. Of two that are causes of each other's begin the earlier one ends first, so the
// way ends.
void find_critical_path(const Timeline& timeline, Metrics& m) {
    const auto& tasks = timeline.placed.tasks;
    TaskId t = no_task;
    for (TaskId i = 0; i < tasks.size(); ++i)
        if (tasks[i].end != PlacedTask::never && (t == no_task || tasks[i].end > tasks[t].end)) t = i;
    const auto before = steps_before(timeline.log);
    while (t != no_task) {
        const PlacedTask& p = tasks[t];
        m.critical.push_back(t);
        m.critical_tasks[static_cast<unsigned>(timeline.log.tasks[t].engine)] += p.end - p.begin;
        if (p.cause == Cause::task) {
            m.critical_news += p.begin - tasks[p.by].end;
            t = p.by;
            continue;
        }
        // The host queued it no sooner: since it woke from a wait.
        uint32_t step = p.step;
        while (step != ~0u && !timeline.placed.steps[step].blocked) step = before[step];
        t = step == ~0u ? no_task : timeline.placed.steps[step].by;
        m.critical_host += p.begin - (t == no_task ? 0 : tasks[t].end);
    }
    std::reverse(m.critical.begin(), m.critical.end());
}

const char* engine_name(Engine engine) {
    static constexpr const char* names[] = {
        "", "copies_to_device", "copies_to_host", "copies_on_device", "kernels", "host_functions"};
    return names[static_cast<unsigned>(engine)];
}

const char* kind_name(queue::Kind kind) {
    using queue::Kind;
    switch (kind) {
        case Kind::kernel:
            return "kernel";
        case Kind::set:
            return "set";
        case Kind::host_function:
            return "host_function";
        case Kind::record:
            return "record";
        case Kind::wait:
            return "wait";
        case Kind::allocate:
            return "allocate";
        case Kind::release:
            return "release";
        case Kind::prefetch:
        case Kind::prefetch_to_host:
            return "prefetch";
        case Kind::library:
            return "library";
        default:
            return "copy";
    }
}

int64_t whole(double ns) {
    return static_cast<int64_t>(std::llround(ns));
}

double microseconds(double ns) {
    return std::round(ns) / 1000;
}

double percent(double part, double of) {
    return of > 0 ? std::round(1000 * part / of) / 10 : 0;
}

Json metrics_json(const Metrics& m) {
    const auto busy = [&](Engine e) { return microseconds(m.busy[static_cast<unsigned>(e)]); };
    const auto critical = [&](Engine e) { return m.critical_tasks[static_cast<unsigned>(e)]; };
    Json json{{"total_us", microseconds(m.total)},
              {"device_us", microseconds(m.device)},
              {"kernels_us", busy(Engine::sms)},
              {"copies_to_device_us", busy(Engine::copies_in)},
              {"copies_to_host_us", busy(Engine::copies_out)},
              {"copies_on_device_us", busy(Engine::copies_inside)},
              {"overlap_us", microseconds(m.hidden)},
              {"copies_beside_kernels_us", microseconds(m.copies_beside_kernels)},
              {"kernels_together_us", microseconds(m.kernels_together)},
              {"idle_us", microseconds(m.device - m.any_busy)},
              {"idle_pct", percent(m.device - m.any_busy, m.device)},
              {"idle_gaps", m.idle_gaps},
              {"critical_kernels_us", microseconds(critical(Engine::sms))},
              {"critical_copies_us", microseconds(critical(Engine::copies_in) + critical(Engine::copies_out) +
                                                  critical(Engine::copies_inside))},
              {"critical_host_us", microseconds(m.critical_host + critical(Engine::host_functions))},
              {"critical_waits_us", microseconds(m.critical_news)}};
    if (m.most_hidden > 0) json["overlap_pct"] = percent(m.hidden, m.most_hidden);
    return json;
}

// What a program asked of cuBLAS and its kin; nothing: null.
Json libraries_json(const Timeline& timeline) {
    uint64_t calls = timeline.calls, in_default_stream = timeline.calls_in_default_stream;
    for (const About& about : timeline.tasks) {
        if (about.kind != queue::Kind::library) continue;
        ++calls;
        in_default_stream += queue::stream_at(about.stream).is_legacy;
    }
    if (calls == 0 && timeline.handles == 0) return {};
    return {{"library_calls", calls},
            {"library_calls_in_default_stream", in_default_stream},
            {"library_handles", timeline.handles}};
}

Json streams_json(const Timeline& timeline) {
    std::vector<bool> used;
    for (const About& about : timeline.tasks) {
        if (about.stream >= used.size()) used.resize(about.stream + 1);
        used[about.stream] = true;
    }
    Json streams = Json::array();
    for (uint32_t i = 0; i < used.size(); ++i) {
        if (!used[i]) continue;
        const queue::Stream& stream = queue::stream_at(i);
        const bool says_device = stream.name.find("device ") != std::string::npos;
        streams.push_back({{"index", i},
                           {"name", stream.name + (says_device ? "" : devices::on_device(stream.device))},
                           {"file", stream.created.file},
                           {"line", stream.created.line},
                           {"priority", stream.priority}});
        if (devices::several) streams.back()["device"] = stream.device;
    }
    return streams;
}

Json task_json(const Timeline& timeline, TaskId t, bool is_critical) {
    const About& about = timeline.tasks[t];
    const Task& task = timeline.log.tasks[t];
    const PlacedTask& p = timeline.placed.tasks[t];
    Json json{{"id", t},
              {"kind", kind_name(about.kind)},
              {"name", about.name},
              {"file", about.where.file},
              {"line", about.where.line},
              {"stream", about.stream},
              {"engine", engine_name(task.engine)},
              {"queued", whole(p.queued)}};
    if (p.end != PlacedTask::never) {
        json["begin"] = whole(p.begin);
        json["end"] = whole(p.end);
    }
    if (devices::several) json["device"] = task.device;
    if (task.to_device >= 0) json["to_device"] = task.to_device;
    if (about.bytes != 0) json["bytes"] = about.bytes;
    if (about.is_pageable) json["pageable"] = true;
    if (about.launch >= 0) json["launch"] = about.launch;
    if (about.graph.line != 0) {
        json["graph"] = task.graph;
        json["graph_line"] = about.graph.line;
    }
    if (p.cause == Cause::task && p.by != no_task) json["held_by"] = p.by;
    if (!task.after.empty()) json["after"] = task.after;
    if (is_critical) json["critical"] = true;
    return json;
}

Json steps_json(const Timeline& timeline, double until) {
    static constexpr const char* names[] = {"queues", "waits", "works"};
    Json steps = Json::array();
    for (size_t s = 0; s < timeline.log.steps.size() && steps.size() < timeline.most_shown; ++s) {
        const Step& step = timeline.log.steps[s];
        const PlacedStep& p = timeline.placed.steps[s];
        if (whole(p.end) == whole(p.begin) || p.begin >= until) continue;
        Json json{{"what", names[static_cast<unsigned>(step.what)]},
                  {"thread", step.thread},
                  {"begin", whole(p.begin)},
                  {"end", whole(p.end)}};
        if (step.task != no_task) json["task"] = step.task;
        const AboutStep& about = timeline.steps[s];
        if (*about.call != '\0') json["call"] = about.call;
        if (about.where.line != 0) {
            json["file"] = about.where.file;
            json["line"] = about.where.line;
        }
        steps.push_back(std::move(json));
    }
    return steps;
}

}  // namespace

Metrics measure(const Timeline& timeline) {
    Metrics m;
    measure_extent(timeline, m);
    measure_overlap(edges_of(timeline), slots_of(timeline.log), m);
    find_critical_path(timeline, m);
    return m;
}

Json record_of(const Timeline& timeline) {
    const Metrics m = measure(timeline);
    std::vector<bool> critical(timeline.log.tasks.size());
    for (const TaskId t : m.critical) critical[t] = true;
    Json tasks = Json::array();
    for (TaskId t = 0; t < timeline.log.tasks.size() && t < timeline.most_shown; ++t)
        tasks.push_back(task_json(timeline, t, critical[t]));
    Json metrics = metrics_json(m);
    if (const Json libraries = libraries_json(timeline); !libraries.is_null()) metrics.update(libraries);
    if (timeline.instantiations != 0) metrics["graphs_instantiated"] = timeline.instantiations;
    const Json memory = pages::report();
    if (!memory.is_null()) metrics.update(memory["metrics"]);
    Json record{{"type", "timeline"},
                {"device", device_profile().name},
                {"streams", streams_json(timeline)},
                {"tasks", std::move(tasks)},
                {"host", steps_json(timeline, m.total)},
                {"count", timeline.log.tasks.size() + timeline.left_out},
                {"left_out", timeline.left_out},
                {"metrics", std::move(metrics)}};
    if (devices::several) record["devices"] = devices::count();
    if (!memory.is_null()) {
        record["pages"] = memory["lines"];
        record["page_map"] = memory["map"];
    }
    return record;
}

}  // namespace simt::timeline
