// A block's threads write their items to a tile.
#pragma once

#include <cub/block/block_exchange.cuh>
#include <iterator>

#include "simt/cub/vectors.h"

#include "simt/groups/editor_begin.h"

namespace cub {

// ---- a thread's items, as functions ----

template <class T, int N, class It>
SIMT_INLINE void StoreDirectBlocked(int linear_tid, It block_itr, T (&items)[N]) {
    for (int k = 0; k < N; ++k) block_itr[linear_tid * N + k] = items[k];
}
template <class T, int N, class It>
SIMT_INLINE void StoreDirectBlocked(int linear_tid, It block_itr, T (&items)[N], int valid_items) {
    for (int k = 0; k < N; ++k)
        if (linear_tid * N + k < valid_items) block_itr[linear_tid * N + k] = items[k];
}
// In pieces of up to 16 bytes: the address must be a multiple of them.
template <class T, int N>
SIMT_INLINE void StoreDirectBlockedVectorized(int linear_tid, T* block_ptr, T (&items)[N]) {
    on_machine::copy_out_in_pieces(items, block_ptr + linear_tid * N);
}
template <int BLOCK_THREADS, class T, int N, class It>
SIMT_INLINE void StoreDirectStriped(int linear_tid, It block_itr, T (&items)[N]) {
    for (int k = 0; k < N; ++k) block_itr[linear_tid + k * BLOCK_THREADS] = items[k];
}
template <int BLOCK_THREADS, class T, int N, class It>
SIMT_INLINE void StoreDirectStriped(int linear_tid, It block_itr, T (&items)[N], int valid_items) {
    for (int k = 0; k < N; ++k)
        if (linear_tid + k * BLOCK_THREADS < valid_items)
            block_itr[linear_tid + k * BLOCK_THREADS] = items[k];
}
template <class T, int N, class It>
SIMT_INLINE void StoreDirectWarpStriped(int linear_tid, It block_itr, T (&items)[N]) {
    StoreDirectStriped<32>(linear_tid % 32, block_itr + linear_tid / 32 * 32 * N, items);
}
template <class T, int N, class It>
SIMT_INLINE void StoreDirectWarpStriped(int linear_tid, It block_itr, T (&items)[N], int valid_items) {
    const int first = linear_tid / 32 * 32 * N;
    StoreDirectStriped<32>(linear_tid % 32, block_itr + first, items, valid_items - first);
}

// ---- the block ----

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,  // the items are striped
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,  // exchanged, then written striped; a barrier must come before the storage is used again
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockStore {
    using Threads = on_machine::Threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr int N = ITEMS_PER_THREAD;
    static constexpr bool by_warp =
        ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE || ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED;
    static constexpr bool by_block = ALGORITHM == BLOCK_STORE_TRANSPOSE;
    static_assert(!by_warp || Threads::count % 32 == 0, "This algorithm takes whole warps.");
    using Exchange = BlockExchange<T, BLOCK_DIM_X, N, false, BLOCK_DIM_Y, BLOCK_DIM_Z>;

  public:
    using TempStorage =
        typename std::conditional_t<by_warp || by_block, Exchange, on_machine::WithoutRoom>::TempStorage;
    SIMT_INLINE explicit BlockStore(SIMT_HERE)
        : BlockStore(::simt::shared<TempStorage>("temp_storage", w, [] {}), w) {}
    SIMT_INLINE explicit BlockStore(TempStorage& temp_storage, SIMT_HERE) : storage_(temp_storage) {
        Threads::check("cub::BlockStore", w);
    }

    template <class It>
    SIMT_INLINE void Store(It block_itr, T (&items)[N], SIMT_HERE) {
        if constexpr (ALGORITHM == BLOCK_STORE_VECTORIZE && std::is_pointer_v<It>)
            StoreDirectBlockedVectorized(Threads::rank(), block_itr, items);
        else
            store(block_itr, items, w);
    }
    template <class It>
    SIMT_INLINE void Store(It block_itr, T (&items)[N], int valid_items, SIMT_HERE) {
        store(block_itr, items, w, valid_items);
    }

  private:
    template <class It, class... End>
    SIMT_INLINE void store(It to, T (&items)[N], [[maybe_unused]] ::simt::Where w, End... end) {
        const int thread = Threads::rank();
        if constexpr (by_warp) {
            Exchange(storage_, w).BlockedToWarpStriped(items, items, w);
            StoreDirectWarpStriped(thread, to, items, end...);
        } else if constexpr (by_block) {
            Exchange(storage_, w).BlockedToStriped(items, items, w);
            StoreDirectStriped<Threads::count>(thread, to, items, end...);
        } else if constexpr (ALGORITHM == BLOCK_STORE_STRIPED) {
            StoreDirectStriped<Threads::count>(thread, to, items, end...);
        } else {
            StoreDirectBlocked(thread, to, items, end...);
        }
    }

    TempStorage& storage_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
