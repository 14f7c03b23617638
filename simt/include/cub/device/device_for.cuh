// A function for each element of a range, or for each index. These calls need no storage; those with it are here, too.
#pragma once

#include "simt/cub/device.h"

#include "simt/groups/editor_begin.h"

namespace cub {

struct DeviceFor {
    template <class ShapeT, class OpT>
    static cudaError_t Bulk(ShapeT shape, OpT op, cudaStream_t stream = 0, SIMT_HERE) {
        return each({"cub::DeviceFor::Bulk", stream, w}, on_machine::count_of(shape),
                    [op](size_t i) mutable { op(static_cast<ShapeT>(i)); });
    }
    template <class It, class NumItemsT, class OpT>
    static cudaError_t ForEachN(It first, NumItemsT num_items, OpT op, cudaStream_t stream = 0, SIMT_HERE) {
        return each({"cub::DeviceFor::ForEachN", stream, w}, on_machine::count_of(num_items),
                    [first, op](size_t i) mutable { op(first[static_cast<std::ptrdiff_t>(i)]); });
    }
    template <class It, class OpT>
    static cudaError_t ForEach(It first, It last, OpT op, cudaStream_t stream = 0, SIMT_HERE) {
        return each({"cub::DeviceFor::ForEach", stream, w}, static_cast<size_t>(last - first),
                    [first, op](size_t i) mutable { op(first[static_cast<std::ptrdiff_t>(i)]); });
    }
    // `op` gets copies.
    template <class It, class NumItemsT, class OpT>
    static cudaError_t ForEachCopyN(It first, NumItemsT num_items, OpT op, cudaStream_t stream = 0,
                                    SIMT_HERE) {
        return each({"cub::DeviceFor::ForEachCopyN", stream, w}, on_machine::count_of(num_items),
                    [first, op](size_t i) mutable {
                        on_machine::value_of_iterator<It> copy = first[static_cast<std::ptrdiff_t>(i)];
                        op(copy);
                    });
    }

    template <class ShapeT, class OpT>
    static cudaError_t Bulk(void* d_temp_storage, size_t& temp_storage_bytes, ShapeT shape, OpT op,
                            cudaStream_t stream = 0, SIMT_HERE) {
        return is_question(d_temp_storage, temp_storage_bytes) ? cudaSuccess : Bulk(shape, op, stream, w);
    }
    template <class It, class NumItemsT, class OpT>
    static cudaError_t ForEachN(void* d_temp_storage, size_t& temp_storage_bytes, It first,
                                NumItemsT num_items, OpT op, cudaStream_t stream = 0, SIMT_HERE) {
        return is_question(d_temp_storage, temp_storage_bytes) ? cudaSuccess
                                                               : ForEachN(first, num_items, op, stream, w);
    }

  private:
    static bool is_question(const void* place, size_t& bytes) {
        if (place == nullptr) bytes = 1;
        return place == nullptr;
    }
    template <class Body>
    static cudaError_t each(const on_machine::Call& call, size_t count, Body body) {
        ::simt::note_library_call(call.stream);
        on_machine::run_each(call, count, body);
        return cudaPeekAtLastError();
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
