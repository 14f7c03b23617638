#include "lessons/11_unified_memory/panel_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lab::lesson_11_unified_memory {
namespace {

constexpr uint32_t most_pages = 4096;  // that are shown of one buffer

std::string pages_text(int64_t n) {
    return fmt::format("{} page{}", n, n == 1 ? "" : "s");
}

std::string size_text(double bytes) {
    if (bytes < 1 << 20) return fmt::format("{:.0f} KiB", bytes / 1024);
    return fmt::format("{:.2f} MiB", bytes / (1 << 20));
}

uint8_t mark_of(const PageEvent& event) {
    if (event.change == "evicted") return evicted;
    if (event.change == "advised") return advised;
    if (event.change == "freed") return 0;
    if (!event.is_fault) return sent;
    return event.change == "made" ? first_touch : fault;
}

void count(Column& column, const PageEvent& event) {
    const int pages = int(event.count);
    switch (mark_of(event)) {
        case evicted:
            column.evicted += pages;
            break;
        case sent:
            column.sent += pages;
            break;
        case fault:
            column.faults += pages;
            break;
        case first_touch:
            column.touched += pages;
            break;
        default:
            break;
    }
}

void add_rows(Scene& scene, std::map<int, size_t>& first_row) {
    const PageMap& map = *scene.map;
    for (const PageEvent& event : map.events) {
        const bool tells = event.change != "freed" && event.change != "advised";
        if (tells) first_row.try_emplace(event.buffer, 0);
    }
    for (auto& [buffer, first] : first_row) {
        first = scene.rows.size();
        const PagedBuffer& memory = map.buffers[size_t(buffer)];
        for (uint32_t page = 0; page < std::min(most_pages, map.pages_of(memory)); ++page) {
            Row row{buffer, page, std::vector<Cell>(map.acts.size())};
            if (memory.is_variable)
                for (Cell& cell : row.cells) cell.on_host = true;
            scene.rows.push_back(std::move(row));
        }
    }
}

// From this act on the page is where the event left it.
void put(Row& row, const PageEvent& event, int index) {
    for (size_t act = size_t(event.act); act < row.cells.size(); ++act) {
        row.cells[act].on_host = event.on_host;
        row.cells[act].on_device = event.on_devices != 0;
    }
    Cell& cell = row.cells[size_t(event.act)];
    cell.marks |= mark_of(event);
    cell.event = index;
}

const Timeline* timeline_of(const Run& run, int case_index) {
    for (const Timeline& timeline : run.timelines)
        if (timeline.case_index == case_index || timeline.case_index < 0) return &timeline;
    return nullptr;
}

std::string line_text(int line) {
    return line > 0 ? fmt::format(" (line {})", line) : "";
}

}  // namespace

bool Scene::is_tight() const {
    return device_pages > 0 && device_pages < 4 * int(rows.size());
}

Scene scene_of(const Run& run, int case_index) {
    Scene scene;
    scene.timeline = timeline_of(run, case_index);
    if (scene.timeline == nullptr || scene.timeline->page_map.events.empty()) return {};
    scene.map = &scene.timeline->page_map;
    scene.columns.resize(scene.map->acts.size());
    scene.device_pages = int(std::min<uint64_t>(scene.map->device_bytes / scene.map->page_bytes, 1u << 30));
    std::map<int, size_t> first_row;
    add_rows(scene, first_row);
    for (size_t i = 0; i < scene.map->events.size(); ++i) {
        const PageEvent& event = scene.map->events[i];
        const auto first = first_row.find(event.buffer);
        if (first == first_row.end()) continue;
        count(scene.columns[size_t(event.act)], event);
        for (uint32_t page = event.first; page < std::min(event.first + event.count, most_pages); ++page)
            put(scene.rows[first->second + page], event, int(i));
    }
    for (size_t act = 0; act < scene.columns.size(); ++act)
        scene.columns[act].on_device = int(std::count_if(
            scene.rows.begin(), scene.rows.end(), [&](const Row& row) { return row.cells[act].on_device; }));
    return scene;
}

