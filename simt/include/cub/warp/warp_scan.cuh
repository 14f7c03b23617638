// Prefix sums of a warp or of a part of it, by shuffles: TempStorage is empty.
#pragma once

#include <cub/thread/thread_operators.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

// Without an initial value an exclusive scan gives lane 0 no sensible value.
template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpScan {
  public:
    using TempStorage = on_machine::NoRoom;
    SIMT_INLINE explicit WarpScan(TempStorage&) {}

    SIMT_INLINE void InclusiveSum(T input, T& inclusive_output, SIMT_HERE) {
        InclusiveScan(input, inclusive_output, ::cuda::std::plus<>{}, w);
    }
    SIMT_INLINE void InclusiveSum(T input, T& inclusive_output, T& warp_aggregate, SIMT_HERE) {
        InclusiveScan(input, inclusive_output, ::cuda::std::plus<>{}, warp_aggregate, w);
    }
    SIMT_INLINE void ExclusiveSum(T input, T& exclusive_output, SIMT_HERE) {
        ExclusiveScan(input, exclusive_output, T{}, ::cuda::std::plus<>{}, w);
    }
    SIMT_INLINE void ExclusiveSum(T input, T& exclusive_output, T& warp_aggregate, SIMT_HERE) {
        ExclusiveScan(input, exclusive_output, T{}, ::cuda::std::plus<>{}, warp_aggregate, w);
    }

    template <class ScanOp>
    SIMT_INLINE void InclusiveScan(T input, T& inclusive_output, ScanOp scan_op, SIMT_HERE) {
        inclusive_output = on_machine::scanned(here(), input, scan_op, w);
    }
    template <class ScanOp>
    SIMT_INLINE void InclusiveScan(T input, T& inclusive_output, ScanOp scan_op, T& warp_aggregate,
                                   SIMT_HERE) {
        const on_machine::Lanes lanes = here();
        inclusive_output = on_machine::scanned(lanes, input, scan_op, w);
        warp_aggregate = last_of(lanes, inclusive_output, w);
    }
    template <class ScanOp>
    SIMT_INLINE void InclusiveScan(T input, T& inclusive_output, T initial_value, ScanOp scan_op, SIMT_HERE) {
        inclusive_output =
            static_cast<T>(scan_op(initial_value, on_machine::scanned(here(), input, scan_op, w)));
    }
    // The aggregate is that of the input alone.
    template <class ScanOp>
    SIMT_INLINE void InclusiveScan(T input, T& inclusive_output, T initial_value, ScanOp scan_op,
                                   T& warp_aggregate, SIMT_HERE) {
        InclusiveScan(input, inclusive_output, scan_op, warp_aggregate, w);
        inclusive_output = static_cast<T>(scan_op(initial_value, inclusive_output));
    }

    template <class ScanOp>
    SIMT_INLINE void ExclusiveScan(T input, T& exclusive_output, ScanOp scan_op, SIMT_HERE) {
        T inclusive;
        Scan(input, inclusive, exclusive_output, scan_op, w);
    }
    template <class ScanOp>
    SIMT_INLINE void ExclusiveScan(T input, T& exclusive_output, T initial_value, ScanOp scan_op, SIMT_HERE) {
        T inclusive;
        Scan(input, inclusive, exclusive_output, initial_value, scan_op, w);
    }
    template <class ScanOp>
    SIMT_INLINE void ExclusiveScan(T input, T& exclusive_output, ScanOp scan_op, T& warp_aggregate,
                                   SIMT_HERE) {
        T inclusive;
        Scan(input, inclusive, exclusive_output, scan_op, w);
        warp_aggregate = last_of(here(), inclusive, w);
    }
    template <class ScanOp>
    SIMT_INLINE void ExclusiveScan(T input, T& exclusive_output, T initial_value, ScanOp scan_op,
                                   T& warp_aggregate, SIMT_HERE) {
        const on_machine::Lanes lanes = here();
        const T inclusive = on_machine::scanned(lanes, input, scan_op, w);
        warp_aggregate = last_of(lanes, inclusive, w);
        const T before = on_machine::value_of(lanes, inclusive, lanes.rank - 1, w);
        exclusive_output = lanes.rank == 0 ? initial_value : static_cast<T>(scan_op(initial_value, before));
    }

    template <class ScanOp>
    SIMT_INLINE void Scan(T input, T& inclusive_output, T& exclusive_output, ScanOp scan_op, SIMT_HERE) {
        const on_machine::Lanes lanes = here();
        inclusive_output = on_machine::scanned(lanes, input, scan_op, w);
        exclusive_output = on_machine::value_of(lanes, inclusive_output, lanes.rank - 1, w);
        if (lanes.rank == 0) on_machine::spoil(exclusive_output);
    }
    template <class ScanOp>
    SIMT_INLINE void Scan(T input, T& inclusive_output, T& exclusive_output, T initial_value, ScanOp scan_op,
                          SIMT_HERE) {
        const on_machine::Lanes lanes = here();
        InclusiveScan(input, inclusive_output, initial_value, scan_op, w);
        exclusive_output = on_machine::value_of(lanes, inclusive_output, lanes.rank - 1, w);
        if (lanes.rank == 0) exclusive_output = initial_value;
    }

    // What the lane `src_lane` of the logical warp has.
    SIMT_INLINE T Broadcast(T input, unsigned src_lane, SIMT_HERE) {
        return on_machine::value_of(here(), input, static_cast<int>(src_lane), w);
    }

  private:
    SIMT_INLINE static on_machine::Lanes here() { return on_machine::lanes_here<LOGICAL_WARP_THREADS>(); }
    SIMT_INLINE static T last_of(const on_machine::Lanes& lanes, T value, ::simt::Where w) {
        return on_machine::value_of(lanes, value, lanes.count - 1, w);
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
