// The parts that every finding is built from. Private to simt/checker.
#pragma once

#include <cstdint>
#include <string>

#include "simt/machine/launch_run.h"
#include "simt/machine/program.h"

namespace simt::finding {

// A buffer and the element of it that an address lies in.
struct Element {
    std::string buffer = "";
    int64_t index = -1;
    size_t count = 0;          // elements of the buffer; 0: not known
    ArrayShape shape{};        // of a shared array; more than one dimension: text() is "tile[2][5]"
    std::string text() const;  // "d_in[12]"
};

struct Draft {
    std::string kind, message, fix{};
    bool advice = false;
    Site at;
    int launch = -1;               // where it has no lane: the launch that it came up in
    const Lane* lane = nullptr;    // nullptr: host code
    bool thread_is_given = false;  // the thread is this one, not `lane`
    Index3 thread{}, block{};
    Element element{};
    int64_t last_element = -1;
    bool has_other = false;
    std::string other_action = "";
    Site other{};
    bool other_has_thread = false;
    Index3 other_thread{}, other_block{};
};

// Reports it, or counts it where the same fault (kind, lines, buffer) was reported before.
void write(const Draft& draft);
// Marks the lane's launch as failed with a cudaError_t.
void fault(const Lane& lane, int error);

Index3 thread_of(const LaunchRun& launch, unsigned linear);
Index3 block_of(const LaunchRun& launch, uint64_t linear);
std::string name_thread(Index3 thread, Index3 block);
std::string name_lane(const Lane& lane);
const char* did(bool writes);           // "wrote", "read"
std::string at_line(const Site& site);  // " at line 12", or nothing
Site site_of(Where where);
// The learner's line that a call stands for: where it is in a header of a library, the line that called into it, or the
// launch's.
Site site_in(const Lane& lane, const void* pc);
Site site_in(const LaunchRun& launch, const void* pc);

Element element_of_allocation(const Allocation& allocation, const void* address);
// Bytes from where the block's own shared memory begins; below 0: in front of it.
ptrdiff_t place_in_shared(const BlockRun& block, const void* address);
Element element_of_shared(const BlockRun& block, const void* address);
size_t shared_element_bytes(const BlockRun& block, const void* address);
Element element_at(const Lane& lane, const void* address);
// The allocation whose end or start an address just missed.
const Allocation* nearest(const void* address);

}  // namespace simt::finding
