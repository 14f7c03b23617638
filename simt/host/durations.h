// How long the simulated device takes for an operation: a model, whose few constants were fitted to what an H200
// measured (tests/bench/results/2026-12-02-timeline-rates.md has both columns).
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/host/queue.h"

namespace simt::timeline {

// What a launch asked of the device, counted by the checked engine.
struct KernelWork {
    uint64_t blocks = 0;
    unsigned resident_blocks = 1;        // that fit on one SM at once
    uint64_t accesses = 0;               // warp instructions to memory, of any space
    uint64_t busiest_warp_accesses = 0;  // the most that one warp made of them
    uint64_t branches = 0;               // warp instructions that end a basic block
    uint64_t global_requests = 0;        // loads, stores and atomics
    uint64_t global_lines = 0;           // of 128 bytes, request by request
    uint64_t l2_sectors = 0;             // of 32 bytes, that an L1 cache did not have; stores and atomics all
    uint64_t partial_sectors = 0;        // of those: stored to in part
    uint64_t dram_bytes = 0;  // from the lowest to the highest address that each place in the text touched
    uint64_t atomic_sectors = 0;  // sectors times the most lanes that hit one word
    uint64_t atomic_bytes = 0;    // extent of what atomics touched
    uint64_t shared_wavefronts = 0;
    double longest_warp_cycles = 0;  // of waiting, if nothing else were in its way
    double all_warps_cycles = 0;     // the same, summed over all warps
    uint64_t warps = 0;
    uint64_t page_faults = 0, page_bytes = 0;  // of managed memory
    uint64_t page_collapses = 0;               // writes to pages of which both sides had a copy
    uint64_t remote_sectors = 0;               // of memory that is the host's
};

// Of one warp instruction: cycles until the warp can go on.
struct Latency {
    static constexpr double global_load = 200;  // from L2, some of them in flight together
    static constexpr double l1_hit = 12;
    static constexpr double shared_load = 12;
    static constexpr double store = 4;
    static constexpr double branch = 4.5;
};

// A kernel that follows another one of the same launch of a graph takes so much less.
constexpr double graph_saves_ns = 800, least_kernel_ns = 700;

struct Duration {
    double ns = 0;      // alone on the device
    double share = 0;   // of the SMs' room for blocks that it fills, 0 to 1
    double memory = 0;  // share of the device's memory bandwidth that it then uses, 0 to 1
};

// In ns: faults of managed memory, and the bytes that move for them.
double of_page_faults(uint64_t faults, uint64_t bytes);
Duration of_kernel(const KernelWork& work);
// What a library's call asks of the device.
struct LibraryWork {
    double flops = 0;   // multiplications and additions
    double bytes = 0;   // that it reads and writes, each once
    double blocks = 1;  // of its kernel, one a tile of 128 x 128 results: more fill more SMs
};
Duration of_library(const LibraryWork& work);
// Copies and memsets by their bytes, the other kinds 0.
Duration of_operation(queue::Kind kind, size_t bytes, bool is_pageable);
// Copies between two devices. `staged`: through the host, since neither reaches the other.
Duration between_devices(size_t bytes, bool staged);

// What calls cost the host, and how long news take between host and device, in ns. Between what two hosts with an
// H200 measured, which were up to 2.2 times apart; for all profiles.
struct HostCost {
    static constexpr double launch = 4500, copy = 2200, set = 1300, record = 1400, wait_event = 250;
    static constexpr double host_function = 2500, other = 400;
    static constexpr double allocate = 40'000, release = 40'000;
    static constexpr double look = 600;        // a wait for what is done
    static constexpr double to_device = 2000;  // from a call's return to the start on an idle device
    static constexpr double to_host = 2000;    // from the end of an operation to the host that waits for it
    static constexpr double between_streams = 2100;
    // Of a graph: its launch, each node and each further branch; and between its branches.
    static constexpr double graph_launch = 1700, graph_node = 3, graph_branch = 1150;
    static constexpr double between_branches = 700;
    // Making an executable graph and destroying it, and each of its nodes.
    static constexpr double instantiate = 4900, instantiate_node = 1430, destroy = 4000, destroy_node = 290;
    static constexpr double basic_block = 1;  // of the program's own host code: taken, not measured
    // A copy from pageable memory of at most so many bytes returns when they are in a buffer of the driver.
    static constexpr size_t staged_bytes = 65536;
    static constexpr double staged_bytes_per_ns = 5;
};
double of_call(queue::Kind kind, size_t bytes, bool is_pageable);

}  // namespace simt::timeline
