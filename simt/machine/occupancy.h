// Theoretical occupancy, as the CUDA occupancy calculator has it.
#pragma once

#include <cstddef>

#include "simt/machine/machine.h"

namespace simt {

// Blocks of `threads` threads and `shared_bytes` of shared memory that fit on one SM of the current profile.
// `registers` a thread: 0 = do not limit by registers (the CPU machine does not know how many nvcc would
// take).
int resident_blocks(unsigned threads, size_t shared_bytes, int registers = 0);
double occupancy_percent(unsigned threads, size_t shared_bytes, int registers = 0);

}  // namespace simt
