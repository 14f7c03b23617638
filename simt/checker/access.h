// Every access of the learner's program, before it happens: is it allowed, was it written, does it race?
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/include/simt/trace.h"
#include "simt/machine/lane.h"

namespace simt {

enum class AccessKind : uint8_t { load, store, atomic, volatile_load, volatile_store };

constexpr bool is_write(AccessKind kind) {
    return kind != AccessKind::load && kind != AccessKind::volatile_load;
}

// `pc` is the return address of the hook. Does not return when the access must not happen: the thread is
// abandoned.
void check_access(const void* address, unsigned bytes, AccessKind kind, const void* pc);
template <unsigned bytes, AccessKind kind>  // loads and stores of 4 and 8 bytes
void check_fixed(const void* address, const void* pc);
// memcpy and struct copies: in pieces of up to 16 bytes, as the hardware does them.
void check_range(const void* address, size_t bytes, AccessKind kind, const void* pc);
// The same of host code.
void check_host_range(const void* address, size_t bytes, bool writes, const void* pc);
// Atomics, which come with the operation that they do (simt::Atomic) and their scope (as in abi.h).
void check_atomic(const void* address, unsigned bytes, int operation, int scope, bool reads, bool writes,
                  const void* pc);
// The atomic that was checked last changed what was at `address`.
void note_changed(Lane& lane, const void* address);

// The declaration of a local array has been reached. `set`: it has an initial value.
void begin_local(Lane& lane, const LocalArray& array, bool set);

// Shared memory of a slot: poisoned and marked as not written.
void clear_shared(unsigned slot, size_t offset, size_t bytes);

// Who touched the word at an address last (race.h); nullptr: no cells are kept for it.
struct Cell;
const Cell* cell_of(const void* address);
// Of a word that threads share by bytes; nullptr: not known any more.
const Cell* byte_cell(const Cell& cell, unsigned byte);

// A new generation for the race checker; clears all cells when the number wraps.
uint32_t next_generation();
// The same at the start of a launch.
uint32_t start_generation();

}  // namespace simt
