// How API functions queue work and wait for it.
#pragma once

#include "simt/host/lock.h"
#include "simt/host/queue.h"
#include "simt/runtime/errors.h"

namespace simt::runtime {

// nullptr: the handle was never made, or is destroyed. The default streams are always known.
queue::Stream* find_stream(cudaStream_t stream);
cudaError_t unknown_stream(const std::string& call, Where where);

// Queues an operation whose arguments have been checked. `waits`: the host waits until it is done, and the code of
// a kernel that failed before it is returned.
cudaError_t in_stream(cudaStream_t stream, queue::NewOperation operation, bool waits);

// Waits for everything on the current device.
cudaError_t wait_for_device(Where where);

// Runs all that is queued anywhere, as at the end of a program. The host knows of it.
void finish_everything();

// The device that the calling thread has chosen.
int current_device();

}  // namespace simt::runtime
