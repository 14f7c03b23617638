// Histograms of a block's items, in shared or global memory.
#pragma once

#include <cub/util_type.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

// Both are one here: atomic additions.
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

// Items are numbers of bins, from 0 up to BINS. A barrier must come before the histogram is read.
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, int BINS,
          BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
          int LEGACY_PTX_ARCH = 0>
class BlockHistogram {
    using Threads = on_machine::Threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

  public:
    using TempStorage = on_machine::NoRoom;
    SIMT_INLINE explicit BlockHistogram(SIMT_HERE) { Threads::check("cub::BlockHistogram", w); }
    SIMT_INLINE explicit BlockHistogram(TempStorage&, SIMT_HERE) { Threads::check("cub::BlockHistogram", w); }

    // A barrier must come before items are counted.
    template <class CounterT>
    SIMT_INLINE void InitHistogram(CounterT* histogram) {
        for (int bin = Threads::rank(); bin < BINS; bin += Threads::count) histogram[bin] = CounterT{0};
    }
    template <class CounterT>
    SIMT_INLINE void Histogram(T (&items)[ITEMS_PER_THREAD], CounterT* histogram, SIMT_HERE) {
        InitHistogram(histogram);
        on_machine::meet("barrier in cub::BlockHistogram", w);
        Composite(items, histogram, w);
    }
    // Adds to what is counted already.
    template <class CounterT>
    SIMT_INLINE void Composite(T (&items)[ITEMS_PER_THREAD], CounterT* histogram, SIMT_HERE) {
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) atomicAdd(histogram + items[k], CounterT{1}, w);
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
