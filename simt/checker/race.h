// Races: who touched a word last, and whether anything orders that before what happens now.
//
// Every 4-byte word of simulated memory has a cell: the epoch of its last write, the epoch of a reader, and
// the sites of both. An epoch packs which launch, block, barrier interval and thread made the access:
//
//   bits  0-9   thread in the block          bits 22-39  block (low 18 bits of its linear index)
//   bits 10-21  barriers the block passed    bits 40-47  generation (one a launch)
//   bits 48-55  segment: __syncwarps and fences that the thread passed since its last barrier
//   bits 56-63  flags
//
// Two accesses to a word, at least one a write, are ordered when they are
//   - of different generations (launches of a stream are in order),
//   - of the same thread,
//   - of the same block with a __syncthreads between them (the barrier counts differ), or
//   - of threads of which the later one knows of the earlier one's access (checker/order.h: __syncwarp,
//   fences
//     with atomic or volatile flags).
// Two atomics never race, unless one of them is atomic within another block alone (atomicAdd_block). Anything
// else is a race. Fields that wrap make the checker miss a race, never
// invent one: the generation is advanced when a block's barrier count wraps, and all cells are cleared when
// the generation wraps.
#pragma once

#include <cstdint>

namespace simt {

namespace epoch {
constexpr uint64_t thread_mask = 0x3ff;
constexpr int barrier_shift = 10, block_shift = 22, generation_shift = 40, segment_shift = 48,
              flag_shift = 56;
constexpr uint64_t barrier_mask = 0xfff, block_mask = 0x3ffff, generation_mask = 0xff, segment_mask = 0xff;
constexpr uint64_t atomic_flag = uint64_t{1} << 56;
constexpr uint64_t many_flag = uint64_t{1}
                               << 57;  // readers: others of the same block in the same interval, too
constexpr uint64_t cross_flag = uint64_t{1} << 58;  // readers: other blocks, too
constexpr uint64_t split_flag = uint64_t{1}
                                << 59;  // the word is tracked by byte: `read` is an index into the side table
constexpr uint64_t valid_flag = uint64_t{1} << 60;
constexpr uint64_t set_flag = uint64_t{1} << 62;  // `read` is no epoch: generation, and the number of a set
                                                  // of readers in bits 0-39
constexpr uint64_t set_mask = (uint64_t{1} << generation_shift) - 1;
constexpr uint64_t block_scope_flag = uint64_t{1} << 61;  // with atomic_flag: atomic within the block alone

constexpr uint64_t make(uint32_t generation, uint32_t block, uint32_t barriers, uint32_t segment,
                        uint32_t thread) {
    return valid_flag | (uint64_t{generation} & generation_mask) << generation_shift |
           (uint64_t{block} & block_mask) << block_shift |
           (uint64_t{barriers} & barrier_mask) << barrier_shift |
           (uint64_t{segment} & segment_mask) << segment_shift | (uint64_t{thread} & thread_mask);
}
constexpr uint32_t thread(uint64_t e) {
    return static_cast<uint32_t>(e & thread_mask);
}
constexpr uint32_t barriers(uint64_t e) {
    return static_cast<uint32_t>(e >> barrier_shift & barrier_mask);
}
constexpr uint32_t block(uint64_t e) {
    return static_cast<uint32_t>(e >> block_shift & block_mask);
}
constexpr uint32_t generation(uint64_t e) {
    return static_cast<uint32_t>(e >> generation_shift & generation_mask);
}
constexpr uint32_t segment(uint64_t e) {
    return static_cast<uint32_t>(e >> segment_shift & segment_mask);
}
constexpr uint64_t block_and_generation(uint64_t e) {
    return e & (block_mask << block_shift | generation_mask << generation_shift);
}
}  // namespace epoch

struct Cell {
    uint64_t write = 0;
    uint64_t read = 0;
    uint32_t write_site = 0;  // offset in the program's text
    uint32_t read_site = 0;
};
static_assert(sizeof(Cell) == 24);

enum class RaceScope { none, warp, block, grid };

// How the earlier access `past` relates to one made now under `now`, for accesses of which one is a write, as
// far as the epochs say: order::knows has the last word.
inline RaceScope unordered(uint64_t past, uint64_t now) {
    if ((past & epoch::valid_flag) == 0) return RaceScope::none;
    const uint64_t difference = past ^ now;
    if ((difference & (epoch::generation_mask << epoch::generation_shift)) != 0) return RaceScope::none;
    const bool other_block = (difference & (epoch::block_mask << epoch::block_shift)) != 0;
    const bool in_block_alone = ((past | now) & epoch::block_scope_flag) != 0;
    if ((past & now & epoch::atomic_flag) != 0 && !(other_block && in_block_alone)) return RaceScope::none;
    if (other_block) return RaceScope::grid;
    if ((difference & epoch::thread_mask) == 0) return RaceScope::none;
    if ((difference & (epoch::barrier_mask << epoch::barrier_shift)) != 0) return RaceScope::none;
    if (epoch::thread(past) / 32 == epoch::thread(now) / 32) return RaceScope::warp;
    return RaceScope::block;
}

}  // namespace simt
