// Reductions of many segments of a range of device memory, from d_begin_offsets[s] up to d_end_offsets[s]. Two calls, as with
// DeviceReduce.
#pragma once

#include "simt/cub/device_reduce.h"

#include "simt/groups/editor_begin.h"

namespace cub {

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begins, class Ends, class ReductionOp, class T>
    static cudaError_t Reduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                              int64_t num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                              ReductionOp reduction_op, T initial_value, cudaStream_t stream = 0, SIMT_HERE) {
        return of({"cub::DeviceSegmentedReduce::Reduce", stream, w}, {d_temp_storage, temp_storage_bytes},
                  d_in, d_out, num_segments, d_begin_offsets, d_end_offsets, reduction_op, initial_value);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Sum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                           int64_t num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                           cudaStream_t stream = 0, SIMT_HERE) {
        using T = on_machine::value_of_output<Out, In>;
        return of({"cub::DeviceSegmentedReduce::Sum", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in,
                  d_out, num_segments, d_begin_offsets, d_end_offsets, ::cuda::std::plus<>{}, T{});
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Min(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                           int64_t num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                           cudaStream_t stream = 0, SIMT_HERE) {
        using T = on_machine::value_of_iterator<In>;
        return of({"cub::DeviceSegmentedReduce::Min", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in,
                  d_out, num_segments, d_begin_offsets, d_end_offsets, ::cuda::minimum<>{},
                  std::numeric_limits<T>::max());
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Max(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                           int64_t num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                           cudaStream_t stream = 0, SIMT_HERE) {
        using T = on_machine::value_of_iterator<In>;
        return of({"cub::DeviceSegmentedReduce::Max", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in,
                  d_out, num_segments, d_begin_offsets, d_end_offsets, ::cuda::maximum<>{},
                  std::numeric_limits<T>::lowest());
    }

  private:
    template <class In, class Out, class Begins, class Ends, class Op, class T>
    static cudaError_t of(const on_machine::Call& call, const on_machine::Storage& storage, In in, Out out,
                          int64_t segments, Begins begins, Ends ends, Op op, T init) {
        using Accumulated = on_machine::result_of<Op, T, on_machine::value_of_iterator<In>>;
        return on_machine::reduce_segments<Accumulated>(
            call, storage, in, out, on_machine::count_of(segments), begins, ends, op, init);
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
