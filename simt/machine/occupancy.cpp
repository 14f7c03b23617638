#include "simt/machine/occupancy.h"

#include <algorithm>

namespace simt {

int resident_blocks(unsigned threads, size_t shared_bytes, int registers) {
    const DeviceProfile& p = device_profile();
    if (threads == 0 || threads > static_cast<unsigned>(p.threads_per_block)) return 0;
    const int warps = static_cast<int>((threads + 31) / 32);
    int blocks = std::min(p.blocks_per_sm, p.threads_per_sm / 32 / warps);
    // A block's shared memory is rounded up to 128 bytes, plus what the driver keeps for itself.
    const size_t shared = (shared_bytes + 127) / 128 * 128 + p.reserved_shared_per_block;
    blocks = std::min<int>(blocks, static_cast<int>(p.shared_per_sm / shared));
    if (registers > 0) {
        // Registers are given to warps in units of 256 (8 a lane), to a quarter of the SM each.
        const int per_warp = (registers * 32 + 255) / 256 * 256;
        const int warps_fit = p.registers_per_sm / 4 / per_warp * 4;
        blocks = std::min(blocks, warps_fit / warps);
    }
    return std::max(blocks, 0);
}

double occupancy_percent(unsigned threads, size_t shared_bytes, int registers) {
    const int warps = static_cast<int>((threads + 31) / 32);
    return 100.0 * resident_blocks(threads, shared_bytes, registers) * warps /
           (device_profile().threads_per_sm / 32);
}

}  // namespace simt
