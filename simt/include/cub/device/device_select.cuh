// Keeps some elements of a range of device memory, in their order. Two calls, as with DeviceReduce.
#pragma once

#include "simt/cub/device_walk.h"

#include "simt/groups/editor_begin.h"

namespace cub {

struct DeviceSelect {
    template <class In, class Flags, class Out, class NumOut, class NumItemsT>
    static cudaError_t Flagged(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Flags d_flags,
                               Out d_out, NumOut d_num_selected_out, NumItemsT num_items,
                               cudaStream_t stream = 0, SIMT_HERE) {
        return keep({"cub::DeviceSelect::Flagged", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in,
                    d_out, d_num_selected_out, num_items, [d_flags](size_t i) {
                        return static_cast<bool>(d_flags[static_cast<std::ptrdiff_t>(i)]);
                    });
    }
    template <class It, class Flags, class NumOut, class NumItemsT>
    static cudaError_t Flagged(void* d_temp_storage, size_t& temp_storage_bytes, It d_data, Flags d_flags,
                               NumOut d_num_selected_out, NumItemsT num_items, cudaStream_t stream = 0,
                               SIMT_HERE) {
        return Flagged(d_temp_storage, temp_storage_bytes, d_data, d_flags, d_data, d_num_selected_out,
                       num_items, stream, w);
    }
    template <class In, class Out, class NumOut, class NumItemsT, class SelectOp>
    static cudaError_t If(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                          NumOut d_num_selected_out, NumItemsT num_items, SelectOp select_op,
                          cudaStream_t stream = 0, SIMT_HERE) {
        return keep({"cub::DeviceSelect::If", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in, d_out,
                    d_num_selected_out, num_items, [d_in, select_op](size_t i) mutable {
                        return static_cast<bool>(select_op(d_in[static_cast<std::ptrdiff_t>(i)]));
                    });
    }
    template <class It, class NumOut, class NumItemsT, class SelectOp>
    static cudaError_t If(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                          NumOut d_num_selected_out, NumItemsT num_items, SelectOp select_op,
                          cudaStream_t stream = 0, SIMT_HERE) {
        return If(d_temp_storage, temp_storage_bytes, d_data, d_data, d_num_selected_out, num_items,
                  select_op, stream, w);
    }
    // Of each run of equal elements the first.
    template <class In, class Out, class NumOut, class NumItemsT>
    static cudaError_t Unique(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                              NumOut d_num_selected_out, NumItemsT num_items, cudaStream_t stream = 0,
                              SIMT_HERE) {
        return keep({"cub::DeviceSelect::Unique", stream, w}, {d_temp_storage, temp_storage_bytes}, d_in,
                    d_out, d_num_selected_out, num_items, [d_in](size_t i) {
                        const auto at = static_cast<std::ptrdiff_t>(i);
                        return i == 0 || !(d_in[at] == d_in[at - 1]);
                    });
    }

  private:
    template <class In, class Out, class NumOut, class Number, class Keep>
    static cudaError_t keep(const on_machine::Call& call, const on_machine::Storage& storage, In in, Out out,
                            NumOut number, Number count, Keep which) {
        using T = on_machine::value_of_iterator<In>;
        return on_machine::select(
            call, storage, on_machine::count_of(count), which,
            [in](size_t i) { return static_cast<T>(in[static_cast<std::ptrdiff_t>(i)]); },
            [out](const T& value, size_t k) mutable { out[static_cast<std::ptrdiff_t>(k)] = value; },
            [number](size_t kept) mutable { *number = static_cast<int>(kept); });
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
