// The simulated timeline of a run: what would have run when on the device of the profile. A model, no
// measurement; simt/host/timeline_model.h says how it comes about.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workbench/record/page_map.h"

namespace lab {

struct TimelineStream {
    int index = 0;
    std::string name;  // "stream", "the default stream"; with several devices it says which one
    std::string file;
    int line = 0;  // that created it; 0: nobody did
    int priority = 0;
    int device = 0;
};

struct TimelineTask {  // an operation that was queued
    int id = 0;        // in the order of the calls: its index in Timeline::tasks
    std::string kind;  // kernel, copy, set, host_function, record, wait, allocate, release, prefetch, library
    std::string name;  // the kernel's, or the call
    std::string file;
    int line = 0;
    int stream = 0;  // TimelineStream::index
    std::string
        engine;  // kernels, copies_to_device, copies_to_host, copies_on_device, host_functions; "": none
    int64_t queued = 0;            // ns from the first call; its call returned
    int64_t begin = -1, end = -1;  // -1: it never ran
    uint64_t bytes = 0;
    bool is_pageable = false, is_critical = false;
    int launch = -1;         // Kernel::launch
    int graph = 0;           // which launch of a graph it is a node of, from 1; 0: of none
    int graph_line = 0;      // of that launch
    int held_by = -1;        // the task whose end let it begin; -1: the call that queued it
    std::vector<int> after;  // earlier tasks of other streams that it waited for
    int device = 0;          // whose engine it uses
    int to_device = -1;      // of a copy between devices: it uses this one's copies_to_device, too
    bool takes_time() const { return end > begin; }
};

struct HostStep {      // what a host thread did
    std::string what;  // queues, waits, works
    int thread = 0;
    int64_t begin = 0, end = 0;  // ns
    int task = -1;  // that it queued or waited for: an index into Timeline::tasks; -1: none of them
    std::string
        call;  // works: "cudaMalloc"; "": the program's own code. waits: "cudaEventSynchronize"; "": as a copy does
    std::string file;
    int line = 0;
};

struct PageLine {  // what a line did to the pages of managed memory
    std::string file;
    int line = 0;
    std::string side;    // "device": a kernel, or a prefetch to it; "host"
    std::string buffer;  // its name
    uint64_t faults = 0, to_device_bytes = 0, to_host_bytes = 0;
};

struct Timeline {
    std::string device;
    int devices = 1;  // of that kind
    std::vector<TimelineStream> streams;
    std::vector<TimelineTask> tasks;
    std::vector<HostStep> host;
    std::vector<PageLine> pages;
    PageMap page_map;                       // what happened to which page when; empty: no managed memory
    uint64_t count = 0;                     // operations in all; `tasks` may stop before
    uint64_t left_out = 0;                  // of those: in no number here
    std::map<std::string, double> metrics;  // simt/include/simt/report.md lists them
    int case_index = -1;

    double metric(const std::string& name) const {  // 0: it has none of that name
        const auto found = metrics.find(name);
        return found == metrics.end() ? 0 : found->second;
    }
    // Of what takes time: more than one task, so that there is something to see.
    bool is_worth_showing() const;
};

// One JSON form, in the machine's report and in the Run. What is missing or of a wrong type is left as it is
// above.
nlohmann::ordered_json from_timeline(const Timeline& timeline);
Timeline to_timeline(const nlohmann::ordered_json& record);

// As rows of characters for a terminal of so many columns, with what it comes to in words.
std::string timeline_text(const Timeline& timeline, int columns);
// What it comes to, a sentence a line: what was hidden behind what, where the device was idle, what the end
// waited for.
std::vector<std::string> timeline_sentences(const Timeline& timeline);
// "12.5 us", "3.2 ms"
std::string duration_text(double ns);

}  // namespace lab
