#include "simt/machine/occupancy.h"

#include <string_view>

#include "simt/machine/session_state.h"

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

const int* known_registers(const LaunchCall& call) {
    std::string_view name = call.kernel;
    name = name.substr(0, name.find('<'));
    if (const size_t scope = name.rfind("::"); scope != std::string_view::npos) name.remove_prefix(scope + 2);
    const auto known = session().registers.find(name);
    return known != session().registers.end() ? &known->second : nullptr;
}

Residency residency_of(const LaunchCall& call, size_t static_shared) {
    const Index3 block = call.config.block;
    const int* registers = known_registers(call);
    return {resident_blocks(block.x * block.y * block.z, call.config.shared_bytes + static_shared,
                            registers != nullptr ? *registers : estimated_registers),
            device_profile().sm_count};
}

}  // namespace simt
