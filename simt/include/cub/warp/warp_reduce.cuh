// Reductions of a warp or of a part of it, by shuffles: no shared memory is used, and TempStorage is empty.
#pragma once

#include <cub/thread/thread_operators.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

// The result is lane 0's of each logical warp; other lanes get no sensible value.
template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpReduce {
  public:
    using TempStorage = on_machine::NoRoom;
    SIMT_INLINE explicit WarpReduce(TempStorage&) {}

    SIMT_INLINE T Sum(T input, SIMT_HERE) { return Reduce(input, ::cuda::std::plus<>{}, w); }
    SIMT_INLINE T Sum(T input, int valid_items, SIMT_HERE) {
        return Reduce(input, ::cuda::std::plus<>{}, valid_items, w);
    }
    template <int ITEMS>
    SIMT_INLINE T Sum(const T (&inputs)[ITEMS], SIMT_HERE) {
        return Reduce(inputs, ::cuda::std::plus<>{}, w);
    }
    SIMT_INLINE T Max(T input, SIMT_HERE) { return Reduce(input, ::cuda::maximum<>{}, w); }
    SIMT_INLINE T Max(T input, int valid_items, SIMT_HERE) {
        return Reduce(input, ::cuda::maximum<>{}, valid_items, w);
    }
    SIMT_INLINE T Min(T input, SIMT_HERE) { return Reduce(input, ::cuda::minimum<>{}, w); }
    SIMT_INLINE T Min(T input, int valid_items, SIMT_HERE) {
        return Reduce(input, ::cuda::minimum<>{}, valid_items, w);
    }

    template <class ReductionOp>
    SIMT_INLINE T Reduce(T input, ReductionOp reduction_op, SIMT_HERE) {
        const on_machine::Lanes lanes = here();
        return of_first(lanes, on_machine::reduced(lanes, input, reduction_op, lanes.count - 1, w));
    }
    // Of the first `valid_items` lanes.
    template <class ReductionOp>
    SIMT_INLINE T Reduce(T input, ReductionOp reduction_op, int valid_items, SIMT_HERE) {
        const on_machine::Lanes lanes = here();
        return of_first(lanes, on_machine::reduced(lanes, input, reduction_op, valid_items - 1, w));
    }
    template <int ITEMS, class ReductionOp>
    SIMT_INLINE T Reduce(const T (&inputs)[ITEMS], ReductionOp reduction_op, SIMT_HERE) {
        return Reduce(on_machine::reduced_items(inputs, reduction_op), reduction_op, w);
    }

    // A segment begins at each flag. Its first lane gets the result.
    template <class FlagT>
    SIMT_INLINE T HeadSegmentedSum(T input, FlagT head_flag, SIMT_HERE) {
        return HeadSegmentedReduce(input, head_flag, ::cuda::std::plus<>{}, w);
    }
    template <class FlagT>
    SIMT_INLINE T TailSegmentedSum(T input, FlagT tail_flag, SIMT_HERE) {
        return TailSegmentedReduce(input, tail_flag, ::cuda::std::plus<>{}, w);
    }
    template <class ReductionOp, class FlagT>
    SIMT_INLINE T HeadSegmentedReduce(T input, FlagT head_flag, ReductionOp reduction_op, SIMT_HERE) {
        const on_machine::Lanes lanes = here();
        const unsigned later = flags(lanes, static_cast<bool>(head_flag), w) >> lanes.rank >> 1;
        const int last = later == 0 ? lanes.count - 1 : lanes.rank + __builtin_ctz(later);
        return on_machine::reduced(lanes, input, reduction_op, last, w);
    }
    template <class ReductionOp, class FlagT>
    SIMT_INLINE T TailSegmentedReduce(T input, FlagT tail_flag, ReductionOp reduction_op, SIMT_HERE) {
        const on_machine::Lanes lanes = here();
        const unsigned later = flags(lanes, static_cast<bool>(tail_flag), w) >> lanes.rank;
        const int last = later == 0 ? lanes.count - 1 : lanes.rank + __builtin_ctz(later);
        return on_machine::reduced(lanes, input, reduction_op, last, w);
    }

  private:
    SIMT_INLINE static on_machine::Lanes here() { return on_machine::lanes_here<LOGICAL_WARP_THREADS>(); }
    SIMT_INLINE static T of_first(const on_machine::Lanes& lanes, T value) {
        if (lanes.rank != 0) on_machine::spoil(value);
        return value;
    }
    SIMT_INLINE static unsigned flags(const on_machine::Lanes& lanes, bool flag, ::simt::Where w) {
        return (__ballot_sync(lanes.mask, flag, w) & lanes.mask) >> lanes.first;
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
