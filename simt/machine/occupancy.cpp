#include "simt/machine/occupancy.h"

namespace simt {

ResidentBlocks resident_blocks(unsigned threads, size_t shared_bytes, int registers) {
    const DeviceProfile& p = device_profile();
    const SmLimits sm{
        p.threads_per_sm,   p.blocks_per_sm, p.registers_per_sm, p.shared_per_sm, p.reserved_shared_per_block,
        p.threads_per_block};
    return resident_blocks(sm, threads, shared_bytes, registers);
}

double occupancy_percent(unsigned threads, size_t shared_bytes, int registers) {
    const int warps = static_cast<int>((threads + 31) / 32);
    return 100.0 * resident_blocks(threads, shared_bytes, registers).least() * warps /
           (device_profile().threads_per_sm / 32);
}

}  // namespace simt
