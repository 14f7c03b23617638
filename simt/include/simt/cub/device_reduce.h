// Reductions of a whole range, and of many.
#pragma once

#include <cub/iterator/arg_index_input_iterator.cuh>
#include <cub/iterator/transform_input_iterator.cuh>

#include "simt/cub/device.h"

#include "simt/groups/editor_begin.h"

namespace cub::on_machine {

// What the threads of a block find from `first` on in steps of `stride`, combined: thread 0's.
template <class T, class In, class Op>
T reduce_strided(In in, size_t first, size_t stride, size_t count, Op op, Where w) {
    const size_t i = first + threadIdx.x;
    const size_t left = first < count ? count - first : 0;
    const int busy = left < block_threads ? static_cast<int>(left) : block_threads;
    T value{};
    if (i < count) {
        value = static_cast<T>(in[static_cast<std::ptrdiff_t>(i)]);
        for (size_t k = i + stride; k < count; k += stride)
            value = static_cast<T>(op(value, in[static_cast<std::ptrdiff_t>(k)]));
    }
    return BlockReduce<T, block_threads>(w).Reduce(value, op, busy, w);
}

// put(result) is called by one thread.
template <class T, class In, class Op, class Init, class Put>
cudaError_t reduce(const Call& call, const Storage& storage, In in, size_t count, Op op, Init init, Put put) {
    const unsigned blocks = blocks_for(count, tile);
    return answer(call, storage, blocks * sizeof(T), [=, where = call.where] {
        T* partial = static_cast<T*>(storage.place);
        run(call, blocks, block_threads, count / blocks, [=] {
            const T sum = reduce_strided<T>(in, size_t{blockIdx.x} * block_threads,
                                            size_t{gridDim.x} * block_threads, count, op, where);
            if (threadIdx.x == 0) partial[blockIdx.x] = sum;
        });
        run(call, 1, block_threads, blocks, [=]() mutable {
            const T sum = reduce_strided<T>(partial, 0, block_threads, count == 0 ? 0 : blocks, op, where);
            if (threadIdx.x == 0) put(count == 0 ? static_cast<T>(init) : static_cast<T>(op(init, sum)));
        });
    });
}

template <class Out>
struct PutFirst {
    Out out;
    template <class T>
    void operator()(const T& value) {
        *out = value;
    }
};
// (index, value) as a pair, or as two.
template <class ValueOut, class IndexOut>
struct PutBoth {
    ValueOut value;
    IndexOut index;
    template <class T>
    void operator()(const T& found) {
        *value = found.value;
        *index = found.key;
    }
};

// A block for each segment.
template <class T, class In, class Out, class Begins, class Ends, class Op, class Init>
cudaError_t reduce_segments(const Call& call, const Storage& storage, In in, Out out, size_t segments,
                            Begins begins, Ends ends, Op op, Init init) {
    return answer(call, storage, 1, [=, where = call.where] {
        if (segments == 0) return;
        run(call, static_cast<unsigned>(segments), block_threads, 0, [=]() mutable {
            const auto segment = static_cast<std::ptrdiff_t>(blockIdx.x);
            const size_t begin = static_cast<size_t>(begins[segment]),
                         end = static_cast<size_t>(ends[segment]);
            ::simt::expect_work(end > begin ? (end - begin) / block_threads : 0);
            const T sum = reduce_strided<T>(in, begin, block_threads, end, op, where);
            if (threadIdx.x == 0)
                out[segment] = begin >= end ? static_cast<T>(init) : static_cast<T>(op(init, sum));
        });
    });
}

}  // namespace cub::on_machine

#include "simt/groups/editor_end.h"
