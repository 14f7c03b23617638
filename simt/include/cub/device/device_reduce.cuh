// Reductions of a range of device memory. Two calls: with d_temp_storage == nullptr the first sets temp_storage_bytes; the
// second queues the work in `stream`, where the result is ready when the stream has come there.
#pragma once

#include "simt/cub/device_reduce.h"

#include "simt/groups/editor_begin.h"

namespace cub {

struct DeviceReduce {
    template <class In, class Out, class T, class ReductionOp, class NumItemsT>
    static cudaError_t Reduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                              NumItemsT num_items, ReductionOp reduction_op, T init, cudaStream_t stream = 0,
                              SIMT_HERE) {
        using In_ = on_machine::value_of_iterator<In>;
        using Accumulated = on_machine::result_of<ReductionOp, T, In_>;
        return on_machine::reduce<Accumulated>(
            {"cub::DeviceReduce::Reduce", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in,
            on_machine::count_of(num_items), reduction_op, init, on_machine::PutFirst<Out>{d_out});
    }
    template <class In, class Out, class NumItemsT>
    static cudaError_t Sum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                           NumItemsT num_items, cudaStream_t stream = 0, SIMT_HERE) {
        using T = on_machine::value_of_output<Out, In>;
        return of_type<T>({"cub::DeviceReduce::Sum", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in,
                          d_out, num_items, ::cuda::std::plus<>{}, T{});
    }
    template <class In, class Out, class NumItemsT>
    static cudaError_t Min(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                           NumItemsT num_items, cudaStream_t stream = 0, SIMT_HERE) {
        using T = on_machine::value_of_iterator<In>;
        return of_type<T>({"cub::DeviceReduce::Min", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in,
                          d_out, num_items, ::cuda::minimum<>{}, std::numeric_limits<T>::max());
    }
    template <class In, class Out, class NumItemsT>
    static cudaError_t Max(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                           NumItemsT num_items, cudaStream_t stream = 0, SIMT_HERE) {
        using T = on_machine::value_of_iterator<In>;
        return of_type<T>({"cub::DeviceReduce::Max", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in,
                          d_out, num_items, ::cuda::maximum<>{}, std::numeric_limits<T>::lowest());
    }

    // (index, value) of the least element, the first of equal ones; as a pair, or as two.
    template <class In, class Out>
    static cudaError_t ArgMin(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                              int num_items, cudaStream_t stream = 0, SIMT_HERE) {
        return argument<int, ::cub::ArgMin>({"cub::DeviceReduce::ArgMin", stream, w},
                                            {d_temp_storage, temp_storage_bytes}, d_in, num_items, false,
                                            on_machine::PutFirst<Out>{d_out});
    }
    template <class In, class ValueOut, class IndexOut>
    static cudaError_t ArgMin(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, ValueOut d_min_out,
                              IndexOut d_index_out, int64_t num_items, cudaStream_t stream = 0, SIMT_HERE) {
        return argument<int64_t, ::cub::ArgMin>(
            {"cub::DeviceReduce::ArgMin", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in, num_items,
            false, on_machine::PutBoth<ValueOut, IndexOut>{d_min_out, d_index_out});
    }
    template <class In, class Out>
    static cudaError_t ArgMax(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                              int num_items, cudaStream_t stream = 0, SIMT_HERE) {
        return argument<int, ::cub::ArgMax>({"cub::DeviceReduce::ArgMax", stream, w},
                                            {d_temp_storage, temp_storage_bytes}, d_in, num_items, true,
                                            on_machine::PutFirst<Out>{d_out});
    }
    template <class In, class ValueOut, class IndexOut>
    static cudaError_t ArgMax(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, ValueOut d_max_out,
                              IndexOut d_index_out, int64_t num_items, cudaStream_t stream = 0, SIMT_HERE) {
        return argument<int64_t, ::cub::ArgMax>(
            {"cub::DeviceReduce::ArgMax", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in, num_items,
            true, on_machine::PutBoth<ValueOut, IndexOut>{d_max_out, d_index_out});
    }

    template <class In, class Out, class ReductionOp, class TransformOp, class T, class NumItemsT>
    static cudaError_t TransformReduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                                       NumItemsT num_items, ReductionOp reduction_op,
                                       TransformOp transform_op, T init, cudaStream_t stream = 0, SIMT_HERE) {
        using Value = std::decay_t<std::invoke_result_t<TransformOp, on_machine::value_of_iterator<In>>>;
        using Accumulated = on_machine::result_of<ReductionOp, T, Value>;
        return on_machine::reduce<Accumulated>(
            {"cub::DeviceReduce::TransformReduce", stream, w}, {d_temp_storage, temp_storage_bytes},
            TransformInputIterator<Value, TransformOp, In>(d_in, transform_op),
            on_machine::count_of(num_items), reduction_op, init, on_machine::PutFirst<Out>{d_out});
    }

  private:
    template <class T, class In, class Out, class NumItemsT, class Op>
    static cudaError_t of_type(const on_machine::Call& call, const on_machine::Storage& storage, In in,
                               Out out, NumItemsT count, Op op, T init) {
        using Accumulated = on_machine::result_of<Op, T, on_machine::value_of_iterator<In>>;
        return on_machine::reduce<Accumulated>(call, storage, in, on_machine::count_of(count), op, init,
                                               on_machine::PutFirst<Out>{out});
    }
    template <class Index, class Op, class In, class Put>
    static cudaError_t argument(const on_machine::Call& call, const on_machine::Storage& storage, In in,
                                Index count, bool largest, Put put) {
        using T = on_machine::value_of_iterator<In>;
        using Pair = KeyValuePair<Index, T>;
        const size_t n = on_machine::count_of(count);
        // Of no elements: CUB says index 1 and the type's last value. Else the first element begins, which is in any case.
        const Pair none(n == 0 ? 1 : static_cast<Index>(n),
                        largest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
        return on_machine::reduce<Pair>(call, storage, ArgIndexInputIterator<In, Index, T>(in), n, Op{}, none,
                                        put);
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
