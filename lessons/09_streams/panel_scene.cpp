#include "lessons/09_streams/panel_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/panels/run_choice.h"

namespace lab::lesson_09_streams {
namespace {

constexpr size_t most_marks = 1000;  // events between two operations that are followed

bool is_default(const Timeline& timeline, int stream) {
    for (const TimelineStream& one : timeline.streams)
        if (one.index == stream) return one.line == 0 && one.name.find("default stream") != std::string::npos;
    return false;
}

bool uses_an_engine(const TimelineTask& task) {
    return task.takes_time() && !task.engine.empty();
}

// How `task` came to wait for `other`, the next on the way back.
Wait why_of(const Timeline& timeline, const TimelineTask& task, const TimelineTask& other) {
    if (other.stream == task.stream) return Wait::same_stream;
    if (std::find(task.after.begin(), task.after.end(), other.id) == task.after.end()) return Wait::engine;
    if (is_default(timeline, task.stream) || is_default(timeline, other.stream)) return Wait::default_stream;
    return Wait::event;
}

Held held_of(const Timeline& timeline, const TimelineTask& task) {
    Held held;
    held.ns = std::max<int64_t>(0, task.begin - task.queued);
    const TimelineTask* at = &task;
    for (size_t i = 0; i < most_marks && at->held_by >= 0; ++i) {
        const TimelineTask& other = timeline.tasks[size_t(at->held_by)];
        const Wait why = why_of(timeline, *at, other);
        // Where the way leaves the stream, there is the reason.
        if (held.why == Wait::host || why != Wait::same_stream) held.why = why;
        if (other.takes_time()) {
            held.by = other.id;
            return held;
        }
        at = &other;
    }
    return {Wait::host, -1, held.ns};
}

void find_chunks(Scene& scene) {
    const Timeline& t = *scene.timeline;
    std::map<int, int> in_stream;  // the chunk that a stream has got last
    std::set<int> streams;
    scene.chunk.assign(t.tasks.size(), -1);
    for (const TimelineTask& task : t.tasks) {
        if (!uses_an_engine(task)) continue;
        streams.insert(task.stream);
        if (task.engine == "copies_to_device") in_stream[task.stream] = scene.chunks++;
        const auto found = in_stream.find(task.stream);
        if (found != in_stream.end()) scene.chunk[size_t(task.id)] = found->second;
    }
    scene.streams = int(streams.size());
}

void measure(Scene& scene) {
    const Timeline& t = *scene.timeline;
    scene.engines = {{"copies_to_device", "copies in", t.metric("copies_to_device_us")},
                     {"kernels", "SMs", t.metric("kernels_us")},
                     {"copies_to_host", "copies out", t.metric("copies_to_host_us")}};
    for (EngineUse& engine : scene.engines)
        engine.tasks = int(std::count_if(t.tasks.begin(), t.tasks.end(), [&](const TimelineTask& task) {
            return task.takes_time() && task.engine == engine.name;
        }));
    scene.device_us = t.metric("device_us");
    for (const TimelineTask& task : t.tasks)
        if (uses_an_engine(task) && task.engine != "host_functions")
            scene.in_turn_us += double(task.end - task.begin) / 1000;
    if (t.metrics.count("overlap_pct") != 0) scene.overlap_pct = t.metric("overlap_pct");
}

const char* step_name(const TimelineTask& task) {
    if (task.kind == "kernel") return "kernel";
    if (task.kind == "set") return "set";
    if (task.kind == "host_function") return "host function";
    if (task.engine == "copies_to_device") return "copy in";
    return task.engine == "copies_to_host" ? "copy out" : "copy";
}

}  // namespace

Scene scene_of(const Timeline& timeline) {
    Scene scene;
    if (std::none_of(timeline.tasks.begin(), timeline.tasks.end(), uses_an_engine)) return scene;
    scene.timeline = &timeline;
    find_chunks(scene);
    measure(scene);
    scene.held.resize(timeline.tasks.size());
    for (const TimelineTask& task : timeline.tasks) {
        if (!task.takes_time()) continue;
        scene.held[size_t(task.id)] = held_of(timeline, task);
        if (task.is_critical) scene.path.push_back(task.id);
    }
    std::stable_sort(scene.path.begin(), scene.path.end(),
                     [&](int a, int b) { return scene.task(a).begin < scene.task(b).begin; });
    return scene;
}

std::string stream_name(const Timeline& timeline, int stream) {
    for (const TimelineStream& one : timeline.streams)
        if (one.index == stream) return one.name;
    return "stream";
}

std::string name_of(const Scene& scene, int id) {
    const int chunk = scene.chunk[size_t(id)];
    const std::string step = step_name(scene.task(id));
    return chunk < 0 ? step : fmt::format("{} of chunk {}", step, chunk);
}

std::string short_name_of(const Scene& scene, int id) {
    const int chunk = scene.chunk[size_t(id)];
    const std::string step = step_name(scene.task(id));
    return chunk < 0 ? step : fmt::format("{} {}", step, chunk);
}

std::string words_of(Wait why) {
    switch (why) {
        case Wait::same_stream:
            return "same stream";
        case Wait::event:
            return "event";
        case Wait::default_stream:
            return "default stream";
        case Wait::engine:
            return "engine busy";
        default:
            return "host";
    }
}

std::string sentence_of(const Scene& scene, int id) {
    const Held& held = scene.held[size_t(id)];
    if (held.by < 0) return "It waited for the host: the call came no sooner.";
    const std::string by = name_of(scene, held.by);
    switch (held.why) {
        case Wait::same_stream:
            return fmt::format("It waited for its turn in its stream: the {} comes first.", by);
        case Wait::event:
            return fmt::format("It waited for an event, behind the {}.", by);
        case Wait::default_stream:
            return fmt::format("The default stream stands between: it waited for the {}.", by);
        default:
            return fmt::format("It waited for its engine, which was busy with the {}.", by);
    }
}

std::string summary_of(const Scene& scene) {
    const std::string work = fmt::format("{} in {}", plural(scene.chunks, "chunk", "chunks"),
                                         plural(scene.streams, "stream", "streams"));
    if (scene.overlap_pct < 0) return work + ": only one engine has work.";
    return fmt::format("{} took {}. All operations together are {}.", work,
                       duration_text(scene.timeline->metric("total_us") * 1000),
                       duration_text(scene.in_turn_us * 1000));
}

}  // namespace lab::lesson_09_streams
