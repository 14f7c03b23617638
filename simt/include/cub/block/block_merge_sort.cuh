// Merge sorts of a block's items by any comparison. They are stable.
#pragma once

#include <cub/util_type.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

// A barrier must come before the storage is used again.
template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockMergeSort {
    using Threads = on_machine::Threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr int N = ITEMS_PER_THREAD, all = Threads::count * N;
    static constexpr bool has_values = !std::is_same_v<ValueT, NullType>;
    static_assert((Threads::count & (Threads::count - 1)) == 0,
                  "BlockMergeSort takes a power of two of threads.");

  public:
    struct TempStorage {
        on_machine::Room<KeyT, all> keys;
        on_machine::Room<ValueT, has_values ? all : 1> values;
    };
    SIMT_INLINE explicit BlockMergeSort(SIMT_HERE)
        : BlockMergeSort(::simt::shared<TempStorage>("temp_storage", w, [] {}), w) {}
    SIMT_INLINE explicit BlockMergeSort(TempStorage& temp_storage, SIMT_HERE) : storage_(temp_storage) {
        Threads::check("cub::BlockMergeSort", w);
    }

    template <class CompareOp>
    SIMT_INLINE void Sort(KeyT (&keys)[N], CompareOp compare_op, SIMT_HERE) {
        sort(keys, nullptr, compare_op, w);
    }
    template <class CompareOp>
    SIMT_INLINE void Sort(KeyT (&keys)[N], ValueT (&items)[N], CompareOp compare_op, SIMT_HERE) {
        sort(keys, &items, compare_op, w);
    }
    // Of the first `valid_items`; the others count as `oob_default`, which nothing may come after.
    template <class CompareOp>
    SIMT_INLINE void Sort(KeyT (&keys)[N], CompareOp compare_op, int valid_items, KeyT oob_default,
                          SIMT_HERE) {
        fill(keys, valid_items, oob_default);
        sort(keys, nullptr, compare_op, w);
    }
    template <class CompareOp>
    SIMT_INLINE void Sort(KeyT (&keys)[N], ValueT (&items)[N], CompareOp compare_op, int valid_items,
                          KeyT oob_default, SIMT_HERE) {
        fill(keys, valid_items, oob_default);
        sort(keys, &items, compare_op, w);
    }
    template <class CompareOp>
    SIMT_INLINE void StableSort(KeyT (&keys)[N], CompareOp compare_op, SIMT_HERE) {
        sort(keys, nullptr, compare_op, w);
    }
    template <class CompareOp>
    SIMT_INLINE void StableSort(KeyT (&keys)[N], ValueT (&items)[N], CompareOp compare_op, SIMT_HERE) {
        sort(keys, &items, compare_op, w);
    }

  private:
    SIMT_INLINE static void meet(::simt::Where w) { on_machine::meet("barrier in cub::BlockMergeSort", w); }
    SIMT_INLINE static void fill(KeyT (&keys)[N], int valid, const KeyT& value) {
        for (int k = 0; k < N; ++k)
            if (Threads::rank() * N + k >= valid) keys[k] = value;
    }

    template <class CompareOp>
    SIMT_INLINE static void sort_own(KeyT (&keys)[N], ValueT (*values)[N], CompareOp& less) {
        for (int i = 1; i < N; ++i)
            for (int j = i; j > 0 && less(keys[j], keys[j - 1]); --j) {
                const KeyT key = keys[j];
                keys[j] = keys[j - 1];
                keys[j - 1] = key;
                if (values == nullptr) continue;
                const ValueT value = (*values)[j];
                (*values)[j] = (*values)[j - 1];
                (*values)[j - 1] = value;
            }
    }

    // How many of the first `rank` items of two merged runs come from the first run.
    template <class CompareOp>
    SIMT_INLINE int from_first(int first, int second, int length, int rank, CompareOp& less) {
        int low = rank > length ? rank - length : 0, high = rank < length ? rank : length;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (less(storage_.keys[second + rank - 1 - middle], storage_.keys[first + middle]))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    template <class CompareOp>
    SIMT_INLINE void sort(KeyT (&keys)[N], ValueT (*values)[N], CompareOp less, ::simt::Where w) {
        sort_own(keys, values, less);
        const int thread = Threads::rank();
        for (int length = N; length < all; length *= 2) {
            if (length != N) meet(w);
            for (int k = 0; k < N; ++k) storage_.keys[thread * N + k] = keys[k];
            if constexpr (has_values)
                for (int k = 0; values != nullptr && k < N; ++k)
                    storage_.values[thread * N + k] = (*values)[k];
            meet(w);
            const int first = thread * N / (2 * length) * (2 * length), second = first + length;
            const int rank = thread * N - first;
            int a = from_first(first, second, length, rank, less), b = rank - a;
            for (int k = 0; k < N; ++k) {
                const bool is_second =
                    a >= length || (b < length && less(storage_.keys[second + b], storage_.keys[first + a]));
                const int from = is_second ? second + b++ : first + a++;
                keys[k] = storage_.keys[from];
                if constexpr (has_values)
                    if (values != nullptr) (*values)[k] = storage_.values[from];
            }
        }
    }

    TempStorage& storage_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