std::string summary_of(const Scene& scene) {
    const Timeline& t = *scene.timeline;
    const double kernels = t.metric("device_page_faults");
    int touched = 0, host_faults = 0;
    for (size_t act = 0; act < scene.columns.size(); ++act) {
        if (scene.map->acts[act].kind != "host") continue;
        touched += scene.columns[act].touched;
        host_faults += scene.columns[act].faults;
    }
    std::string text =
        kernels == 0 ? "No kernel faulted" : fmt::format("Kernels faulted {:.0f} times", kernels);
    if (host_faults > 0)
        text += fmt::format(", the host {} times", host_faults);
    else
        text += kernels == 0 ? ", and the host did not either" : ", the host did not";
    text += fmt::format(", after it had made {}. ", pages_text(touched));
    text +=
        fmt::format("{} went to the device, {} came home.", size_text(t.metric("migrated_to_device_bytes")),
                    size_text(t.metric("migrated_to_host_bytes")));
    if (t.metric("evicted_bytes") > 0)
        text += fmt::format(" {} of it because the device was full.", size_text(t.metric("evicted_bytes")));
    if (t.metric("remote_pages") > 0)
        text += fmt::format(" {} stayed, and the device reached them over the bus.",
                            pages_text(int64_t(t.metric("remote_pages"))));
    return text;
}

std::string title_of(const PageAct& act) {
    if (act.kind == "host") return "host code";
    if (act.kind == "kernel") return act.name.substr(0, act.name.find('<'));
    if (act.name == "cudaMemAdvise") return "advice";
    if (act.name == "cudaFree") return "free";
    return act.kind == "call" ? act.name : act.kind;
}

std::string sentence_of(const Scene& scene, size_t which) {
    const PageAct& act = scene.map->acts[which];
    const Column& column = scene.columns[which];
    std::string text =
        fmt::format("{} of {}: {}{}. ", which + 1, scene.columns.size(), title_of(act), line_text(act.line));
    std::vector<std::string> parts;
    if (column.faults > 0) parts.push_back(fmt::format("{} by fault", pages_text(column.faults)));
    if (column.touched > 0)
        parts.push_back(fmt::format("{} made by a first touch", pages_text(column.touched)));
    if (column.sent > 0) parts.push_back(fmt::format("{} sent", pages_text(column.sent)));
    if (column.evicted > 0)
        parts.push_back(fmt::format("{} pushed out of a full device", pages_text(column.evicted)));
    if (act.name == "cudaMemAdvise") parts.emplace_back("nothing moves yet");
    if (act.name == "cudaFree") parts.emplace_back("its pages are gone");
    if (parts.empty())
        parts.emplace_back(act.kind == "prefetch" ? "everything was there already" : "no fault");
    for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", ") + parts[i];
    text[text.find(". ") + 2] = char(std::toupper(text[text.find(". ") + 2]));
    return text + ".";
}

std::string sentence_of(const Scene& scene, const Cell& cell, size_t which) {
    std::string text = cell.on_host && cell.on_device ? "Both sides have a copy."
                       : cell.on_host                 ? "It is with the host."
                       : cell.on_device               ? "It is on the device."
                                        : "It is nowhere: nobody has touched it, or it is freed.";
    if (cell.event < 0) return text;
    const PageEvent& event = scene.map->events[size_t(cell.event)];
    const char* who = scene.map->acts[which].kind == "host" ? "the host" : "a kernel";
    const char* did = event.writes ? "wrote to it" : "read it";
    std::string why;
    if (event.change == "evicted")
        why = "The device was full, and this page had been there longest.";
    else if (event.change == "advised")
        why = "Advised; it moves when somebody needs it.";
    else if (event.change == "freed")
        why = "Freed.";
    else if (!event.is_fault)
        why = event.change == "made" ? "Made where it was sent." : "Sent here before anybody asked.";
    else if (event.change == "made")
        why = fmt::format("The first touch made it: {} {}.", who, did);
    else if (event.change == "dropped")
        why = fmt::format("A fault: {} {}, and the other side's copy had to go.", who, did);
    else if (event.change == "mapped")
        why = fmt::format("A fault: {} {}, and reaches it over the bus from now on.", who, did);
    else
        why = fmt::format("A fault: {} {}, and it was on the other side.", who, did);
    return fmt::format("{}{} {}", why, line_text(event.line), text);
}

}  // namespace lab::lesson_11_unified_memory
