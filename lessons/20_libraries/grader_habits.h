// What no result shows: whose kernels ran, how many handles were made, which streams were used, and what the host did between
// the calls. Read off the simulated timeline; a GPU has none, and then nothing is said.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "workbench/grading/lab.h"

namespace lab::lesson_20_libraries {

struct Complaint {
    std::string what, next;  // empty: there is none
};

constexpr double libraries = 3;  // with handles: cuBLAS, cuSOLVER, cuRAND (its generator)

inline bool is_learners(const std::string& file) {
    return file.size() > 3 && std::string_view(file).substr(file.size() - 3) == ".cu";
}
inline bool is_by_hand(std::string_view name) {
    return name.find("by_hand") != name.npos;
}

// A copy between host and device that the exercise asked for.
inline bool crosses(const TimelineTask& task) {
    return is_learners(task.file) && (task.engine == "copies_to_device" || task.engine == "copies_to_host");
}

inline Complaint complaint_about_handles(const Trial& trial, double opened = 1) {
    const Timeline* timeline = trial.timeline();
    if (timeline == nullptr) return {};
    const double made = timeline->metric("library_handles"), wanted = libraries * opened;
    if (made == wanted) return {};
    if (made < wanted)
        return {fmt::format("open_tools made {:.0f} of {:.0f} handles.", made / opened, libraries),
                "cublasCreate, cusolverDnCreate and curandCreateGenerator: each into its place in Tools."};
    return {
        fmt::format("{:.0f} handles were made, where {:.0f} are enough.", made, wanted),
        "A handle is costly to make, and to destroy it waits for the device: all calls use those of tools."};
}

// In which stream the library's calls and kernels went.
inline Complaint complaint_about_streams(const Timeline& timeline) {
    for (const TimelineTask& task : timeline.tasks) {
        if (task.kind != "library" && task.kind != "kernel") continue;
        const bool is_default =
            std::any_of(timeline.streams.begin(), timeline.streams.end(),
                        [&](const auto& s) { return s.index == task.stream && s.line == 0; });
        if (!is_default || !is_learners(task.file)) continue;
        return {
            fmt::format(
                "{} at line {} went into the default stream. The result is right, and everything in other "
                "streams had to wait for it.",
                task.name, task.line),
            task.kind == "library" ? "A handle works in the default stream until cublasSetStream, "
                                     "cusolverDnSetStream or curandSetStream "
                                     "gives it another: once, in open_tools."
                                   : "The stream is the last argument: tools->stream."};
    }
    return {};
}

inline Complaint complaint_about_copies(const Timeline& timeline) {
    const auto is_crossing = [](const TimelineTask& task) { return crosses(task); };
    const auto first = std::find_if(timeline.tasks.begin(), timeline.tasks.end(), is_crossing);
    if (first == timeline.tasks.end()) return {};
    const auto count = std::count_if(timeline.tasks.begin(), timeline.tasks.end(), is_crossing);
    return {fmt::format("{} at line {} copies between host and device{}.", first->name, first->line,
                        count > 1 ? fmt::format(", one of {} such copies", count) : ""),
            "What a library made on the device, the next one can take there: hand the pointer on."};
}

// `function`: that was played. `opened`: how often open_tools was.
inline Complaint complaint_about(const Trial& trial, std::string_view function, double opened) {
    const bool by_hand = is_by_hand(function);
    for (const Kernel& kernel : trial.launches())
        if (!by_hand && is_by_hand(kernel.name))
            return {fmt::format("{} launched {}: right, but this one is a library's.", function, kernel.name),
                    "The given kernels are there to compare with."};
    const Timeline* timeline = trial.timeline();
    if (timeline == nullptr || by_hand) return {};
    for (const Complaint& complaint : {complaint_about_handles(trial, opened),
                                       complaint_about_streams(*timeline), complaint_about_copies(*timeline)})
        if (!complaint.what.empty()) return complaint;
    return {};
}

// What a loop should leave outside.
inline Complaint complaint_about_rounds(const Trial& trial, size_t rounds) {
    const Timeline* timeline = trial.timeline();
    if (timeline == nullptr) return {};
    const auto factored = std::count_if(timeline->tasks.begin(), timeline->tasks.end(),
                                        [](const TimelineTask& t) { return t.name == "cusolverDnSpotrf"; });
    if (factored > 1)
        return {fmt::format("The matrix was factored {} times, and it is the same in all rounds.", factored),
                "cusolverDnSpotrf once, before the loop; the loop substitutes."};
    const auto is_in_rounds = [&](auto of) {
        return static_cast<size_t>(std::count_if(timeline->host.begin(), timeline->host.end(), of)) >= rounds;
    };
    if (is_in_rounds([](const HostStep& s) { return is_learners(s.file) && s.what == "waits"; }))
        return {"The host waits in every round.",
                "The calls of one stream run one after the other by themselves: nothing has to wait between "
                "them."};
    if (is_in_rounds([](const HostStep& s) { return is_learners(s.file) && s.call == "cudaMalloc"; }))
        return {"The host allocates memory in every round.", "room() gives the same memory each time."};
    return {};
}

}  // namespace lab::lesson_20_libraries
