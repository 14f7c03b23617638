// Prefix sums of a range of device memory, which may be in place. Two calls, as with DeviceReduce.
#pragma once

#include "simt/cub/device_walk.h"

#include "simt/groups/editor_begin.h"

namespace cub {

struct DeviceScan {
    template <class In, class Out, class NumItemsT>
    static cudaError_t ExclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                                    NumItemsT num_items, cudaStream_t stream = 0, SIMT_HERE) {
        using T = on_machine::value_of_iterator<In>;
        return exclusive({"cub::DeviceScan::ExclusiveSum", stream, w}, {d_temp_storage, temp_storage_bytes},
                         d_in, d_out, ::cuda::std::plus<>{}, T{}, num_items);
    }
    template <class It, class NumItemsT>
    static cudaError_t ExclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                                    NumItemsT num_items, cudaStream_t stream = 0, SIMT_HERE) {
        return ExclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream, w);
    }
    template <class In, class Out, class ScanOp, class InitValueT, class NumItemsT>
    static cudaError_t ExclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                                     ScanOp scan_op, InitValueT init_value, NumItemsT num_items,
                                     cudaStream_t stream = 0, SIMT_HERE) {
        return exclusive({"cub::DeviceScan::ExclusiveScan", stream, w}, {d_temp_storage, temp_storage_bytes},
                         d_in, d_out, scan_op, init_value, num_items);
    }
    template <class It, class ScanOp, class InitValueT, class NumItemsT>
    static cudaError_t ExclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                                     ScanOp scan_op, InitValueT init_value, NumItemsT num_items,
                                     cudaStream_t stream = 0, SIMT_HERE) {
        return ExclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op, init_value,
                             num_items, stream, w);
    }
    template <class In, class Out, class NumItemsT>
    static cudaError_t InclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                                    NumItemsT num_items, cudaStream_t stream = 0, SIMT_HERE) {
        return inclusive({"cub::DeviceScan::InclusiveSum", stream, w}, {d_temp_storage, temp_storage_bytes},
                         d_in, d_out, ::cuda::std::plus<>{}, num_items);
    }
    template <class It, class NumItemsT>
    static cudaError_t InclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                                    NumItemsT num_items, cudaStream_t stream = 0, SIMT_HERE) {
        return InclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream, w);
    }
    template <class In, class Out, class ScanOp, class NumItemsT>
    static cudaError_t InclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                                     ScanOp scan_op, NumItemsT num_items, cudaStream_t stream = 0,
                                     SIMT_HERE) {
        return inclusive({"cub::DeviceScan::InclusiveScan", stream, w}, {d_temp_storage, temp_storage_bytes},
                         d_in, d_out, scan_op, num_items);
    }
    template <class It, class ScanOp, class NumItemsT>
    static cudaError_t InclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                                     ScanOp scan_op, NumItemsT num_items, cudaStream_t stream = 0,
                                     SIMT_HERE) {
        return InclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op, num_items, stream,
                             w);
    }
    template <class In, class Out, class ScanOp, class InitValueT, class NumItemsT>
    static cudaError_t InclusiveScanInit(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                                         ScanOp scan_op, InitValueT init_value, NumItemsT num_items,
                                         cudaStream_t stream = 0, SIMT_HERE) {
        using T = on_machine::result_of<ScanOp, InitValueT, on_machine::value_of_iterator<In>>;
        return on_machine::scan<true, true, T>({"cub::DeviceScan::InclusiveScanInit", stream, w},
                                               {d_temp_storage, temp_storage_bytes}, d_in, d_out,
                                               on_machine::count_of(num_items), scan_op, init_value);
    }

  private:
    template <class In, class Out, class Op, class Init, class Number>
    static cudaError_t exclusive(const on_machine::Call& call, const on_machine::Storage& storage, In in,
                                 Out out, Op op, Init init, Number count) {
        using T = on_machine::result_of<Op, Init, on_machine::value_of_iterator<In>>;
        return on_machine::scan<false, true, T>(call, storage, in, out, on_machine::count_of(count), op,
                                                init);
    }
    template <class In, class Out, class Op, class Number>
    static cudaError_t inclusive(const on_machine::Call& call, const on_machine::Storage& storage, In in,
                                 Out out, Op op, Number count) {
        using T = on_machine::value_of_iterator<In>;
        return on_machine::scan<true, false, T>(call, storage, in, out, on_machine::count_of(count), op, 0);
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
