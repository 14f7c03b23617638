#include "simt/host/durations.h"

#include <algorithm>

#include "simt/machine/machine.h"

namespace simt::timeline {

namespace {

constexpr double sector_bytes = 32;
constexpr double kernel_base = 1600, copy_to_device_base = 2300, copy_to_host_base = 1600,
                 on_device_base = 1600;
// Shares of the memory's peak rate that kernels and copies reach.
constexpr double kernel_reaches = 0.72, copy_reaches = 0.85;
constexpr double l2_bytes_per_cycle = 19;  // an SM
constexpr double cycles_per_global_request = 1.77;
constexpr double instructions_per_access = 4, instructions_per_branch = 2.4;
constexpr double blocks_per_ns = 2.2;    // that are handed out
constexpr double atomics_per_ns = 1.36;  // on one part of L2
constexpr double atomic_part_bytes = 4096, most_atomic_parts = 64;
constexpr double page_fault_ns = 3700, page_bytes_per_ns = 16, page_collapse_ns = 60'000;
constexpr double prefetch_base = 150'000, prefetch_to_host_reaches = 0.23;
constexpr double pageable_bytes_per_ns = 9, pageable_base = 7000;

double memory_bytes_per_ns() {
    const DeviceProfile& p = device_profile();
    return 2.0 * p.memory_clock_khz * 1e3 * p.memory_bus_bits / 8 * 1e-9;
}

}  // namespace

double of_page_faults(uint64_t faults, uint64_t bytes) {
    return static_cast<double>(faults) * page_fault_ns + static_cast<double>(bytes) / page_bytes_per_ns;
}

Duration of_kernel(const KernelWork& w) {
    const DeviceProfile& p = device_profile();
    if (w.blocks == 0) return {kernel_base, 0, 0};
    const double cycle = 1e6 / p.clock_khz;  // ns
    const auto blocks = static_cast<double>(w.blocks);
    const double sms = std::min(blocks, static_cast<double>(p.sm_count));
    // The SM that has most to do sets the time.
    const double busiest = static_cast<double>((w.blocks + static_cast<uint64_t>(p.sm_count) - 1) /
                                               static_cast<uint64_t>(p.sm_count)) /
                           blocks;
    const double room = static_cast<double>(std::max(1u, w.resident_blocks)) * p.sm_count;
    const double waves = std::max(1.0, blocks / room);

    const double l2_bytes = sector_bytes * static_cast<double>(w.l2_sectors + w.partial_sectors);
    const double dram_bytes = std::min(static_cast<double>(w.dram_bytes), l2_bytes);
    const double memory = dram_bytes / (memory_bytes_per_ns() * kernel_reaches);
    const double l2 = l2_bytes / (l2_bytes_per_cycle * sms) * cycle;
    const double requests = std::max(static_cast<double>(w.global_requests) * cycles_per_global_request,
                                     static_cast<double>(w.global_lines)) +
                            static_cast<double>(w.shared_wavefronts);
    const double units = requests * busiest * cycle;
    const double issue = (static_cast<double>(w.accesses) * instructions_per_access +
                          static_cast<double>(w.branches) * instructions_per_branch) /
                         4 * busiest * cycle;
    const double parts =
        std::clamp(static_cast<double>(w.atomic_bytes) / atomic_part_bytes, 1.0, most_atomic_parts);
    const double atomics = static_cast<double>(w.atomic_sectors) / (atomics_per_ns * parts);
    const double average = w.all_warps_cycles / static_cast<double>(std::max<uint64_t>(1, w.warps));
    const double waiting = std::max(w.longest_warp_cycles, average * waves) * cycle;
    const double remote = sector_bytes * static_cast<double>(w.remote_sectors) / p.to_device_gb_per_s;
    const double handing_out = blocks / blocks_per_ns;

    Duration d;
    const double most = std::max({memory, l2, units, issue, atomics, waiting, handing_out, remote});
    d.ns = kernel_base + most + of_page_faults(w.page_faults, w.page_bytes) +
           static_cast<double>(w.page_collapses) * page_collapse_ns;
    d.share = std::min(1.0, blocks / room);
    d.memory = std::min(1.0, memory / d.ns);
    return d;
}

// Shares of the peak rates that cuBLAS's kernels are taken to reach.
Duration of_library(const LibraryWork& w) {
    const DeviceProfile& p = device_profile();
    constexpr double flops_reached = 0.75;
    const double share = std::clamp(w.blocks / p.sm_count, 1.0 / p.sm_count, 1.0);
    const double flops_per_ns = 2.0 * p.fp32_per_sm * p.sm_count * p.clock_khz * 1e-6 * flops_reached * share;
    const double memory = w.bytes / (memory_bytes_per_ns() * kernel_reaches);
    Duration d;
    d.ns = kernel_base + std::max(memory, w.flops / flops_per_ns);
    d.share = share;
    d.memory = std::min(1.0, memory / d.ns);
    return d;
}

Duration of_operation(queue::Kind kind, size_t bytes, bool is_pageable) {
    const DeviceProfile& p = device_profile();
    const auto n = static_cast<double>(bytes);
    const double host_rate = kind == queue::Kind::copy_to_host ? p.to_host_gb_per_s : p.to_device_gb_per_s;
    switch (kind) {
        case queue::Kind::copy_to_device:
            if (is_pageable && bytes > HostCost::staged_bytes)
                return {pageable_base + n / pageable_bytes_per_ns};
            return {copy_to_device_base + n / host_rate};
        case queue::Kind::copy_to_host:
            if (is_pageable) return {pageable_base + n / pageable_bytes_per_ns};
            return {copy_to_host_base + n / host_rate};
        case queue::Kind::prefetch:
            return {prefetch_base + n / p.to_device_gb_per_s};
        case queue::Kind::prefetch_to_host:
            return {prefetch_base + n / (p.to_host_gb_per_s * prefetch_to_host_reaches)};
        case queue::Kind::copy_on_device:
            return {on_device_base + 2 * n / (memory_bytes_per_ns() * copy_reaches), 0, copy_reaches};
        case queue::Kind::set:
            return {on_device_base + n / (memory_bytes_per_ns() * copy_reaches), 0, copy_reaches};
        case queue::Kind::copy_on_host:
            return {n / pageable_bytes_per_ns};
        default:
            return {};
    }
}

Duration between_devices(size_t bytes, bool staged) {
    const DeviceProfile& p = device_profile();
    const double host = std::min(p.to_host_gb_per_s, p.to_device_gb_per_s);
    const double rate = staged || p.peer_gb_per_s <= 0 ? host : p.peer_gb_per_s;
    return {copy_to_device_base + static_cast<double>(bytes) / rate};
}

double of_call(queue::Kind kind, size_t bytes, bool is_pageable) {
    switch (kind) {
        case queue::Kind::kernel:
        case queue::Kind::library:
            return HostCost::launch;
        case queue::Kind::set:
            return HostCost::set;
        case queue::Kind::record:
            return HostCost::record;
        case queue::Kind::wait:
            return HostCost::wait_event;
        case queue::Kind::host_function:
            return HostCost::host_function;
        case queue::Kind::allocate:
        case queue::Kind::release:
            return HostCost::other;
        default:
            return HostCost::copy + (is_pageable && bytes <= HostCost::staged_bytes
                                         ? static_cast<double>(bytes) / HostCost::staged_bytes_per_ns
                                         : 0);
    }
}

}  // namespace simt::timeline
