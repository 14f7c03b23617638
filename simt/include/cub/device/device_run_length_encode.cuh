// Runs of equal elements of a range of device memory. Two calls, as with DeviceReduce.
#pragma once

#include "simt/cub/device_walk.h"

#include "simt/groups/editor_begin.h"

namespace cub {

struct DeviceRunLengthEncode {
    // Of each run its element and its length.
    template <class In, class UniqueOut, class LengthsOut, class NumOut, class NumItemsT>
    static cudaError_t Encode(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                              UniqueOut d_unique_out, LengthsOut d_counts_out, NumOut d_num_runs_out,
                              NumItemsT num_items, cudaStream_t stream = 0, SIMT_HERE) {
        const size_t count = on_machine::count_of(num_items);
        return on_machine::select(
            {"cub::DeviceRunLengthEncode::Encode", stream, w}, {d_temp_storage, temp_storage_bytes}, count,
            [d_in](size_t i) {
                const auto at = static_cast<std::ptrdiff_t>(i);
                return i == 0 || !(d_in[at] == d_in[at - 1]);
            },
            [](size_t i) { return i; },
            [=](size_t begin, size_t k) mutable {
                const auto run = static_cast<std::ptrdiff_t>(k);
                const auto first = static_cast<std::ptrdiff_t>(begin);
                size_t end = begin + 1;
                while (end < count && d_in[static_cast<std::ptrdiff_t>(end)] == d_in[first]) ++end;
                d_unique_out[run] = d_in[first];
                d_counts_out[run] = static_cast<int>(end - begin);
            },
            [d_num_runs_out](size_t runs) mutable { *d_num_runs_out = static_cast<int>(runs); });
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
