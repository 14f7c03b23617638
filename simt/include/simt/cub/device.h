// How CUB's device-wide functions run: as kernels in the caller's stream, so that every access is checked.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <iterator>
#include <limits>

#include "simt/groups/editor_begin.h"

namespace cub::on_machine {

// The call that messages speak of, and where its kernels go.
struct Call {
    const char* name;  // "cub::DeviceReduce::Sum"
    cudaStream_t stream;
    Where where;
};

// What the caller gave for the call to work in. Without a place the call says only how much it needs.
struct Storage {
    void* place;
    size_t& bytes;
};

constexpr int block_threads = 256;
constexpr int tile_items = 4;  // of a thread
constexpr size_t tile = size_t{block_threads} * tile_items;
constexpr size_t most_blocks = 1024;

template <class Number>
size_t count_of(Number count) {
    return count > 0 ? static_cast<size_t>(count) : 0;
}
inline unsigned blocks_for(size_t count, size_t each) {
    const size_t blocks = (count + each - 1) / each;
    return static_cast<unsigned>(blocks < 1 ? 1 : blocks < most_blocks ? blocks : most_blocks);
}

template <class Body>
__global__ void kernel(Body body, size_t work) {
    ::simt::expect_work(work);
    body();
}
// body() for each thread of the grid; each has about `work` elements to go through.
template <class Body>
void run(const Call& call, unsigned blocks, unsigned threads, size_t work, Body body) {
    ::simt::launch(call.where, ::simt::config(blocks, threads, 0, call.stream), call.name, &kernel<Body>)(
        body, work);
}
// body(i) for 0 <= i < count: a grid-stride loop.
template <class Body>
void run_each(const Call& call, size_t count, Body body) {
    if (count == 0) return;
    run(call, blocks_for(count, block_threads), block_threads, count / most_blocks, [body, count]() mutable {
        const size_t stride = size_t{gridDim.x} * blockDim.x;
        for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) body(i);
    });
}

// The two phases. work(): queues the kernels.
template <class Work>
cudaError_t answer(const Call& call, const Storage& storage, size_t needed, Work work) {
    if (needed == 0) needed = 1;
    if (storage.place == nullptr) {
        storage.bytes = needed;
        return cudaSuccess;
    }
    if (storage.bytes < needed) {
        ::simt::report_small_storage(call.name, storage.bytes, needed, call.where);
        return cudaErrorInvalidValue;
    }
    ::simt::note_library_call(call.stream);
    work();
    return cudaPeekAtLastError();
}

// `bytes`, rounded so that what comes next is aligned for anything.
constexpr size_t aligned(size_t bytes) {
    return (bytes + 255) / 256 * 256;
}
template <class T>
T* part(void* place, size_t offset) {
    return reinterpret_cast<T*>(static_cast<char*>(place) + offset);
}

template <class It>
using value_of_iterator = typename std::iterator_traits<It>::value_type;
// What an output iterator holds; of one that does not say, what comes in.
template <class Out, class In>
using value_of_output =
    std::conditional_t<std::is_void_v<value_of_iterator<Out>>, value_of_iterator<In>, value_of_iterator<Out>>;
template <class Op, class A, class B>
using result_of = std::decay_t<std::invoke_result_t<Op, A, B>>;

}  // namespace cub::on_machine

#include "simt/groups/editor_end.h"
