// The fast engine: no checks, every core. A program compiled without hooks runs here.
#pragma once

#include <cstdint>

#include "simt/include/simt/abi.h"
#include "simt/machine/launch_run.h"

namespace simt::fast {

struct Thread;
extern thread_local Thread* current __attribute__((tls_model("initial-exec")));
inline bool running() {
    return current != nullptr;
}

// Runs all blocks of the launch on all cores; sets launch.error and status.
void run(LaunchRun& launch);

Index3 thread_index();
Index3 block_index();
Index3 block_extent();
Index3 grid_extent();
unsigned lane_index();
unsigned active_mask();
void barrier();
int barrier_fold(int predicate, BarrierFold fold);
void warp_barrier(unsigned mask);
uint64_t warp_shuffle(unsigned mask, uint64_t value, int lane_or_delta, int width, Shuffle kind);
unsigned warp_vote(unsigned mask, uint64_t value, Vote kind, int* predicate);
unsigned warp_reduce(unsigned mask, unsigned value, Reduce kind);
void* shared_storage(const void* key, size_t bytes, size_t alignment);
void* dynamic_shared();
void yield();        // lets the block's other threads run
void maybe_yield();  // now and then: called at atomics and fences, where a thread may be polling
[[noreturn]] void fail(int error);  // ends the thread and, with this error, the launch

}  // namespace simt::fast
