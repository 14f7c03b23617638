// Races between operations of different streams, and between operations and the host.
//
// Whether two operations are ordered is in their clocks (host/queue.h). What is needed besides is who touched
// which memory:
//   - copies and memsets say so in their call: their spans are kept until the host knows that they are done;
//   - a kernel's accesses come one by one. Each is held against the spans of unordered operations, against the
//     cells (race.h), which say for each word which kernel wrote and read it last, and against what the host
//     touched after the kernel was queued;
//   - the host's own accesses are watched only while some operation is unknown to it, and only in memory that an
//     operation may touch, too: managed, pinned and registered memory.
// Of two parties, the one that was queued later is the finding's line.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/checker/race.h"
#include "simt/host/queue.h"

namespace simt {
struct Lane;
}

namespace simt::stream_race {

// A new operation's spans against those of all others and against the kernels that have run.
void add(const queue::OperationPtr& operation);

// The kernel that runs from now on, and the generation of its cells.
void begin_kernel(const queue::OperationPtr& kernel, uint32_t generation);
// The same kernel's cells have this generation from now on.
void go_on_with(uint32_t generation);
void end_kernel();
// Must the running kernel's accesses be held against others? False for nearly all kernels.
extern bool kernel_is_watched;
// Before the address's cells are brought up to date. `orders`: a volatile or atomic access.
void check(const Lane& lane, const void* address, unsigned bytes, bool writes, bool orders, const void* pc);

// Host code touches memory in the arena, or registered. `orders`: by a volatile or atomic access.
void check_host(const void* address, size_t bytes, bool writes, bool orders, const void* pc);
// Memory of cudaHostRegister, outside the arena.
void add_registered(const void* begin, size_t bytes);
void remove_registered(const void* begin);
bool is_registered(const void* address);
extern bool anything_is_registered;

// The host knows that everything is done: nothing of what was noted can race any more.
void forget();
// The cells were cleared: generations begin again.
void forget_kernels();

}  // namespace simt::stream_race
