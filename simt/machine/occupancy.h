// Theoretical occupancy, as the CUDA occupancy calculator has it, of the device that the machine plays.
#pragma once

#include <cstddef>

#include "simt/include/simt/abi.h"
#include "simt/machine/machine.h"
#include "simt/machine/sm.h"

namespace simt {

// Where nobody knows how many registers nvcc takes: as many as every profile has for a full SM.
inline constexpr int estimated_registers = 32;

// As sm.h has it, on one SM of the current profile.
ResidentBlocks resident_blocks(unsigned threads, size_t shared_bytes, int registers = estimated_registers);
double occupancy_percent(unsigned threads, size_t shared_bytes, int registers = estimated_registers);

// Registers a thread of the kernel: what nvcc said, as the session has it; nullptr: nobody said.
const int* known_registers(const LaunchCall& call);

// Blocks of a launch that the current profile's device holds at once: with its dynamic shared memory and `static_shared`
// bytes of arrays, and its registers where they are known.
struct Residency {
    ResidentBlocks each;  // on one SM
    int sms = 0;
    uint64_t blocks() const { return static_cast<uint64_t>(sms) * static_cast<uint64_t>(each.least()); }
};
Residency residency_of(const LaunchCall& call, size_t static_shared);

}  // namespace simt
