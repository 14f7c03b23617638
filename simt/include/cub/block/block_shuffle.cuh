// Values that move by some threads within a block, across warps.
#pragma once

#include <cub/util_type.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

// A thread that nobody's value comes to keeps what its output held. A barrier must come before the storage is used again.
template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockShuffle {
    using Threads = on_machine::Threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

  public:
    struct TempStorage {
        on_machine::Room<T, Threads::count> values;
    };
    SIMT_INLINE explicit BlockShuffle(SIMT_HERE)
        : BlockShuffle(::simt::shared<TempStorage>("temp_storage", w, [] {}), w) {}
    SIMT_INLINE explicit BlockShuffle(TempStorage& temp_storage, SIMT_HERE) : storage_(temp_storage) {
        Threads::check("cub::BlockShuffle", w);
    }

    // Of the thread `distance` further on; negative: before.
    SIMT_INLINE void Offset(T input, T& output, int distance = 1, SIMT_HERE) {
        show(input, w);
        const int from = Threads::rank() + distance;
        if (from >= 0 && from < Threads::count) output = storage_.values[from];
    }
    SIMT_INLINE void Rotate(T input, T& output, unsigned distance = 1, SIMT_HERE) {
        show(input, w);
        output = storage_.values[static_cast<int>((static_cast<unsigned>(Threads::rank()) + distance) %
                                                  static_cast<unsigned>(Threads::count))];
    }
    // Each item becomes the one before it; the block's first stays what it was.
    template <int N>
    SIMT_INLINE void Up(T (&input)[N], T (&prev)[N], SIMT_HERE) {
        show(input[N - 1], w);
        for (int k = N - 1; k > 0; --k) prev[k] = input[k - 1];
        if (Threads::rank() > 0) prev[0] = storage_.values[Threads::rank() - 1];
    }
    // `block_suffix`: the block's last item, for all threads.
    template <int N>
    SIMT_INLINE void Up(T (&input)[N], T (&prev)[N], T& block_suffix, SIMT_HERE) {
        Up(input, prev, w);
        block_suffix = storage_.values[Threads::count - 1];
    }
    // Each item becomes the one after it; the block's last stays what it was.
    template <int N>
    SIMT_INLINE void Down(T (&input)[N], T (&next)[N], SIMT_HERE) {
        show(input[0], w);
        for (int k = 0; k + 1 < N; ++k) next[k] = input[k + 1];
        if (Threads::rank() + 1 < Threads::count) next[N - 1] = storage_.values[Threads::rank() + 1];
    }
    template <int N>
    SIMT_INLINE void Down(T (&input)[N], T (&next)[N], T& block_prefix, SIMT_HERE) {
        Down(input, next, w);
        block_prefix = storage_.values[0];
    }

  private:
    SIMT_INLINE void show(const T& value, ::simt::Where w) {
        storage_.values[Threads::rank()] = value;
        on_machine::meet("barrier in cub::BlockShuffle", w);
    }

    TempStorage& storage_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
