// Timeline <-> JSON. The reader takes anything and never trusts a type.
#include "workbench/record/timeline.h"

#include "workbench/record/fields.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace lab {

namespace {

using namespace fields;

TimelineStream to_stream(const json& record) {
    return {small(record, "index", 0), text(record, "name"),         text(record, "file"),
            small(record, "line", 0),  small(record, "priority", 0), small(record, "device", 0)};
}

TimelineTask to_task(const json& record) {
    TimelineTask task;
    task.id = small(record, "id", 0);
    task.kind = text(record, "kind");
    task.name = text(record, "name");
    task.file = text(record, "file");
    task.line = small(record, "line", 0);
    task.stream = small(record, "stream", 0);
    task.engine = text(record, "engine");
    task.queued = integer(record, "queued", 0);
    task.begin = integer(record, "begin", -1);
    task.end = integer(record, "end", -1);
    task.bytes = static_cast<uint64_t>(std::max<int64_t>(0, integer(record, "bytes", 0)));
    task.is_pageable = truth(record, "pageable");
    task.is_critical = truth(record, "critical");
    task.launch = small(record, "launch", -1);
    task.graph = small(record, "graph", 0);
    task.graph_line = small(record, "graph_line", 0);
    task.device = small(record, "device", 0);
    task.to_device = small(record, "to_device", -1);
    task.held_by = small(record, "held_by", -1);
    const auto after = record.find("after");
    if (after != record.end() && after->is_array())
        for (const auto& id : *after)
            if (id.is_number_integer()) task.after.push_back(id.get<int>());
    return task;
}

HostStep to_step(const json& record) {
    HostStep step;
    step.what = text(record, "what");
    step.thread = small(record, "thread", 0);
    step.begin = integer(record, "begin", 0);
    step.end = integer(record, "end", 0);
    step.task = small(record, "task", -1);
    step.call = text(record, "call");
    step.file = text(record, "file");
    step.line = small(record, "line", 0);
    return step;
}

PageLine to_page_line(const json& record) {
    const auto count = [&](const char* key) {
        return static_cast<uint64_t>(std::max<int64_t>(0, integer(record, key, 0)));
    };
    return {text(record, "file"), small(record, "line", 0), text(record, "side"),  text(record, "buffer"),
            count("faults"),      count("to_device_bytes"), count("to_host_bytes")};
}

json from_page_line(const PageLine& line) {
    return {{"file", line.file},
            {"line", line.line},
            {"side", line.side},
            {"buffer", line.buffer},
            {"faults", line.faults},
            {"to_device_bytes", line.to_device_bytes},
            {"to_host_bytes", line.to_host_bytes}};
}

json from_stream(const TimelineStream& stream) {
    json record{{"index", stream.index},
                {"name", stream.name},
                {"file", stream.file},
                {"line", stream.line},
                {"priority", stream.priority}};
    if (stream.device != 0) record["device"] = stream.device;
    return record;
}

json from_task(const TimelineTask& task) {
    json record{{"id", task.id},         {"kind", task.kind},     {"name", task.name},
                {"file", task.file},     {"line", task.line},     {"stream", task.stream},
                {"engine", task.engine}, {"queued", task.queued}, {"begin", task.begin},
                {"end", task.end}};
    if (task.bytes != 0) record["bytes"] = task.bytes;
    if (task.is_pageable) record["pageable"] = true;
    if (task.is_critical) record["critical"] = true;
    if (task.launch >= 0) record["launch"] = task.launch;
    if (task.graph > 0) record["graph"] = task.graph, record["graph_line"] = task.graph_line;
    if (task.device != 0) record["device"] = task.device;
    if (task.to_device >= 0) record["to_device"] = task.to_device;
    if (task.held_by >= 0) record["held_by"] = task.held_by;
    if (!task.after.empty()) record["after"] = task.after;
    return record;
}

json from_step(const HostStep& step) {
    json record{{"what", step.what}, {"thread", step.thread}, {"begin", step.begin}, {"end", step.end}};
    if (step.task >= 0) record["task"] = step.task;
    if (!step.call.empty()) record["call"] = step.call;
    if (step.line != 0) {
        record["file"] = step.file;
        record["line"] = step.line;
    }
    return record;
}

template <class T, class Convert>
json array_of(const std::vector<T>& all, Convert convert) {
    json array = json::array();
    for (const T& entry : all) array.push_back(convert(entry));
    return array;
}

// Whoever reads a timeline may use its numbers as indices.
void put_in_range(Timeline& timeline) {
    const int count = static_cast<int>(timeline.tasks.size());
    for (int i = 0; i < count; ++i) {
        TimelineTask& task = timeline.tasks[static_cast<size_t>(i)];
        task.id = i;
        if (task.held_by >= count || task.held_by == i) task.held_by = -1;
        std::erase_if(task.after, [&](int other) { return other < 0 || other >= i; });
        if (task.end < task.begin) task.begin = task.end = -1;
    }
    for (HostStep& step : timeline.host)
        if (step.task >= count) step.task = -1;
}

}  // namespace

bool Timeline::is_worth_showing() const {
    return std::count_if(tasks.begin(), tasks.end(), [](const TimelineTask& t) { return t.takes_time(); }) >
           1;
}

json from_timeline(const Timeline& timeline) {
    json record{{"device", timeline.device},
                {"streams", array_of(timeline.streams, from_stream)},
                {"tasks", array_of(timeline.tasks, from_task)},
                {"host", array_of(timeline.host, from_step)},
                {"count", timeline.count},
                {"left_out", timeline.left_out}};
    if (timeline.devices > 1) record["devices"] = timeline.devices;
    if (!timeline.pages.empty()) record["pages"] = array_of(timeline.pages, from_page_line);
    if (!timeline.page_map.events.empty()) record["page_map"] = from_page_map(timeline.page_map);
    record["metrics"] = json::object();
    for (const auto& [name, value] : timeline.metrics) {
        const bool is_whole = std::floor(value) == value && std::fabs(value) < 9e15;
        record["metrics"][name] = is_whole ? json(static_cast<int64_t>(value)) : json(value);
    }
    if (timeline.case_index >= 0) record["case"] = timeline.case_index;
    return record;
}

Timeline to_timeline(const json& record) {
    Timeline timeline;
    timeline.device = text(record, "device");
    timeline.devices = std::clamp(small(record, "devices", 1), 1, 16);
    timeline.streams = list(record, "streams", to_stream);
    timeline.tasks = list(record, "tasks", to_task);
    timeline.host = list(record, "host", to_step);
    timeline.pages = list(record, "pages", to_page_line);
    if (const auto map = record.find("page_map"); map != record.end() && map->is_object())
        timeline.page_map = to_page_map(*map);
    timeline.count = static_cast<uint64_t>(std::max<int64_t>(0, integer(record, "count", 0)));
    timeline.left_out = static_cast<uint64_t>(std::max<int64_t>(0, integer(record, "left_out", 0)));
    timeline.case_index = small(record, "case", -1);
    const auto metrics = record.find("metrics");
    if (metrics != record.end() && metrics->is_object())
        for (const auto& [name, value] : metrics->items())
            if (value.is_number()) timeline.metrics[name] = value.get<double>();
    put_in_range(timeline);
    return timeline;
}

}  // namespace lab
