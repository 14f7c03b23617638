// What the panel of lesson 08 shows, derived from a timeline: what travelled on which engine, when the host was kept in a
// call and when it was free, and what earlier tries have measured.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "workbench/record/run.h"

namespace lab::lesson_08_host_memory {

enum class Source : uint8_t { none, pageable, pinned, mapped };  // where the host's bytes lay
const char* word_of(Source source);                              // "pageable", "pinned", "mapped"

// What a stretch of the host's time was.
enum class Host : uint8_t {
    blocked,    // it stood in a copy or a launch
    works,      // its own code
    waits,      // it asked to wait, as with cudaDeviceSynchronize
    allocates,  // in cudaMallocHost, cudaFree and the like
};

struct HostBar {
    int64_t begin, end;  // ns
    Host what;
    int task;          // that it queued or waited for; -1: none
    std::string call;  // "cudaDeviceSynchronize"; empty where the task says it, or it is its own code
    int line;
};

struct Engine {
    std::string name, label;  // TimelineTask::engine, "copies in"
    std::vector<int> tasks;
};

struct Scene {
    const Timeline* timeline = nullptr;  // null: nothing was queued
    std::vector<HostBar> host;
    std::vector<Engine> engines;  // that had work
    std::vector<int> piece;       // by task: its number on its engine, from 1; 0: it takes no time
    Source source = Source::none;
    uint64_t bytes = 0;   // that travelled; of kernels that read mapped memory, what the largest buffer holds
    int pieces = 0;       // copies, or those kernels
    int64_t arrived = 0;  // ns from the first call to the last end on the device
    int64_t blocked = 0, free = 0, allocates = 0;  // ns of the host's time; free: it works or waits by choice

    const TimelineTask& task(int id) const { return timeline->tasks[size_t(id)]; }
    double gb_per_s() const { return arrived > 0 ? double(bytes) / double(arrived) : 0; }
};

// The case's timeline, or an empty scene.
Scene scene_of(const Run& run, int case_index);

// "1 MiB, 4 pieces, pinned memory: done after 32.7 us, 32 GB/s"
std::string arrival_text(const Scene& scene);
std::string name_of(const Scene& scene, int task);  // "copy in 2"
std::string bytes_text(uint64_t bytes);             // "16 KiB"

// What tries have measured while the lesson is open.
struct Try {
    uint64_t bytes;
    Source source;
    int pieces;
    bool operator<(const Try& other) const {
        return std::tie(source, pieces, bytes) < std::tie(other.source, other.pieces, other.bytes);
    }
};
class Tries {
  public:
    void note(const Scene& scene);  // of a run of carry
    const std::map<Try, double>& all() const { return gb_per_s_; }
    const Try& last() const { return last_; }

  private:
    std::map<Try, double> gb_per_s_;
    Try last_{0, Source::none, 0};
};

}  // namespace lab::lesson_08_host_memory
