// The fast engine: no checks, every core. A program compiled without hooks runs here.
#pragma once

#include <cstdint>

#include "simt/include/simt/abi.h"
#include "simt/machine/launch_run.h"

namespace simt::fast {

struct Worker;
extern constinit thread_local Worker* worker __attribute__((tls_model("initial-exec")));
inline bool running() {
    return worker != nullptr;
}

// Runs all blocks of the launch on all cores; sets launch.error and status.
void run(LaunchRun& launch);

Index3 block_extent();
Index3 grid_extent();
unsigned lane_index();
unsigned gathered_lanes(int line, const void* pc);
void grid_barrier();
bool launched_cooperatively();
int barrier_fold(int predicate, BarrierFold fold);
void yield();                       // lets the block's other threads run, and other blocks
[[noreturn]] void fail(int error);  // ends the thread and, with this error, the launch

}  // namespace simt::fast
