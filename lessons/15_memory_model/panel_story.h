// What two blocks told each other: one wrote, the other read it. What the writer did before and after, what stood between, and
// whether the race checker found that anything orders the two.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab::lesson_15_memory_model {

enum class Deed {
    writes,  // plain stores to global memory
    reads,   // plain loads of it
    meets,   // a __syncthreads
    fence,   // __threadfence and its kin
    raises,  // a volatile store
    looks,   // volatile loads or atomics that learnt nothing
    signs,   // an atomic that changes memory, such as a ticket
};

struct Event {
    Deed deed{};
    int line = 0;
    int warp = 0, lane = 0;
    uint32_t step = 0, phase = 0;
    std::string what;  // "letter[0..99]"
    int times = 1;
    int scope = 0;                 // of a fence: 0 device, 1 block, 2 system
    bool releases = false;         // it hands over what the fence before it covered
    bool acquires = false;         // it learns what somebody has handed over
    uint32_t number = 0;           // of the release, else of the acquire
    uint32_t first = 0, last = 0;  // an acquire: the releases that it sees
    uint64_t address = 0;
    int row = 0;  // in the picture
};

// One block's part, in the order of its run.
struct Part {
    uint32_t block = 0;
    std::vector<Event> events;
};

// One block reads what another wrote.
struct Handover {
    Part writer, reader;
    std::string what;                  // "letter[0..99]"
    int written = -1, read = -1;       // events of the two
    int released = -1, acquired = -1;  // the events through which it was handed over; -1: it was not
    // Where nothing was handed over: a flag that the writer raised all the same, and the reader's last look at it. -1: none.
    int raised = -1, looked = -1;
    const Finding* finding = nullptr;  // what the race checker says of it; null: nothing
    int rows = 0;

    bool is_ordered() const { return finding == nullptr; }
    int fence() const;  // the writer's last fence before it released, or after it wrote; -1: none
};

// Of one launch, by reader and writer; `most` at most.
std::vector<Handover> handovers_of(const RunBundle& bundle, int case_index, const Kernel& kernel,
                                   size_t most = 200);

// "writes letter[0..99]"
std::string text_of(const Event& event);

}  // namespace lab::lesson_15_memory_model
