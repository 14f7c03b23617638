#include "simt/machine/occupancy.h"

#include <algorithm>

namespace simt {

int ResidentBlocks::least() const {
    return std::min({warps, blocks, registers, shared});
}

ResidentBlocks resident_blocks(unsigned threads, size_t shared_bytes, int registers) {
    const DeviceProfile& p = device_profile();
    if (threads == 0 || threads > static_cast<unsigned>(p.threads_per_block)) return {};
    const int block_warps = static_cast<int>((threads + 31) / 32);
    ResidentBlocks fit;
    fit.warps = p.threads_per_sm / 32 / block_warps;
    fit.blocks = p.blocks_per_sm;
    // A block's shared memory is rounded up to 128 bytes, plus what the driver keeps for itself.
    const size_t shared = (shared_bytes + 127) / 128 * 128 + p.reserved_shared_per_block;
    fit.shared = shared == 0 ? p.blocks_per_sm : static_cast<int>(p.shared_per_sm / shared);
    // Registers are given to warps in units of 256 (8 a lane), to a quarter of the SM each.
    const int per_warp = (std::max(registers, 1) * 32 + 255) / 256 * 256;
    const int warps_fit = p.registers_per_sm / 4 / per_warp * 4;
    fit.registers = warps_fit / block_warps;
    return fit;
}

double occupancy_percent(unsigned threads, size_t shared_bytes, int registers) {
    const int warps = static_cast<int>((threads + 31) / 32);
    return 100.0 * resident_blocks(threads, shared_bytes, registers).least() * warps /
           (device_profile().threads_per_sm / 32);
}

}  // namespace simt
