// How many blocks an SM holds at once: the rule by itself, for whoever has a card's limits.
#pragma once

#include <algorithm>
#include <cstddef>

namespace simt {

// Of one multiprocessor. Shared memory in bytes, registers of 32 bits.
struct SmLimits {
    int threads = 2048, blocks = 32, registers = 65536;
    size_t shared = 233472, reserved_shared_per_block = 1024;
    int threads_per_block = 1024;
};

// Blocks that fit on one SM, by each of its limits.
struct ResidentBlocks {
    int warps = 0;      // as many threads as an SM holds
    int blocks = 0;     // as many blocks as it holds
    int registers = 0;  // as many as its registers are enough for
    int shared = 0;     // as its shared memory is
    int least() const { return std::min({warps, blocks, registers, shared}); }
};

// A block's shared memory is rounded up to so many bytes, and what the driver keeps for itself comes on top. Registers are
// given to warps in units, from a quarter of the SM each. (CUDA's occupancy calculator; ncu's counts on an H200 agree.)
inline constexpr size_t shared_unit = 128;
inline constexpr int register_unit = 256, sm_quarters = 4;

constexpr size_t shared_taken(const SmLimits& sm, size_t bytes) {
    return (bytes + shared_unit - 1) / shared_unit * shared_unit + sm.reserved_shared_per_block;
}
constexpr int registers_of_warp(int registers) {
    return (std::max(registers, 1) * 32 + register_unit - 1) / register_unit * register_unit;
}

// Blocks of `threads` threads, `shared_bytes` of shared memory and `registers` a thread. All 0 when there can be no such
// block.
constexpr ResidentBlocks resident_blocks(const SmLimits& sm, unsigned threads, size_t shared_bytes,
                                         int registers) {
    if (threads == 0 || threads > static_cast<unsigned>(sm.threads_per_block)) return {};
    const int block_warps = static_cast<int>((threads + 31) / 32);
    ResidentBlocks fit;
    fit.warps = sm.threads / 32 / block_warps;
    fit.blocks = sm.blocks;
    const size_t shared = shared_taken(sm, shared_bytes);
    fit.shared = shared == 0 ? sm.blocks : static_cast<int>(sm.shared / shared);
    fit.registers = sm.registers / sm_quarters / registers_of_warp(registers) * sm_quarters / block_warps;
    return fit;
}

}  // namespace simt
