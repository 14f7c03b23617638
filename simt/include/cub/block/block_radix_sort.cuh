// Radix sorts of a block's items. They are stable.
#pragma once

#include <cub/block/block_exchange.cuh>
#include <cub/block/block_scan.cuh>

#include "simt/cub/bits.h"

#include "simt/groups/editor_begin.h"

namespace cub {

// Keys are numbers. They are sorted by their bits from begin_bit up to end_bit. A barrier must come before the storage is used
// again.
template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType, int RADIX_BITS = 4,
          bool MEMOIZE_OUTER_SCAN = true, BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockRadixSort {
    using Threads = on_machine::Threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr int N = ITEMS_PER_THREAD, digits = 1 << RADIX_BITS;
    static constexpr bool has_values = !std::is_same_v<ValueT, NullType>;
    static constexpr int key_bits = static_cast<int>(sizeof(KeyT)) * 8;
    using Scan = BlockScan<int, BLOCK_DIM_X, INNER_SCAN_ALGORITHM, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    using Keys = BlockExchange<KeyT, BLOCK_DIM_X, N, false, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    using Values = BlockExchange<ValueT, BLOCK_DIM_X, N, false, BLOCK_DIM_Y, BLOCK_DIM_Z>;

  public:
    union TempStorage {
        struct {
            on_machine::Room<int, digits * Threads::count> counts;  // of each digit the threads' counts
            typename Scan::TempStorage scan;
        } ranks;
        typename Keys::TempStorage keys;
        typename Values::TempStorage values;
    };
    SIMT_INLINE explicit BlockRadixSort(SIMT_HERE)
        : BlockRadixSort(::simt::shared<TempStorage>("temp_storage", w, [] {}), w) {}
    SIMT_INLINE explicit BlockRadixSort(TempStorage& temp_storage, SIMT_HERE) : storage_(temp_storage) {
        Threads::check("cub::BlockRadixSort", w);
    }

    SIMT_INLINE void Sort(KeyT (&keys)[N], int begin_bit = 0, int end_bit = key_bits, SIMT_HERE) {
        sort<false, false>(keys, nullptr, begin_bit, end_bit, w);
    }
    SIMT_INLINE void Sort(KeyT (&keys)[N], ValueT (&values)[N], int begin_bit = 0, int end_bit = key_bits,
                          SIMT_HERE) {
        sort<false, false>(keys, &values, begin_bit, end_bit, w);
    }
    SIMT_INLINE void SortDescending(KeyT (&keys)[N], int begin_bit = 0, int end_bit = key_bits, SIMT_HERE) {
        sort<true, false>(keys, nullptr, begin_bit, end_bit, w);
    }
    SIMT_INLINE void SortDescending(KeyT (&keys)[N], ValueT (&values)[N], int begin_bit = 0,
                                    int end_bit = key_bits, SIMT_HERE) {
        sort<true, false>(keys, &values, begin_bit, end_bit, w);
    }
    // The result is striped.
    SIMT_INLINE void SortBlockedToStriped(KeyT (&keys)[N], int begin_bit = 0, int end_bit = key_bits,
                                          SIMT_HERE) {
        sort<false, true>(keys, nullptr, begin_bit, end_bit, w);
    }
    SIMT_INLINE void SortBlockedToStriped(KeyT (&keys)[N], ValueT (&values)[N], int begin_bit = 0,
                                          int end_bit = key_bits, SIMT_HERE) {
        sort<false, true>(keys, &values, begin_bit, end_bit, w);
    }
    SIMT_INLINE void SortDescendingBlockedToStriped(KeyT (&keys)[N], int begin_bit = 0,
                                                    int end_bit = key_bits, SIMT_HERE) {
        sort<true, true>(keys, nullptr, begin_bit, end_bit, w);
    }
    SIMT_INLINE void SortDescendingBlockedToStriped(KeyT (&keys)[N], ValueT (&values)[N], int begin_bit = 0,
                                                    int end_bit = key_bits, SIMT_HERE) {
        sort<true, true>(keys, &values, begin_bit, end_bit, w);
    }

  private:
    SIMT_INLINE static void meet(::simt::Where w) { on_machine::meet("barrier in cub::BlockRadixSort", w); }

    // Where each item goes: after all of lower digits, and of its digit after those of threads before.
    template <bool descending>
    SIMT_INLINE void rank(const KeyT (&keys)[N], int (&ranks)[N], int bit, int width, ::simt::Where w) {
        const int thread = Threads::rank();
        auto& counts = storage_.ranks.counts;
        for (int d = 0; d < digits; ++d) counts[d * Threads::count + thread] = 0;
        for (int k = 0; k < N; ++k) {
            int& count =
                counts[on_machine::digit_of<descending>(keys[k], bit, width) * Threads::count + thread];
            ranks[k] = count;
            count = ranks[k] + 1;
        }
        meet(w);
        int before[digits];
        for (int i = 0; i < digits; ++i) before[i] = counts[thread * digits + i];
        Scan(storage_.ranks.scan, w).ExclusiveSum(before, before, w);
        for (int i = 0; i < digits; ++i) counts[thread * digits + i] = before[i];
        meet(w);
        for (int k = 0; k < N; ++k)
            ranks[k] +=
                counts[on_machine::digit_of<descending>(keys[k], bit, width) * Threads::count + thread];
        meet(w);
    }

    template <bool striped, class Exchange, class T>
    SIMT_INLINE static void move(Exchange exchange, T (&items)[N], int (&ranks)[N], bool is_last,
                                 ::simt::Where w) {
        if (striped && is_last)
            exchange.ScatterToStriped(items, items, ranks, w);
        else
            exchange.ScatterToBlocked(items, items, ranks, w);
    }

    template <bool descending, bool striped>
    SIMT_INLINE void sort(KeyT (&keys)[N], [[maybe_unused]] ValueT (*values)[N], int begin_bit, int end_bit,
                          ::simt::Where w) {
        for (int bit = begin_bit; bit < end_bit; bit += RADIX_BITS) {
            const int width = end_bit - bit < RADIX_BITS ? end_bit - bit : RADIX_BITS;
            const bool is_last = bit + RADIX_BITS >= end_bit;
            int ranks[N];
            rank<descending>(keys, ranks, bit, width, w);
            move<striped>(Keys(storage_.keys, w), keys, ranks, is_last, w);
            if constexpr (has_values) {
                if (values != nullptr) {
                    meet(w);
                    move<striped>(Values(storage_.values, w), *values, ranks, is_last, w);
                }
            }
            if (!is_last) meet(w);
        }
    }

    TempStorage& storage_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
