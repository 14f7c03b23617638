#include "workbench/record/page_map.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lab {
namespace {

using json = nlohmann::ordered_json;

constexpr size_t most_pages = size_t{1} << 24, most_buffers = 1000, most_acts = 10'000, most_events = 100'000;

std::string text(const json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Negative numbers and what is none are `otherwise`.
uint64_t count(const json& record, const char* key, uint64_t otherwise = 0) {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_number_integer()) return otherwise;
    if (found->is_number_unsigned()) return found->get<uint64_t>();
    return found->get<int64_t>() < 0 ? otherwise : static_cast<uint64_t>(found->get<int64_t>());
}

int small(const json& record, const char* key, int otherwise = 0) {
    const uint64_t value = count(record, key, UINT64_MAX);
    return value < (uint64_t{1} << 31) ? static_cast<int>(value) : otherwise;
}

bool truth(const json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_boolean() && found->get<bool>();
}

template <class Read>
void each(const json& record, const char* key, size_t most, Read read) {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_array()) return;
    for (const json& entry : *found) {
        if (most-- == 0) return;
        if (entry.is_object()) read(entry);
    }
}

PageEvent to_event(const json& entry) {
    PageEvent event;
    event.act = small(entry, "act", -1);
    event.buffer = small(entry, "buffer", -1);
    event.first = static_cast<uint32_t>(small(entry, "first"));
    event.count = static_cast<uint32_t>(small(entry, "count", entry.contains("count") ? 0 : 1));
    event.change = text(entry, "change");
    event.is_fault = truth(entry, "fault");
    event.writes = truth(entry, "writes");
    event.on_host = truth(entry, "on_host");
    event.on_devices = static_cast<uint32_t>(small(entry, "on_devices"));
    event.file = text(entry, "file");
    event.line = small(entry, "line");
    return event;
}

json from_event(const PageEvent& event) {
    json entry{{"act", event.act},     {"buffer", event.buffer}, {"first", event.first},
               {"count", event.count}, {"change", event.change}, {"file", event.file},
               {"line", event.line}};
    if (event.is_fault) entry["fault"] = true;
    if (event.writes) entry["writes"] = true;
    if (event.on_host) entry["on_host"] = true;
    if (event.on_devices != 0) entry["on_devices"] = event.on_devices;
    return entry;
}

bool is_in_range(const PageMap& map, const PageEvent& event, int last_act) {
    if (event.act < last_act || event.act >= static_cast<int>(map.acts.size())) return false;
    if (event.buffer < 0 || event.buffer >= static_cast<int>(map.buffers.size())) return false;
    const uint32_t pages = map.pages_of(map.buffers[static_cast<size_t>(event.buffer)]);
    return event.first < pages && event.count >= 1 && event.count <= pages - event.first;
}

}  // namespace

json from_page_map(const PageMap& map) {
    json record{{"page_bytes", map.page_bytes}, {"device_bytes", map.device_bytes}};
    record["buffers"] = json::array();
    for (const PagedBuffer& buffer : map.buffers) {
        record["buffers"].push_back(
            {{"name", buffer.name}, {"file", buffer.file}, {"line", buffer.line}, {"bytes", buffer.bytes}});
        if (buffer.is_variable) record["buffers"].back()["variable"] = true;
    }
    record["acts"] = json::array();
    for (const PageAct& act : map.acts) {
        record["acts"].push_back(
            {{"kind", act.kind}, {"name", act.name}, {"file", act.file}, {"line", act.line}});
        if (act.launch >= 0) record["acts"].back()["launch"] = act.launch;
    }
    record["events"] = json::array();
    for (const PageEvent& event : map.events) record["events"].push_back(from_event(event));
    record["left_out"] = map.left_out;
    return record;
}

PageMap to_page_map(const json& record) {
    PageMap map;
    map.page_bytes = std::clamp<uint64_t>(count(record, "page_bytes", map.page_bytes), 4096, 1u << 30);
    map.device_bytes = count(record, "device_bytes");
    map.left_out = count(record, "left_out");
    const uint64_t most_bytes = most_pages * map.page_bytes;
    each(record, "buffers", most_buffers, [&](const json& entry) {
        map.buffers.push_back({text(entry, "name"), text(entry, "file"), small(entry, "line"),
                               std::min(count(entry, "bytes"), most_bytes), truth(entry, "variable")});
    });
    each(record, "acts", most_acts, [&](const json& entry) {
        map.acts.push_back({text(entry, "kind"), text(entry, "name"), text(entry, "file"),
                            small(entry, "line"), small(entry, "launch", -1)});
    });
    int last_act = 0;
    each(record, "events", most_events, [&](const json& entry) {
        PageEvent event = to_event(entry);
        if (!is_in_range(map, event, last_act)) return;
        last_act = event.act;
        map.events.push_back(std::move(event));
    });
    return map;
}

}  // namespace lab
