// What the grader of lesson 08 reads off a run's timeline, and what it says about the mistakes that it knows. Each
// `told_` function is true if it said something; then the plain comparison would only repeat it.
#pragma once

#include <algorithm>
#include <span>

#include "lessons/08_host_memory/grader_data.h"
#include "workbench/grading/lab.h"

namespace lab::lesson_08_host_memory {

inline std::string number(long long value) {
    return std::to_string(value);
}
inline std::string counted(size_t count, const std::string& one, const std::string& many) {
    return number(static_cast<long long>(count)) + " " + (count == 1 ? one : many);
}
inline std::string element(const std::string& name, size_t i) {
    return name + "[" + std::to_string(i) + "]";
}

inline bool ran_well(const lab::Trial& trial) {
    return trial.ended_well() && trial.returned() == 0;
}

inline bool tell(lab::Trial& trial, const std::string& message, const std::string& next) {
    lab::fail(trial, message, next, LAB_HERE);
    return true;
}

// ---- what was queued, and what the host did meanwhile; nothing where the backend has no timeline

inline std::vector<lab::TimelineTask> copies_of(const lab::Trial& trial) {
    std::vector<lab::TimelineTask> copies;
    const lab::Timeline* timeline = trial.timeline();
    if (timeline == nullptr) return copies;
    for (const lab::TimelineTask& task : timeline->tasks)
        if (task.kind == "copy") copies.push_back(task);
    return copies;
}

inline std::string name_of(const lab::TimelineTask& task) {
    return (task.kind == "kernel" ? "kernel" : task.name) + " of line " + number(task.line);
}

inline bool told_about_the_number_of_copies(lab::Trial& trial, size_t wanted, const std::string& next) {
    if (trial.timeline() == nullptr) return false;
    const size_t got = copies_of(trial).size();
    if (got == wanted) return false;
    return tell(trial,
                counted(got, "copy was", "copies were") + " made, expected " +
                    number(static_cast<long long>(wanted)) + ".",
                next);
}

inline bool told_about_pageable_copies(lab::Trial& trial, const std::string& next) {
    for (const lab::TimelineTask& copy : copies_of(trial))
        if (copy.is_pageable)
            return tell(trial,
                        "The " + name_of(copy) +
                            " is from pageable memory: the driver copies the bytes to pinned memory of its "
                            "own first, and "
                            "the host stands in the call meanwhile, whatever the call's name says.",
                        next);
    return false;
}

// The host's own work: the longest stretch of it.
inline const lab::HostStep* own_work(const lab::Timeline& timeline) {
    const lab::HostStep* longest = nullptr;
    for (const lab::HostStep& step : timeline.host)
        if (step.what == "works" && step.call.empty() &&
            (longest == nullptr || step.end - step.begin > longest->end - longest->begin))
            longest = &step;
    return longest;
}

// carry of n numbers: the host waited first and worked then. (Work that comes after the last wait is on no timeline.)
inline bool told_about_a_wait_before_the_work(lab::Trial& trial, int n) {
    const lab::Timeline* timeline = trial.timeline();
    if (timeline == nullptr) return false;
    const lab::HostStep* work = own_work(*timeline);
    const bool was_seen = work != nullptr && work->end - work->begin > n / 100;  // ns; n / 32 or more
    for (const lab::HostStep& step : timeline->host) {
        if (step.what != "waits" || (was_seen && step.begin >= work->begin) || step.task < 0) continue;
        const lab::TimelineTask& task = timeline->tasks[static_cast<size_t>(step.task)];
        const bool in_the_copy = step.call.empty();
        return tell(
            trial,
            "The host waited " +
                (in_the_copy ? "in the " + name_of(task) : step.call + " in line " + number(step.line)) +
                ", and did its own work when everything had arrived. It could have worked meanwhile.",
            in_the_copy
                ? "cudaMemcpyAsync takes what cudaMemcpy takes, queues the copy, and comes back at once."
                : "Wait behind the host's own work, not in front of it.");
    }
    return false;
}

// send_readings: the host waited, or was busy in a call such as cudaMallocHost, while there were more pieces to send.
inline bool told_about_a_wait_between_pieces(lab::Trial& trial) {
    const lab::Timeline* timeline = trial.timeline();
    if (timeline == nullptr) return false;
    constexpr int64_t long_call = 20'000;  // ns
    int64_t last = 0;
    for (const lab::HostStep& step : timeline->host)
        if (step.what == "queues") last = std::max(last, step.begin);
    for (const lab::HostStep& step : timeline->host) {
        const bool is_call = step.what == "works" && !step.call.empty() && step.end - step.begin > long_call;
        if ((step.what != "waits" && !is_call) || step.begin >= last) continue;
        if (is_call)
            return tell(trial,
                        "The host was busy with " + step.call + " in line " + number(step.line) +
                            " while there were more pieces to send.",
                        "Allocate once, before the first piece, and free once, when all have arrived.");
        const bool in_the_copy = step.call.empty();
        return tell(
            trial,
            "The host waited in line " + number(step.line) + " while there were more pieces to calibrate.",
            in_the_copy ? "Queue the copy and go on with the next piece: cudaMemcpyAsync."
                        : "Wait once, behind the last piece.");
    }
    return false;
}

// send_readings of n readings: how much of the host's own work was left when the first piece was on its way.
inline bool told_about_work_in_front(lab::Trial& trial, int n) {
    const lab::Timeline* timeline = trial.timeline();
    if (timeline == nullptr) return false;
    int64_t last = 0, meanwhile = 0;
    for (const lab::HostStep& step : timeline->host)
        if (step.what == "queues") last = std::max(last, step.begin);
    for (const lab::HostStep& step : timeline->host)
        if (step.what == "works" && step.call.empty() && step.begin < last)
            meanwhile += step.end - step.begin;
    if (meanwhile > n / 4) return false;  // ns; a reading takes one or more
    return tell(trial,
                "When the first copy was queued, nearly all readings were calibrated: the copies had nothing "
                "to hide behind.",
                "Calibrate piece 0, queue its copy, calibrate piece 1 meanwhile, and so on.");
}

// ---- findings that need a word more

inline bool told_about_leaks(lab::Trial& trial) {
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.kind != "leak") continue;
        const bool pinned = finding.fix.find("cudaFreeHost") != std::string::npos;
        return tell(trial, finding.message + ".",
                    pinned ? "Pinned memory is taken from the whole computer: give it back with cudaFreeHost "
                             "when the last "
                             "copy from it is done."
                           : "Give it back with cudaFree before you return.");
    }
    return false;
}

