// How Thrust's algorithms run on the machine's device: as kernels, so that every access is checked like a learner's.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/detail/function.h>
#include <thrust/detail/raw_reference_cast.h>
#include <thrust/detail/seq.h>
#include <thrust/distance.h>
#include <thrust/system/cuda/detail/util.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <new>

#include "../library.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace on_machine {

constexpr unsigned block_threads = 256;
constexpr std::size_t most_blocks = 4096;

// Element `first + k * stride` for each thread: a grid-stride loop.
template <class Body>
__global__ void for_each_kernel(Body body, std::size_t count) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) body(i);
}

template <class Body>
__global__ void one_thread_kernel(Body body, std::size_t count) {
    ::simt::expect_work(count);
    body();
}

// body(i) for 0 <= i < count, each by a thread of its own. In a kernel: by the calling thread, one after the other.
template <class Derived, class Body>
void run_each(execution_policy<Derived>& policy, const char* name, std::size_t count, Body body) {
    if (count == 0) return;
    if (::simt::in_kernel()) {
        for (std::size_t i = 0; i < count; ++i) body(i);
        return;
    }
    const std::size_t wanted = (count + block_threads - 1) / block_threads;
    const auto blocks = static_cast<unsigned>(wanted < most_blocks ? wanted : most_blocks);
    ::simt::launch(::simt::calling_line(), ::simt::config(blocks, block_threads, 0, stream(policy)), name,
                   &for_each_kernel<Body>)(body, count);
    if (must_perform_optional_stream_synchronization(derived_cast(policy))) wait_for(policy, name);
}

// What body() returns, which one thread of the device works out from about `count` elements.
template <class Derived, class Body>
auto run_once(execution_policy<Derived>& policy, const char* name, std::size_t count, Body body)
    -> decltype(body()) {
    using Result = decltype(body());
    if (::simt::in_kernel()) return body();
    alignas(Result) unsigned char bytes[sizeof(Result)];
    const auto hand_over = [body, place = static_cast<void*>(bytes)]() mutable {
        const Result result = body();
        ::simt::hand_to_host(place, &result, sizeof result);
    };
    using Whole = std::remove_const_t<decltype(hand_over)>;
    ::simt::launch(::simt::calling_line(), ::simt::config(1, 1, 0, stream(policy)), name,
                   &one_thread_kernel<Whole>)(hand_over, count);
    wait_for(policy, name);
    return *std::launder(reinterpret_cast<Result*>(bytes));
}

template <class Iterator>
auto raw(Iterator it) {
    return thrust::detail::try_unwrap_contiguous_iterator(it);
}

template <class Iterator>
std::size_t count_of(Iterator first, Iterator last) {
    return static_cast<std::size_t>(thrust::distance(first, last));
}

}  // namespace on_machine
}  // namespace cuda_cub
THRUST_NAMESPACE_END
