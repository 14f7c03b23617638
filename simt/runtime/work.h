// When the work of streams happens: at once, in the order of the calls. A later issue makes streams lazy
// queues; this is the place that will change.
#pragma once

#include "simt/runtime/errors.h"

namespace simt::runtime {

// Runs `operation` where its stream's turn comes: now, after everything that was queued before.
template <class Operation>
cudaError_t in_stream(cudaStream_t, Where where, Operation operation) {
    finish_all_work(where);
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    return operation();
}

// Waits for one stream (all streams: nullptr).
inline cudaError_t wait_for_stream(cudaStream_t, Where where) {
    finish_all_work(where);
    return enter(Call::wait);
}

// False: the handle was never made, or is destroyed. The default streams are always known.
bool is_stream(cudaStream_t stream);

}  // namespace simt::runtime
