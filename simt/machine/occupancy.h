// Theoretical occupancy, as the CUDA occupancy calculator has it, of the device that the machine plays.
#pragma once

#include <cstddef>

#include "simt/machine/machine.h"
#include "simt/machine/sm.h"

namespace simt {

// Where nobody knows how many registers nvcc takes: as many as every profile has for a full SM.
inline constexpr int estimated_registers = 32;

// As sm.h has it, on one SM of the current profile.
ResidentBlocks resident_blocks(unsigned threads, size_t shared_bytes, int registers = estimated_registers);
double occupancy_percent(unsigned threads, size_t shared_bytes, int registers = estimated_registers);

}  // namespace simt
