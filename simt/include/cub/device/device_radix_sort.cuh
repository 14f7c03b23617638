// Stable radix sorts of a range of device memory, by the bits of the keys from begin_bit up to end_bit. Two calls, as with
// DeviceReduce. With DoubleBuffers the result is in Current() afterwards, and both buffers are written.
#pragma once

#include "simt/cub/device_sort.h"

#include "simt/groups/editor_begin.h"

namespace cub {

struct DeviceRadixSort {
    template <class KeyT, class ValueT, class NumItemsT>
    static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in,
                                 KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out,
                                 NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,
                                 cudaStream_t stream = 0, SIMT_HERE) {
        return on_machine::sort<false>(
            {"cub::DeviceRadixSort::SortPairs", stream, w}, {d_temp_storage, temp_storage_bytes}, d_keys_in,
            d_keys_out, d_values_in, d_values_out, on_machine::count_of(num_items), begin_bit, end_bit);
    }
    template <class KeyT, class ValueT, class NumItemsT>
    static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys,
                                 DoubleBuffer<ValueT>& d_values, NumItemsT num_items, int begin_bit = 0,
                                 int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0, SIMT_HERE) {
        return on_machine::sort<false>({"cub::DeviceRadixSort::SortPairs", stream, w},
                                       {d_temp_storage, temp_storage_bytes}, d_keys, d_values,
                                       on_machine::count_of(num_items), begin_bit, end_bit);
    }
    template <class KeyT, class NumItemsT>
    static cudaError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in,
                                KeyT* d_keys_out, NumItemsT num_items, int begin_bit = 0,
                                int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0, SIMT_HERE) {
        const NullType* none = nullptr;
        return on_machine::sort<false>({"cub::DeviceRadixSort::SortKeys", stream, w},
                                       {d_temp_storage, temp_storage_bytes}, d_keys_in, d_keys_out, none,
                                       static_cast<NullType*>(nullptr), on_machine::count_of(num_items),
                                       begin_bit, end_bit);
    }
    template <class KeyT, class NumItemsT>
    static cudaError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys,
                                NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,
                                cudaStream_t stream = 0, SIMT_HERE) {
        DoubleBuffer<NullType> none;
        return on_machine::sort<false>({"cub::DeviceRadixSort::SortKeys", stream, w},
                                       {d_temp_storage, temp_storage_bytes}, d_keys, none,
                                       on_machine::count_of(num_items), begin_bit, end_bit);
    }
    template <class KeyT, class ValueT, class NumItemsT>
    static cudaError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                           const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in,
                                           ValueT* d_values_out, NumItemsT num_items, int begin_bit = 0,
                                           int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0,
                                           SIMT_HERE) {
        return on_machine::sort<true>({"cub::DeviceRadixSort::SortPairsDescending", stream, w},
                                      {d_temp_storage, temp_storage_bytes}, d_keys_in, d_keys_out,
                                      d_values_in, d_values_out, on_machine::count_of(num_items), begin_bit,
                                      end_bit);
    }
    template <class KeyT, class ValueT, class NumItemsT>
    static cudaError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                           DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values,
                                           NumItemsT num_items, int begin_bit = 0,
                                           int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0,
                                           SIMT_HERE) {
        return on_machine::sort<true>({"cub::DeviceRadixSort::SortPairsDescending", stream, w},
                                      {d_temp_storage, temp_storage_bytes}, d_keys, d_values,
                                      on_machine::count_of(num_items), begin_bit, end_bit);
    }
    template <class KeyT, class NumItemsT>
    static cudaError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                          const KeyT* d_keys_in, KeyT* d_keys_out, NumItemsT num_items,
                                          int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,
                                          cudaStream_t stream = 0, SIMT_HERE) {
        const NullType* none = nullptr;
        return on_machine::sort<true>({"cub::DeviceRadixSort::SortKeysDescending", stream, w},
                                      {d_temp_storage, temp_storage_bytes}, d_keys_in, d_keys_out, none,
                                      static_cast<NullType*>(nullptr), on_machine::count_of(num_items),
                                      begin_bit, end_bit);
    }
    template <class KeyT, class NumItemsT>
    static cudaError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                          DoubleBuffer<KeyT>& d_keys, NumItemsT num_items, int begin_bit = 0,
                                          int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0,
                                          SIMT_HERE) {
        DoubleBuffer<NullType> none;
        return on_machine::sort<true>({"cub::DeviceRadixSort::SortKeysDescending", stream, w},
                                      {d_temp_storage, temp_storage_bytes}, d_keys, none,
                                      on_machine::count_of(num_items), begin_bit, end_bit);
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
