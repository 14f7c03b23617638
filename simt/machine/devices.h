// The simulated devices: how many there are, which of them a host thread uses, and whose memory each may reach. All are
// alike, and share one space of addresses, as CUDA's unified addressing has it.
#pragma once

#include <cstdint>

namespace simt::devices {

constexpr int most = 16;

// Of the session (simt/session.h); of a program that was started without one: $CUDALAB_DEVICES, else 1.
int count();
extern bool several;  // count() > 1, for the hooks; known once the arena is mapped

// The device that the calling thread uses: 0 until it chose another one. In a kernel: that of its launch.
int current();
void choose(int device);  // must be one that there is

// Sets of devices, as bits.
using Set = uint32_t;
constexpr Set only(int device) {
    return Set{1} << device;
}
constexpr bool has(Set set, int device) {
    return (set >> device & 1) != 0;
}

// The devices whose memory kernels of this one may touch (cudaDeviceEnablePeerAccess), itself included.
Set reached_by(int device);
void enable_peer(int device, int peer);
void disable_peer(int device, int peer);
// The devices that may touch this one's memory, itself included.
Set that_reach(int device);

// " on device 1", for messages; with a single device "", so that they speak of devices only where there are several. Valid
// for ever.
const char* on_device(int device);

}  // namespace simt::devices
