// Streams, waits and errors of Thrust's device system.
#pragma once

#include <cuda_runtime_api.h>
#include <thrust/detail/config.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/cuda/config.h>
#include <thrust/system/cuda/detail/execution_policy.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include "../../../../simt/library.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

inline cudaStream_t default_stream() {
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    return cudaStreamPerThread;
#else
    return cudaStreamLegacy;
#endif
}

// Policies that carry a stream (par.on) have functions of these names of their own.
template <class Derived>
cudaStream_t get_stream(execution_policy<Derived>&) {
    return default_stream();
}
template <class Derived>
bool must_perform_optional_stream_synchronization(execution_policy<Derived>&) {
    return true;
}
template <class Derived>
cudaStream_t stream(execution_policy<Derived>& policy) {
    return get_stream(derived_cast(policy));
}

inline void throw_on_error(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    cudaGetLastError();
    throw thrust::system_error(error, thrust::cuda_category(), what);
}
inline void throw_on_error(cudaError_t error) {
    throw_on_error(error, "");
}

// The host waits for the policy's stream, and hears of what failed there.
template <class Derived>
void wait_for(execution_policy<Derived>& policy, const char* algorithm) {
    throw_on_error(cudaStreamSynchronize(stream(policy), ::simt::calling_line()), algorithm);
}

[[noreturn]] inline void terminate() {
    ::simt::device_trap(::simt::calling_line());
}

}  // namespace cuda_cub
THRUST_NAMESPACE_END
