#include "simt/machine/devices.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "simt/machine/launch_run.h"
#include "simt/machine/session_state.h"

namespace simt::devices {

bool several = false;

namespace {

thread_local int chosen = 0;

std::array<Set, most>& reach() {
    static auto& sets = *new std::array<Set, most>([] {
        std::array<Set, most> own{};
        for (int d = 0; d < most; ++d) own[static_cast<size_t>(d)] = only(d);
        return own;
    }());
    return sets;
}

int count_of_environment() {
    const char* text = std::getenv("CUDALAB_DEVICES");
    if (text == nullptr || *text == '\0') return 1;
    char* end = nullptr;
    const long wanted = std::strtol(text, &end, 10);
    if (*end == '\0' && wanted >= 1 && wanted <= most) return static_cast<int>(wanted);
    std::fprintf(
        stderr, "simt: CUDALAB_DEVICES is \"%s\"; it must be a number from 1 to %d. There is 1 device now.\n",
        text, most);
    return 1;
}

}  // namespace

int count() {
    static const int devices = [] {
        const int of_session = session().devices;
        const int all = of_session >= 1 && of_session <= most ? of_session : count_of_environment();
        several = all > 1;
        return all;
    }();
    return devices;
}

int current() {
    return current_launch != nullptr ? current_launch->device : chosen;
}

void choose(int device) {
    chosen = device;
}

Set reached_by(int device) {
    return reach()[static_cast<size_t>(device)];
}

void enable_peer(int device, int peer) {
    reach()[static_cast<size_t>(device)] |= only(peer);
}

void disable_peer(int device, int peer) {
    reach()[static_cast<size_t>(device)] &= ~only(peer);
}

Set that_reach(int device) {
    Set set = 0;
    for (int d = 0; d < count(); ++d)
        if (has(reached_by(d), device)) set |= only(d);
    return set;
}

const char* on_device(int device) {
    static auto& texts = *new std::array<std::string, most>([] {
        std::array<std::string, most> all;
        for (int d = 0; d < most; ++d) all[static_cast<size_t>(d)] = " on device " + std::to_string(d);
        return all;
    }());
    return count() > 1 ? texts[static_cast<size_t>(device)].c_str() : "";
}

}  // namespace simt::devices