inline bool told_about_a_buffer_in_flight(lab::Trial& trial, const std::string& next) {
    for (const lab::Finding& finding : trial.findings())
        if (finding.kind == "async-race") return tell(trial, finding.message, next);
    return false;
}

// Nothing at all was brought to `what`, `count` elements.
inline bool told_that_nothing_arrived(lab::Trial& trial, const std::string& what, size_t count,
                                      const std::string& next) {
    for (const lab::Finding& finding : trial.findings())
        if (finding.kind == "never-written" && finding.buffer == what && finding.element == 0 &&
            static_cast<size_t>(finding.last_element) + 1 == count)
            return tell(trial, "Nothing has arrived on the device: all of " + what + " is as it was.", next);
    return false;
}

// The caller changed `from` right after the function had come back, and that is what arrived.
template <class T, class Spoiled>
bool told_about_the_missing_wait(lab::Trial& trial, const std::string& what, std::span<const T> got,
                                 const std::string& from, Spoiled spoiled) {
    for (size_t i = 0; i < got.size(); ++i) {
        if (!spoiled(got[i])) continue;
        return tell(trial,
                    element(what, i) + " holds what the caller wrote into " + from +
                        " after the function had returned: the copy was queued, and not made yet.",
                    "A call that ends in Async only queues. Before you hand the memory back, wait: "
                    "cudaDeviceSynchronize.");
    }
    return false;
}

}  // namespace lab::lesson_08_host_memory
