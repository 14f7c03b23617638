// The accesses of one launch, warp by warp, with what each cost.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab {

struct WarpAccess {
    uint32_t block = 0, step = 0, mask = 0, phase = 0;
    int warp = 0, line = 0, bytes = 0;  // bytes: a lane's
    bool wrote = false, read = false, shared = false;
    std::array<uint64_t, 32> address{};  // of the lanes in the mask
    int sectors = 0, lines = 0;          // global: 32-byte sectors and 128-byte lines touched
    int conflict = 1;                    // shared: most distinct words in one bank (1: no conflict)
    int used_bytes = 0;                  // distinct bytes asked for

    int lanes() const { return __builtin_popcount(mask); }
    bool has(int lane) const { return mask >> lane & 1; }
};

// Of global or of shared memory, by block, warp and step; at most `most`.
std::vector<WarpAccess> warp_accesses(const simt::trace::Reader& trace, uint32_t launch, bool shared,
                                      size_t most);

constexpr uint64_t sector_bytes = 32, line_bytes = 128;
constexpr int banks = 32, word_bytes = 4;

}  // namespace lab
