// The simulated memories: one reserved stretch of addresses for device memory and shared memory, with the
// checker's shadow at a fixed distance from it.
//
//   [0, shared_end)            one slot for each resident block: its shared memory
//   [shared_end, managed_begin) cudaMalloc: readable only while a kernel runs
//   [managed_begin, size)      managed and pinned memory: host and device
//
// The arena is mapped twice. Programs see `base`; the machine's own copies go through `host_view`, so that a
// cudaMemcpy needs no change of protection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "simt/machine/machine.h"

namespace simt {

struct Arena {
    static constexpr size_t size = size_t{64} << 30;
    static constexpr size_t slot_bytes = size_t{1} << 19;  // a block's shared memory: static, then dynamic
    static constexpr size_t dynamic_offset = size_t{1} << 18;  // where the dynamic part begins in a slot
    static constexpr size_t shared_end = size_t{3} << 30;      // 6144 slots: the blocks of a full GPU
    static constexpr size_t managed_begin = size_t{48} << 30;
    static constexpr size_t granule = 512;  // allocations are aligned to it

    char* base = nullptr;
    char* view = nullptr;            // the same bytes, always accessible
    uint32_t* owners = nullptr;      // for each granule: 1 + index of its allocation, 0: none
    uint8_t* initialised = nullptr;  // one bit a byte
    bool marks_are_kept = true;      // false once a fast launch has run: nobody saw what it wrote
    size_t global_top = shared_end;
    size_t managed_top = managed_begin;

    size_t offset_of(const void* p) const {
        return reinterpret_cast<uintptr_t>(p) - reinterpret_cast<uintptr_t>(base);
    }
    bool contains(const void* p) const { return offset_of(p) < size; }
    // In the reserve before the first slot: an index below 0 in that block's shared memory.
    bool is_in_front(const void* p) const { return base != nullptr && -offset_of(p) - 1 < slot_bytes; }
    bool is_initialised(size_t offset, unsigned bytes) const {
        // Up to 16 naturally aligned bytes: their bits lie in at most two bytes of the map.
        if (bytes >= 8) {
            for (unsigned i = 0; i < bytes / 8; ++i)
                if (initialised[offset / 8 + i] != 0xff) return false;
            return true;
        }
        const unsigned mask = ((1u << bytes) - 1) << (offset % 8);
        return (initialised[offset / 8] & mask) == mask;
    }
    void set_initialised(size_t offset, unsigned bytes) {
        if (bytes >= 8) {
            for (unsigned i = 0; i < bytes / 8; ++i) initialised[offset / 8 + i] = 0xff;
            return;
        }
        initialised[offset / 8] |= static_cast<uint8_t>(((1u << bytes) - 1) << (offset % 8));
    }
    void set_initialised_range(size_t offset, size_t bytes, bool value);
};

extern Arena arena;

// Reserves everything. Called once, by simt_session_begin or by the first API call.
void map_arena();

// Lets kernels in, or keeps host code out of device memory. Nests by counting.
void open_device_memory();
void close_device_memory();

// Allocation records by index (owners[] - 1). Records are never removed: freed memory stays known.
std::deque<Allocation>& allocation_table();
const Allocation* symbol_at(const void* p);  // a registered __device__ variable
const std::vector<Allocation>& symbol_table();

const char* allocation_note(const char* file,
                            int line);              // what the text calls the buffer made there, or nullptr
int barrier_condition(const char* file, int line);  // first line of the condition around a barrier, 0: none

}  // namespace simt
