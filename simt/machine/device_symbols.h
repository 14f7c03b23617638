// Each device's own copies of the program's __device__ and __constant__ variables.
//
// A compiled program has one place for each variable. With several devices that place holds the copy of the device that
// ran last, and every device's copy has an address of its own in the arena: the one that cudaGetSymbolAddress returns and that
// copies use. What a kernel does to a variable by its name is checked under the address of its device's copy. The bytes
// are brought up to date when a launch begins, when one ends, and before a copy touches them. Within one launch a variable's
// name and its pointer lead to different bytes: a kernel that uses both on the same word, and writes, is refused.
//
// Managed variables are one for all devices. With a single device nothing here is used. The caller has the ApiLock.
#pragma once

#include "simt/machine/machine.h"

namespace simt {
struct Lane;
}

namespace simt::device_symbols {

// The copy of a device, which is made where there is none yet. `symbol` is one of the registered variables.
const Allocation& copy_of(const Allocation& symbol, int device);
// cudaGetSymbolAddress has handed out the address of this copy: kernels may use it from now on.
void give_pointer(const Allocation& copy);

void begin_launch(int device);
void end_launch(int device);
// Before a copy or a memset touches memory that may be a variable's copy.
void before_copy(const void* address, bool writes);
// As the program was loaded.
void reset(int device);

// A kernel's access by the variable's name; where its checks see it: in the device's copy.
const void* by_name(const Lane& lane, const Allocation& symbol, const void* address, unsigned bytes,
                    bool writes, const void* pc);
// A kernel's access through a pointer to some device's copy.
void by_pointer(const Lane& lane, const Allocation& copy, const void* address, unsigned bytes, bool writes,
                const void* pc);

}  // namespace simt::device_symbols
