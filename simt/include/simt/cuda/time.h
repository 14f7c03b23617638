// Clocks, sleep, trap and the device side of assert.
#pragma once

// Part of every CUDA program without an include, as with nvcc.
#include <assert.h>
#include <time.h>

#include "simt/abi.h"
#include "simt/cuda/barriers.h"

SIMT_INLINE long long clock64() {
    return ::simt::clock_ticks();
}
SIMT_INLINE unsigned long long __globaltimer() {
    return (unsigned long long)::simt::clock_ticks();
}
SIMT_INLINE void __nanosleep(unsigned nanoseconds) {
    ::simt::thread_sleep(nanoseconds);
}
SIMT_INLINE void __trap(SIMT_HERE) {
    ::simt::device_trap(w);
}
SIMT_INLINE void __brkpt() {}
SIMT_INLINE void __prof_trigger(int) {}
