// The device that the machine pretends to be. assets/devices/*.toml are part of the library, so that it needs
// no files when it runs; one of them is parsed at the first question.
#include <fmt/format.h>

#include <toml++/toml.h>
#include <cstdio>
#include <string_view>

#include "simt/machine/session_state.h"

#define SIMT_PROFILE(name)                \
    __asm__(                              \
        ".section .rodata\n"              \
        ".global simt_profile_" #name     \
        "\n"                              \
        ".hidden simt_profile_" #name     \
        "\n"                              \
        "simt_profile_" #name             \
        ":\n"                             \
        ".incbin \"assets/devices/" #name \
        ".toml\"\n"                       \
        ".byte 0\n"                       \
        ".previous\n");                   \
    extern "C" __attribute__((visibility("hidden"))) const char simt_profile_##name[];
SIMT_PROFILE(t4)
SIMT_PROFILE(rtx3060)
SIMT_PROFILE(rtx4090)
SIMT_PROFILE(a100)
SIMT_PROFILE(h100)
SIMT_PROFILE(h200)

namespace simt {
namespace {

struct NamedProfile {
    std::string_view name;
    const char* text;
};

const NamedProfile profiles[] = {
    {"h200", simt_profile_h200},       {"h100", simt_profile_h100},       {"a100", simt_profile_a100},
    {"rtx4090", simt_profile_rtx4090}, {"rtx3060", simt_profile_rtx3060}, {"t4", simt_profile_t4},
};

const NamedProfile& choose(std::string_view name) {
    for (const NamedProfile& p : profiles)
        if (p.name == name) return p;
    std::fprintf(stderr, "simt: there is no device profile \"%.*s\"; using h200\n",
                 static_cast<int>(name.size()), name.data());
    return profiles[0];
}

template <class T>
void read(const toml::table& table, const char* key, T& value) {
    if (const auto number = table[key].value<int64_t>()) value = static_cast<T>(*number);
}

void read(const toml::table& table, const char* key, Index3& value) {
    const toml::array* array = table[key].as_array();
    if (array == nullptr || array->size() != 3) return;
    const auto at = [&](size_t i) { return static_cast<unsigned>((*array)[i].value_or(int64_t{1})); };
    value = {at(0), at(1), at(2)};
}

DeviceProfile parse(const NamedProfile& source) {
    const toml::table t = toml::parse(std::string_view(source.text), source.name);
    DeviceProfile p;
    p.name = t["name"].value_or(std::string("GPU"));
    read(t, "major", p.major);
    read(t, "minor", p.minor);
    read(t, "sm_count", p.sm_count);
    read(t, "global_bytes", p.global_bytes);
    read(t, "shared_per_block", p.shared_per_block);
    read(t, "shared_per_block_optin", p.shared_per_block_optin);
    read(t, "shared_per_sm", p.shared_per_sm);
    read(t, "reserved_shared_per_block", p.reserved_shared_per_block);
    read(t, "constant_bytes", p.constant_bytes);
    read(t, "l2_bytes", p.l2_bytes);
    read(t, "registers_per_block", p.registers_per_block);
    read(t, "registers_per_sm", p.registers_per_sm);
    read(t, "threads_per_sm", p.threads_per_sm);
    read(t, "blocks_per_sm", p.blocks_per_sm);
    read(t, "threads_per_block", p.threads_per_block);
    read(t, "max_block", p.max_block);
    read(t, "max_grid", p.max_grid);
    read(t, "clock_khz", p.clock_khz);
    read(t, "memory_clock_khz", p.memory_clock_khz);
    read(t, "memory_bus_bits", p.memory_bus_bits);
    read(t, "fp32_per_sm", p.fp32_per_sm);
    p.to_device_gb_per_s = t["to_device_gb_per_s"].value_or(p.to_device_gb_per_s);
    p.peer_gb_per_s = t["peer_gb_per_s"].value_or(p.peer_gb_per_s);
    p.to_host_gb_per_s = t["to_host_gb_per_s"].value_or(p.to_host_gb_per_s);
    return p;
}

}  // namespace

const DeviceProfile& device_profile() {
    static const DeviceProfile& profile = *new DeviceProfile(parse(choose(session().profile)));
    return profile;
}

}  // namespace simt
