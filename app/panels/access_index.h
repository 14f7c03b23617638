// Who touched what in one launch: the trace turned round, by thread and by element.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab {

struct Touch {
    int64_t thread = 0;   // block * threads of a block + thread in the block
    int buffer = 0;       // index into AccessIndex::buffers
    int64_t element = 0;  // may lie beyond the end
    int line = 0, step = 0;
    bool wrote = false, read = false;  // an atomic does both
};

enum ElementFlag : uint8_t { was_read = 1, was_written = 2, is_guilty = 4, never_written = 8 };

struct IndexedBuffer {
    std::string name, space;
    int64_t elements = 0;  // that it has
    int64_t shown = 0;     // elements plus those beyond the end that were touched (64 at most)
    unsigned element_bytes = 1;
    int64_t row = 0;              // elements that lie between two threads above each other; 0: unknown
    bool touched = true;          // false: another launch of the case uses it, this one does not
    std::vector<uint8_t> flags;   // ElementFlag, one an element shown
    std::vector<uint32_t> first;  // touches of element e: order_[first[e]] .. order_[first[e + 1]]
    std::vector<uint32_t> order;  // indices into touches
};

struct AccessIndex {
    Kernel kernel;
    int64_t blocks = 0, threads_per_block = 0;
    std::vector<IndexedBuffer> buffers;
    std::vector<Touch> touches;  // by thread, then step
    std::vector<uint32_t>
        first_touch;  // touches of thread t: touches[first_touch[t]] .. touches[first_touch[t + 1]]
    std::vector<uint8_t> thread_flags;  // ElementFlag, one a thread
    std::vector<uint8_t> block_flags;
    std::vector<int32_t> active;    // threads of each block that touched memory
    std::vector<Finding> findings;  // of this launch, or of its case and no launch
    uint64_t dropped = 0;           // records that the trace had no room for
    bool sampled = false;           // the launch is too large to index whole

    int64_t threads() const { return blocks * threads_per_block; }
    // The finding that marks this thread or element; null: none.
    const Finding* finding_of_thread(int64_t thread) const;
    const Finding* finding_of_element(int buffer, int64_t element) const;
};

// launch: position in the kernels of that case.
AccessIndex index_accesses(const RunBundle& bundle, int case_index, int launch);

// The kernels and buffers of one case.
std::vector<const Kernel*> kernels_of(const Run& run, int case_index);

int64_t linear_in(const Dim3& at, const Dim3& extent);
Dim3 place_in(int64_t linear, const Dim3& extent);

}  // namespace lab
