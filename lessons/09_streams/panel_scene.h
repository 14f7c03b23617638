// What the panel of lesson 09 shows, derived from a timeline: the chunks and their way through the engines, what
// each operation waited for, and the critical path.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workbench/record/timeline.h"

namespace lab::lesson_09_streams {

// What kept an operation from beginning earlier.
enum class Wait : uint8_t {
    host,            // it was queued no sooner
    same_stream,     // what stands before it in its stream
    event,           // cudaStreamWaitEvent
    default_stream,  // one of the two is the default stream
    engine,          // its engine was busy
};

struct Held {
    Wait why = Wait::host;
    int by = -1;     // whose end it waited for: a task that takes time; -1: the host
    int64_t ns = 0;  // from the end of its call to its begin
};

struct EngineUse {
    std::string name;   // TimelineTask::engine
    std::string label;  // "copies in"
    double busy_us = 0;
    int tasks = 0;
};

struct Scene {
    const Timeline* timeline = nullptr;  // null: nothing was queued
    std::vector<int> chunk;          // by task: which copy to the device it belongs to, from 0; -1: to none
    std::vector<Held> held;          // by task
    std::vector<int> path;           // the critical path: tasks that take time, in their order
    std::vector<EngineUse> engines;  // copies in, SMs, copies out
    int chunks = 0, streams = 0;
    double in_turn_us = 0;    // of all operations, one after the other
    double device_us = 0;     // from the first begin to the last end
    double overlap_pct = -1;  // -1: there is nothing that could overlap

    const TimelineTask& task(int id) const { return timeline->tasks[size_t(id)]; }
};

Scene scene_of(const Timeline& timeline);

std::string stream_name(const Timeline& timeline, int stream);
std::string name_of(const Scene& scene, int task);        // "kernel of chunk 2"
std::string short_name_of(const Scene& scene, int task);  // "kernel 2"
std::string words_of(Wait why);                           // "engine busy"
// "It waited for its engine, which was busy with the copy in of chunk 1."
std::string sentence_of(const Scene& scene, int task);
std::string summary_of(const Scene& scene);

}  // namespace lab::lesson_09_streams
