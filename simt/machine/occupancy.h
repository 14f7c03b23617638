// Theoretical occupancy, as the CUDA occupancy calculator has it.
#pragma once

#include <cstddef>

#include "simt/machine/machine.h"

namespace simt {

// Where nobody knows how many registers nvcc takes: as many as every profile has for a full SM.
inline constexpr int estimated_registers = 32;

// Blocks that fit on one SM of the current profile, by each of its limits.
struct ResidentBlocks {
    int warps = 0;      // as many threads as an SM holds
    int blocks = 0;     // as many blocks as it holds
    int registers = 0;  // as many as its registers are enough for
    int shared = 0;     // as its shared memory is
    int least() const;
};
// Blocks of `threads` threads, `shared_bytes` of shared memory and `registers` a thread. All 0 when there can
// be no such block.
ResidentBlocks resident_blocks(unsigned threads, size_t shared_bytes, int registers = estimated_registers);
double occupancy_percent(unsigned threads, size_t shared_bytes, int registers = estimated_registers);

}  // namespace simt
