// A block's threads read their items of a tile.
#pragma once

#include <cub/block/block_exchange.cuh>
#include <iterator>

#include "simt/cub/vectors.h"

#include "simt/groups/editor_begin.h"

namespace cub {

// ---- a thread's items, as functions ----

template <class T, int N, class It>
SIMT_INLINE void LoadDirectBlocked(int linear_tid, It block_src_it, T (&dst_items)[N]) {
    for (int k = 0; k < N; ++k) dst_items[k] = block_src_it[linear_tid * N + k];
}
// Items from block_items_end on are left as they are.
template <class T, int N, class It>
SIMT_INLINE void LoadDirectBlocked(int linear_tid, It block_src_it, T (&dst_items)[N], int block_items_end) {
    for (int k = 0; k < N; ++k)
        if (linear_tid * N + k < block_items_end) dst_items[k] = block_src_it[linear_tid * N + k];
}
template <class T, class Default, int N, class It>
SIMT_INLINE void LoadDirectBlocked(int linear_tid, It block_src_it, T (&dst_items)[N], int block_items_end,
                                   Default oob_default) {
    for (int k = 0; k < N; ++k) dst_items[k] = oob_default;
    LoadDirectBlocked(linear_tid, block_src_it, dst_items, block_items_end);
}
// In pieces of up to 16 bytes: the address must be a multiple of them.
template <class T, int N>
SIMT_INLINE void LoadDirectBlockedVectorized(int linear_tid, const T* block_src_ptr, T (&dst_items)[N]) {
    on_machine::copy_in_pieces(block_src_ptr + linear_tid * N, dst_items);
}
template <int BLOCK_THREADS, class T, int N, class It>
SIMT_INLINE void LoadDirectStriped(int linear_tid, It block_src_it, T (&dst_items)[N]) {
    for (int k = 0; k < N; ++k) dst_items[k] = block_src_it[linear_tid + k * BLOCK_THREADS];
}
template <int BLOCK_THREADS, class T, int N, class It>
SIMT_INLINE void LoadDirectStriped(int linear_tid, It block_src_it, T (&dst_items)[N], int block_items_end) {
    for (int k = 0; k < N; ++k)
        if (linear_tid + k * BLOCK_THREADS < block_items_end)
            dst_items[k] = block_src_it[linear_tid + k * BLOCK_THREADS];
}
template <int BLOCK_THREADS, class T, class Default, int N, class It>
SIMT_INLINE void LoadDirectStriped(int linear_tid, It block_src_it, T (&dst_items)[N], int block_items_end,
                                   Default oob_default) {
    for (int k = 0; k < N; ++k) dst_items[k] = oob_default;
    LoadDirectStriped<BLOCK_THREADS>(linear_tid, block_src_it, dst_items, block_items_end);
}
template <class T, int N, class It>
SIMT_INLINE void LoadDirectWarpStriped(int linear_tid, It block_src_it, T (&dst_items)[N]) {
    LoadDirectStriped<32>(linear_tid % 32, block_src_it + linear_tid / 32 * 32 * N, dst_items);
}
template <class T, int N, class It>
SIMT_INLINE void LoadDirectWarpStriped(int linear_tid, It block_src_it, T (&dst_items)[N],
                                       int block_items_end) {
    const int first = linear_tid / 32 * 32 * N;
    LoadDirectStriped<32>(linear_tid % 32, block_src_it + first, dst_items, block_items_end - first);
}

// ---- the block ----

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,  // the items come striped
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,  // read striped, then exchanged; a barrier must come before the storage is used again
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockLoad {
    using Threads = on_machine::Threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr int N = ITEMS_PER_THREAD;
    static constexpr bool by_warp =
        ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE || ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED;
    static constexpr bool by_block = ALGORITHM == BLOCK_LOAD_TRANSPOSE;
    static_assert(!by_warp || Threads::count % 32 == 0, "This algorithm takes whole warps.");
    using Exchange = BlockExchange<T, BLOCK_DIM_X, N, false, BLOCK_DIM_Y, BLOCK_DIM_Z>;

  public:
    using TempStorage =
        typename std::conditional_t<by_warp || by_block, Exchange, on_machine::WithoutRoom>::TempStorage;
    SIMT_INLINE explicit BlockLoad(SIMT_HERE)
        : BlockLoad(::simt::shared<TempStorage>("temp_storage", w, [] {}), w) {}
    SIMT_INLINE explicit BlockLoad(TempStorage& temp_storage, SIMT_HERE) : storage_(temp_storage) {
        Threads::check("cub::BlockLoad", w);
    }

    template <class It>
    SIMT_INLINE void Load(It block_src_it, T (&dst_items)[N], SIMT_HERE) {
        if constexpr (ALGORITHM == BLOCK_LOAD_VECTORIZE && std::is_pointer_v<It>)
            LoadDirectBlockedVectorized(Threads::rank(), block_src_it, dst_items);
        else
            load(block_src_it, dst_items, w);
    }
    // Items from block_items_end on are left as they are.
    template <class It>
    SIMT_INLINE void Load(It block_src_it, T (&dst_items)[N], int block_items_end, SIMT_HERE) {
        load(block_src_it, dst_items, w, block_items_end);
    }
    template <class It, class Default>
    SIMT_INLINE void Load(It block_src_it, T (&dst_items)[N], int block_items_end, Default oob_default,
                          SIMT_HERE) {
        for (int k = 0; k < N; ++k) dst_items[k] = oob_default;
        load(block_src_it, dst_items, w, block_items_end);
    }

  private:
    template <class It, class... End>
    SIMT_INLINE void load(It from, T (&items)[N], [[maybe_unused]] ::simt::Where w, End... end) {
        const int thread = Threads::rank();
        if constexpr (by_warp) {
            LoadDirectWarpStriped(thread, from, items, end...);
            Exchange(storage_, w).WarpStripedToBlocked(items, items, w);
        } else if constexpr (by_block) {
            LoadDirectStriped<Threads::count>(thread, from, items, end...);
            Exchange(storage_, w).StripedToBlocked(items, items, w);
        } else if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED) {
            LoadDirectStriped<Threads::count>(thread, from, items, end...);
        } else {
            LoadDirectBlocked(thread, from, items, end...);
        }
    }

    TempStorage& storage_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
