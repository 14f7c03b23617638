#include "lessons/08_host_memory/panel_transfers.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/run_choice.h"

namespace lab::lesson_08_host_memory {
namespace {

constexpr int64_t long_call = 20'000;  // ns: what a call such as cudaMallocHost takes, and no other

Host what_of(const HostStep& step) {
    if (step.what == "queues") return Host::blocked;
    if (step.what == "waits") return step.call.empty() ? Host::blocked : Host::waits;
    return step.call.empty() ? Host::works : Host::allocates;
}

// Neighbours of one kind, for one task, are one bar.
void add(std::vector<HostBar>& bars, const HostStep& step) {
    const Host what = what_of(step);
    HostBar* last = bars.empty() ? nullptr : &bars.back();
    if (last != nullptr && last->what == what && last->task == step.task && last->call == step.call &&
        last->end == step.begin) {
        last->end = step.end;
        return;
    }
    bars.push_back({step.begin, step.end, what, step.task, step.call, step.line});
}

void add_engines(Scene& scene) {
    static constexpr std::pair<const char*, const char*> known[] = {{"copies_to_device", "copies in"},
                                                                    {"kernels", "SMs"},
                                                                    {"copies_to_host", "copies out"},
                                                                    {"copies_on_device", "on device"}};
    scene.piece.assign(scene.timeline->tasks.size(), 0);
    for (const auto& [name, label] : known) {
        Engine engine{name, label, {}};
        for (const TimelineTask& task : scene.timeline->tasks)
            if (task.takes_time() && task.engine == name) {
                engine.tasks.push_back(task.id);
                scene.piece[size_t(task.id)] = int(engine.tasks.size());
            }
        if (!engine.tasks.empty()) scene.engines.push_back(std::move(engine));
    }
}

// Where it came from, and how much: of copies they say it themselves.
void measure(Scene& scene, const Run& run, int case_index) {
    bool is_pageable = false;
    int kernels = 0;
    for (const TimelineTask& task : scene.timeline->tasks) {
        if (!task.takes_time()) continue;
        scene.arrived = std::max(scene.arrived, task.end);
        kernels += task.kind == "kernel";
        if (task.engine != "copies_to_device" && task.engine != "copies_to_host") continue;
        ++scene.pieces;
        scene.bytes += task.bytes;
        is_pageable = is_pageable || task.is_pageable;
    }
    scene.source = is_pageable ? Source::pageable : Source::pinned;
    if (scene.pieces != 0) return;
    scene.source = kernels != 0 ? Source::mapped : Source::none;
    scene.pieces = kernels;
    for (const Buffer& buffer : run.buffers)
        if (buffer.case_index == case_index) scene.bytes = std::max(scene.bytes, buffer.bytes);
}

}  // namespace

const char* word_of(Source source) {
    switch (source) {
        case Source::pageable:
            return "pageable";
        case Source::pinned:
            return "pinned";
        case Source::mapped:
            return "mapped";
        default:
            return "no";
    }
}

Scene scene_of(const Run& run, int case_index) {
    Scene scene;
    for (const Timeline& timeline : run.timelines)
        if (timeline.case_index == case_index || timeline.case_index < 0) scene.timeline = &timeline;
    if (scene.timeline == nullptr) return scene;
    add_engines(scene);
    if (scene.engines.empty()) return {};
    measure(scene, run, case_index);
    for (const HostStep& step : scene.timeline->host)
        if (step.thread == 0 && step.end > step.begin) add(scene.host, step);
    for (const HostBar& bar : scene.host) {
        int64_t& sum = bar.what == Host::blocked     ? scene.blocked
                       : bar.what == Host::allocates ? scene.allocates
                                                     : scene.free;
        sum += bar.end - bar.begin;
    }
    // A call of nothing much is the host's own time.
    if (scene.allocates < long_call) {
        scene.free += scene.allocates;
        scene.allocates = 0;
    }
    return scene;
}

std::string bytes_text(uint64_t bytes) {
    if (bytes < 1024) return plural(int64_t(bytes), "byte", "bytes");
    if (bytes < (1u << 20)) return fmt::format("{:.4g} KiB", double(bytes) / 1024);
    return fmt::format("{:.4g} MiB", double(bytes) / (1 << 20));
}

std::string arrival_text(const Scene& scene) {
    return fmt::format("{}, {}, {} memory: done after {}, {:.3g} GB/s", bytes_text(scene.bytes),
                       plural(scene.pieces, "piece", "pieces"), word_of(scene.source),
                       duration_text(double(scene.arrived)), scene.gb_per_s());
}

std::string name_of(const Scene& scene, int id) {
    const TimelineTask& task = scene.task(id);
    const int piece = scene.piece[size_t(id)];
    if (task.kind == "kernel") return fmt::format("{} {}", task.name, piece);
    if (task.engine == "copies_to_device") return fmt::format("copy in {}", piece);
    if (task.engine == "copies_to_host") return fmt::format("copy out {}", piece);
    return fmt::format("{} {}", task.name, piece);
}

void Tries::note(const Scene& scene) {
    if (scene.source == Source::none || scene.bytes == 0 || scene.arrived == 0) return;
    last_ = {scene.bytes, scene.source, scene.pieces};
    gb_per_s_[last_] = scene.gb_per_s();
}

}  // namespace lab::lesson_08_host_memory
