// Flags where a block's items differ from their neighbours.
#pragma once

#include <cub/thread/thread_operators.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

// flag_op(a, b), or flag_op(a, b, place of b): does a run end between a and b, which comes after it? The block's first item
// is flagged as a head and its last as a tail where no neighbour outside is given. A barrier must come before the storage
// is used again.
template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockDiscontinuity {
    using Threads = on_machine::Threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

  public:
    struct TempStorage {
        on_machine::Room<T, Threads::count> firsts, lasts;
    };
    SIMT_INLINE explicit BlockDiscontinuity(SIMT_HERE)
        : BlockDiscontinuity(::simt::shared<TempStorage>("temp_storage", w, [] {}), w) {}
    SIMT_INLINE explicit BlockDiscontinuity(TempStorage& temp_storage, SIMT_HERE) : storage_(temp_storage) {
        Threads::check("cub::BlockDiscontinuity", w);
    }

    template <int N, class FlagT, class FlagOp>
    SIMT_INLINE void FlagHeads(FlagT (&head_flags)[N], T (&input)[N], FlagOp flag_op, SIMT_HERE) {
        show(input, w);
        heads(head_flags, input, flag_op, static_cast<const T*>(nullptr));
    }
    template <int N, class FlagT, class FlagOp>
    SIMT_INLINE void FlagHeads(FlagT (&head_flags)[N], T (&input)[N], FlagOp flag_op, T tile_predecessor_item,
                               SIMT_HERE) {
        show(input, w);
        heads(head_flags, input, flag_op, &tile_predecessor_item);
    }
    template <int N, class FlagT, class FlagOp>
    SIMT_INLINE void FlagTails(FlagT (&tail_flags)[N], T (&input)[N], FlagOp flag_op, SIMT_HERE) {
        show(input, w);
        tails(tail_flags, input, flag_op, static_cast<const T*>(nullptr));
    }
    template <int N, class FlagT, class FlagOp>
    SIMT_INLINE void FlagTails(FlagT (&tail_flags)[N], T (&input)[N], FlagOp flag_op, T tile_successor_item,
                               SIMT_HERE) {
        show(input, w);
        tails(tail_flags, input, flag_op, &tile_successor_item);
    }
    template <int N, class FlagT, class FlagOp>
    SIMT_INLINE void FlagHeadsAndTails(FlagT (&head_flags)[N], FlagT (&tail_flags)[N], T (&input)[N],
                                       FlagOp flag_op, SIMT_HERE) {
        show(input, w);
        heads(head_flags, input, flag_op, static_cast<const T*>(nullptr));
        tails(tail_flags, input, flag_op, static_cast<const T*>(nullptr));
    }

  private:
    template <int N>
    SIMT_INLINE void show(T (&input)[N], ::simt::Where w) {
        storage_.firsts[Threads::rank()] = input[0];
        storage_.lasts[Threads::rank()] = input[N - 1];
        on_machine::meet("barrier in cub::BlockDiscontinuity", w);
    }
    template <class FlagOp>
    SIMT_INLINE static bool flag(FlagOp& op, const T& a, const T& b, int place) {
        if constexpr (std::is_invocable_v<FlagOp&, const T&, const T&, int>)
            return static_cast<bool>(op(a, b, place));
        else
            return static_cast<bool>(op(a, b));
    }
    template <int N, class FlagT, class FlagOp>
    SIMT_INLINE void heads(FlagT (&flags)[N], T (&input)[N], FlagOp op, const T* outside) {
        const int thread = Threads::rank();
        for (int k = N - 1; k > 0; --k)
            flags[k] = static_cast<FlagT>(flag(op, input[k - 1], input[k], thread * N + k));
        if (thread != 0)
            flags[0] = static_cast<FlagT>(flag(op, storage_.lasts[thread - 1], input[0], thread * N));
        else
            flags[0] = static_cast<FlagT>(outside == nullptr || flag(op, *outside, input[0], 0));
    }
    template <int N, class FlagT, class FlagOp>
    SIMT_INLINE void tails(FlagT (&flags)[N], T (&input)[N], FlagOp op, const T* outside) {
        const int thread = Threads::rank();
        for (int k = 0; k + 1 < N; ++k)
            flags[k] = static_cast<FlagT>(flag(op, input[k], input[k + 1], thread * N + k + 1));
        if (thread + 1 < Threads::count)
            flags[N - 1] =
                static_cast<FlagT>(flag(op, input[N - 1], storage_.firsts[thread + 1], (thread + 1) * N));
        else
            flags[N - 1] = static_cast<FlagT>(outside == nullptr ||
                                              flag(op, input[N - 1], *outside, Threads::count * N));
    }

    TempStorage& storage_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
