// Reductions of a block.
#pragma once

#include <cub/warp/warp_reduce.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

// All three are one here: each warp reduces by shuffles, thread 0 what the warps found.
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

// The result is thread 0's; other threads get no sensible value. A barrier must come before the storage is used again.
template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockReduce {
    using Threads = on_machine::Threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

  public:
    struct TempStorage {
        on_machine::Room<T, Threads::warps> of_warps;
    };
    SIMT_INLINE explicit BlockReduce(SIMT_HERE)
        : BlockReduce(::simt::shared<TempStorage>("temp_storage", w, [] {}), w) {}
    SIMT_INLINE explicit BlockReduce(TempStorage& temp_storage, SIMT_HERE) : storage_(temp_storage) {
        Threads::check("cub::BlockReduce", w);
    }

    SIMT_INLINE T Sum(T input, SIMT_HERE) { return Reduce(input, ::cuda::std::plus<>{}, w); }
    template <int ITEMS_PER_THREAD>
    SIMT_INLINE T Sum(T (&inputs)[ITEMS_PER_THREAD], SIMT_HERE) {
        return Reduce(inputs, ::cuda::std::plus<>{}, w);
    }
    SIMT_INLINE T Sum(T input, int num_valid, SIMT_HERE) {
        return Reduce(input, ::cuda::std::plus<>{}, num_valid, w);
    }
    template <class ReductionOp>
    SIMT_INLINE T Reduce(T input, ReductionOp reduction_op, SIMT_HERE) {
        return Reduce(input, reduction_op, Threads::count, w);
    }
    template <int ITEMS_PER_THREAD, class ReductionOp>
    SIMT_INLINE T Reduce(T (&inputs)[ITEMS_PER_THREAD], ReductionOp reduction_op, SIMT_HERE) {
        return Reduce(on_machine::reduced_items(inputs, reduction_op), reduction_op, Threads::count, w);
    }
    // Of the first `num_valid` threads.
    template <class ReductionOp>
    SIMT_INLINE T Reduce(T input, ReductionOp reduction_op, int num_valid, SIMT_HERE) {
        const on_machine::Lanes lanes = on_machine::lanes_here<32>();
        const int thread = Threads::rank(), warp = thread / 32;
        T value = on_machine::reduced(lanes, input, reduction_op, num_valid - warp * 32 - 1, w);
        if (lanes.rank == 0) storage_.of_warps[warp] = value;
        on_machine::meet("barrier in cub::BlockReduce", w);
        if (thread != 0) {
            on_machine::spoil(value);
            return value;
        }
        for (int i = 1; i < Threads::warps && i * 32 < num_valid; ++i)
            value = static_cast<T>(reduction_op(value, storage_.of_warps[i]));
        return value;
    }

  private:
    TempStorage& storage_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
