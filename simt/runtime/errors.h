// The error state of the CUDA runtime, as the API functions of this folder see it. Semantics as seen on an
// H200 with CUDA 13.0:
// - each host thread has a last error; a failing call sets it, cudaGetLastError reads and clears it, success
// leaves it;
// - a launch that is refused sets it, and no later call returns that code;
// - a kernel that faults breaks the context: every later call that needs the device returns the code and sets
//   the last error once more. Questions about the device (its count, its properties) still work.
#pragma once

#include "simt/include/cuda_runtime_api.h"
#include "simt/machine/machine.h"

namespace simt::runtime {

enum class Call {
    work,     // allocates, copies, records: a program that goes on
    wait,     // synchronises or asks for progress
    cleanup,  // frees, destroys, resets
};

// What an API function that needs the device does first. Anything but cudaSuccess must be returned.
cudaError_t enter(Call kind);

// Sets the last error and returns the code.
cudaError_t fail(cudaError_t code);

// The calling thread's last error, which they read and change without a word.
int take_last_error();
void set_last_error(int code);

// The same, with a finding.
cudaError_t fail(cudaError_t code, const FindingDraft& finding);

}  // namespace simt::runtime
