// What a timeline comes to: how much went on at the same time, where nothing did, what the end waited for.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "simt/host/timeline_model.h"

namespace simt::timeline {

// What a task is to a reader.
struct About {
    queue::Kind kind{};
    Where where{};
    std::string name{};
    uint32_t stream = 0;
    size_t bytes = 0;
    bool is_pageable = false;
    Where graph{};  // of the launch of the graph that it is a node of; line 0: of none
    int launch = -1;
};
struct AboutStep {
    Where where{};
    const char* call = "";
};

struct Timeline {
    const Log& log;
    const Placement& placed;
    const std::vector<About>& tasks;
    const std::vector<AboutStep>& steps;
    uint64_t left_out = 0;                            // operations that were not logged
    size_t most_shown = 0;                            // in the record, the metrics count all
    uint64_t instantiations = 0;                      // of graphs
    uint64_t handles = 0;                             // of libraries, that the program made
    uint64_t calls = 0, calls_in_default_stream = 0;  // of libraries that queue kernels
};

// All times in ns from the first call.
struct Metrics {
    double total = 0;           // until the last end, of a task or of the host
    double device = 0;          // from the first begin to the last end of what runs on an engine
    double busy[engines] = {};  // by engine: something runs there
    double any_busy = 0;        // on any engine of the device
    double hidden = 0;          // sum of all engines' busy time less any_busy
    double most_hidden = 0;     // what it would be if all ran beside the busiest engine
    double copies_beside_kernels = 0;
    double kernels_together = 0;  // two kernels or more
    size_t idle_gaps = 0;
    // Along the critical path: what the last end waited for, and that in turn.
    std::vector<TaskId> critical;
    double critical_tasks[engines] = {}, critical_host = 0, critical_news = 0;
};
Metrics measure(const Timeline& timeline);

nlohmann::ordered_json record_of(const Timeline& timeline);

}  // namespace simt::timeline
