// Prefix sums of a block.
#pragma once

#include <cub/warp/warp_scan.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

// All three are one here: each warp scans by shuffles and adds what the warps before it found.
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

// Where an exclusive scan has neither an initial value nor a prefix, thread 0 gets no sensible value. A barrier must come
// before the storage is used again. A prefix callback is called by the first warp with the block's aggregate; what it
// returns to thread 0 comes before all.
template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockScan {
    using Threads = on_machine::Threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    using Plus = ::cuda::std::plus<>;
    template <class Op>  // an operator, no place for the aggregate
    using IfOp = std::enable_if_t<!std::is_same_v<Op, T> && !std::is_arithmetic_v<Op>>;

  public:
    struct TempStorage {
        on_machine::Room<T, Threads::warps> of_warps;
        on_machine::Room<T, 1> prefix;
    };
    SIMT_INLINE explicit BlockScan(SIMT_HERE)
        : BlockScan(::simt::shared<TempStorage>("temp_storage", w, [] {}), w) {}
    SIMT_INLINE explicit BlockScan(TempStorage& temp_storage, SIMT_HERE) : storage_(temp_storage) {
        Threads::check("cub::BlockScan", w);
    }

    // ---- sums of one value a thread ----
    SIMT_INLINE void ExclusiveSum(T input, T& output, SIMT_HERE) {
        ExclusiveScan(input, output, T{}, Plus{}, w);
    }
    SIMT_INLINE void ExclusiveSum(T input, T& output, T& block_aggregate, SIMT_HERE) {
        ExclusiveScan(input, output, T{}, Plus{}, block_aggregate, w);
    }
    template <class Prefix, class = IfOp<Prefix>>
    SIMT_INLINE void ExclusiveSum(T input, T& output, Prefix& block_prefix_callback_op, SIMT_HERE) {
        ExclusiveScan(input, output, Plus{}, block_prefix_callback_op, w);
    }
    SIMT_INLINE void InclusiveSum(T input, T& output, SIMT_HERE) { InclusiveScan(input, output, Plus{}, w); }
    SIMT_INLINE void InclusiveSum(T input, T& output, T& block_aggregate, SIMT_HERE) {
        InclusiveScan(input, output, Plus{}, block_aggregate, w);
    }
    template <class Prefix, class = IfOp<Prefix>>
    SIMT_INLINE void InclusiveSum(T input, T& output, Prefix& block_prefix_callback_op, SIMT_HERE) {
        InclusiveScan(input, output, Plus{}, block_prefix_callback_op, w);
    }

    // ---- sums of several values a thread ----
    template <int N>
    SIMT_INLINE void ExclusiveSum(T (&input)[N], T (&output)[N], SIMT_HERE) {
        ExclusiveScan(input, output, T{}, Plus{}, w);
    }
    template <int N>
    SIMT_INLINE void ExclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate, SIMT_HERE) {
        ExclusiveScan(input, output, T{}, Plus{}, block_aggregate, w);
    }
    template <int N, class Prefix, class = IfOp<Prefix>>
    SIMT_INLINE void ExclusiveSum(T (&input)[N], T (&output)[N], Prefix& block_prefix_callback_op,
                                  SIMT_HERE) {
        ExclusiveScan(input, output, Plus{}, block_prefix_callback_op, w);
    }
    template <int N>
    SIMT_INLINE void InclusiveSum(T (&input)[N], T (&output)[N], SIMT_HERE) {
        InclusiveScan(input, output, Plus{}, w);
    }
    template <int N>
    SIMT_INLINE void InclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate, SIMT_HERE) {
        InclusiveScan(input, output, Plus{}, block_aggregate, w);
    }
    template <int N, class Prefix, class = IfOp<Prefix>>
    SIMT_INLINE void InclusiveSum(T (&input)[N], T (&output)[N], Prefix& block_prefix_callback_op,
                                  SIMT_HERE) {
        InclusiveScan(input, output, Plus{}, block_prefix_callback_op, w);
    }

    // ---- scans of one value a thread ----
    template <class ScanOp>
    SIMT_INLINE void ExclusiveScan(T input, T& output, ScanOp scan_op, SIMT_HERE) {
        scan<false>(on_machine::as_items(input), on_machine::as_items(output), scan_op, Nothing{}, w);
    }
    template <class ScanOp>
    SIMT_INLINE void ExclusiveScan(T input, T& output, ScanOp scan_op, T& block_aggregate, SIMT_HERE) {
        block_aggregate =
            scan<false>(on_machine::as_items(input), on_machine::as_items(output), scan_op, Nothing{}, w);
    }
    template <class ScanOp, class = IfOp<ScanOp>>
    SIMT_INLINE void ExclusiveScan(T input, T& output, T initial_value, ScanOp scan_op, SIMT_HERE) {
        scan<false>(on_machine::as_items(input), on_machine::as_items(output), scan_op, Value{initial_value},
                    w);
    }
    template <class ScanOp>
    SIMT_INLINE void ExclusiveScan(T input, T& output, T initial_value, ScanOp scan_op, T& block_aggregate,
                                   SIMT_HERE) {
        block_aggregate = scan<false>(on_machine::as_items(input), on_machine::as_items(output), scan_op,
                                      Value{initial_value}, w);
    }
    template <class ScanOp, class Prefix, class = IfOp<Prefix>, class = IfOp<ScanOp>>
    SIMT_INLINE void ExclusiveScan(T input, T& output, ScanOp scan_op, Prefix& block_prefix_callback_op,
                                   SIMT_HERE) {
        scan<false>(on_machine::as_items(input), on_machine::as_items(output), scan_op,
                    Callback<Prefix>{block_prefix_callback_op}, w);
    }
    template <class ScanOp>
    SIMT_INLINE void InclusiveScan(T input, T& output, ScanOp scan_op, SIMT_HERE) {
        scan<true>(on_machine::as_items(input), on_machine::as_items(output), scan_op, Nothing{}, w);
    }
    template <class ScanOp>
    SIMT_INLINE void InclusiveScan(T input, T& output, ScanOp scan_op, T& block_aggregate, SIMT_HERE) {
        block_aggregate =
            scan<true>(on_machine::as_items(input), on_machine::as_items(output), scan_op, Nothing{}, w);
    }
    template <class ScanOp, class Prefix, class = IfOp<Prefix>>
    SIMT_INLINE void InclusiveScan(T input, T& output, ScanOp scan_op, Prefix& block_prefix_callback_op,
                                   SIMT_HERE) {
        scan<true>(on_machine::as_items(input), on_machine::as_items(output), scan_op,
                   Callback<Prefix>{block_prefix_callback_op}, w);
    }

    // ---- scans of several values a thread ----
    template <int N, class ScanOp>
    SIMT_INLINE void ExclusiveScan(T (&input)[N], T (&output)[N], ScanOp scan_op, SIMT_HERE) {
        scan<false>(input, output, scan_op, Nothing{}, w);
    }
    template <int N, class ScanOp>
    SIMT_INLINE void ExclusiveScan(T (&input)[N], T (&output)[N], ScanOp scan_op, T& block_aggregate,
                                   SIMT_HERE) {
        block_aggregate = scan<false>(input, output, scan_op, Nothing{}, w);
    }
    template <int N, class ScanOp, class = IfOp<ScanOp>>
    SIMT_INLINE void ExclusiveScan(T (&input)[N], T (&output)[N], T initial_value, ScanOp scan_op,
                                   SIMT_HERE) {
        scan<false>(input, output, scan_op, Value{initial_value}, w);
    }
    template <int N, class ScanOp>
    SIMT_INLINE void ExclusiveScan(T (&input)[N], T (&output)[N], T initial_value, ScanOp scan_op,
                                   T& block_aggregate, SIMT_HERE) {
        block_aggregate = scan<false>(input, output, scan_op, Value{initial_value}, w);
    }
    template <int N, class ScanOp, class Prefix, class = IfOp<Prefix>, class = IfOp<ScanOp>>
    SIMT_INLINE void ExclusiveScan(T (&input)[N], T (&output)[N], ScanOp scan_op,
                                   Prefix& block_prefix_callback_op, SIMT_HERE) {
        scan<false>(input, output, scan_op, Callback<Prefix>{block_prefix_callback_op}, w);
    }
    template <int N, class ScanOp>
    SIMT_INLINE void InclusiveScan(T (&input)[N], T (&output)[N], ScanOp scan_op, SIMT_HERE) {
        scan<true>(input, output, scan_op, Nothing{}, w);
    }
    template <int N, class ScanOp>
    SIMT_INLINE void InclusiveScan(T (&input)[N], T (&output)[N], ScanOp scan_op, T& block_aggregate,
                                   SIMT_HERE) {
        block_aggregate = scan<true>(input, output, scan_op, Nothing{}, w);
    }
    template <int N, class ScanOp, class = IfOp<ScanOp>>
    SIMT_INLINE void InclusiveScan(T (&input)[N], T (&output)[N], T initial_value, ScanOp scan_op,
                                   SIMT_HERE) {
        scan<true>(input, output, scan_op, Value{initial_value}, w);
    }
    template <int N, class ScanOp>
    SIMT_INLINE void InclusiveScan(T (&input)[N], T (&output)[N], T initial_value, ScanOp scan_op,
                                   T& block_aggregate, SIMT_HERE) {
        block_aggregate = scan<true>(input, output, scan_op, Value{initial_value}, w);
    }
    template <int N, class ScanOp, class Prefix, class = IfOp<Prefix>, class = IfOp<ScanOp>>
    SIMT_INLINE void InclusiveScan(T (&input)[N], T (&output)[N], ScanOp scan_op,
                                   Prefix& block_prefix_callback_op, SIMT_HERE) {
        scan<true>(input, output, scan_op, Callback<Prefix>{block_prefix_callback_op}, w);
    }

  private:
    // What comes before the block's first value.
    struct Nothing {};
    struct Value {
        T value;
    };
    template <class Function>
    struct Callback {
        Function& function;
    };

    struct Before {  // of the calling thread
        bool any;
        T value;      // of all threads before, where there are any
        T aggregate;  // of all threads
    };

    template <class ScanOp>
    SIMT_INLINE Before before(T partial, ScanOp op, ::simt::Where w) {
        const on_machine::Lanes lanes = on_machine::lanes_here<32>();
        const int warp = Threads::rank() / 32;
        const T inclusive = on_machine::scanned(lanes, partial, op, w);
        T exclusive = on_machine::value_of(lanes, inclusive, lanes.rank - 1, w);
        if (lanes.rank == lanes.count - 1) storage_.of_warps[warp] = inclusive;
        on_machine::meet("barrier in cub::BlockScan", w);
        T aggregate = storage_.of_warps[0], prefix = aggregate;
        for (int i = 1; i < Threads::warps; ++i) {
            if (i == warp) prefix = aggregate;
            aggregate = static_cast<T>(op(aggregate, storage_.of_warps[i]));
        }
        if (warp != 0) exclusive = lanes.rank == 0 ? prefix : static_cast<T>(op(prefix, exclusive));
        return {Threads::rank() != 0, exclusive, aggregate};
    }

    template <class ScanOp>
    SIMT_INLINE void begin(Before&, ScanOp, const Nothing&, ::simt::Where) {}
    template <class ScanOp>
    SIMT_INLINE void begin(Before& b, ScanOp op, const Value& first, ::simt::Where) {
        b.value = b.any ? static_cast<T>(op(first.value, b.value)) : first.value;
        b.any = true;
    }
    template <class ScanOp, class Function>
    SIMT_INLINE void begin(Before& b, ScanOp op, const Callback<Function>& callback, ::simt::Where w) {
        const int thread = Threads::rank();
        if (thread < 32) {
            const T prefix = static_cast<T>(callback.function(b.aggregate));
            if (thread == 0) storage_.prefix[0] = prefix;
        }
        on_machine::meet("barrier in cub::BlockScan", w);
        begin(b, op, Value{storage_.prefix[0]}, w);
    }

    template <bool inclusive, int N, class ScanOp, class Begin>
    SIMT_INLINE T scan(T (&input)[N], T (&output)[N], ScanOp op, const Begin& first, ::simt::Where w) {
        Before b = before(on_machine::reduced_items(input, op), op, w);
        begin(b, op, first, w);
        bool any = b.any;
        T running = b.value;
        for (int k = 0; k < N; ++k) {
            const T item = input[k];
            const T next = any ? static_cast<T>(op(running, item)) : item;
            output[k] = inclusive ? next : running;
            if (!inclusive && !any) on_machine::spoil(output[k]);
            running = next;
            any = true;
        }
        return b.aggregate;
    }

    TempStorage& storage_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
