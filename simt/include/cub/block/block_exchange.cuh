// Values that change places within a block. "Blocked": thread t has items t * N, t * N + 1, ...; "striped": t, t + threads,
// ...; "warp-striped": striped within each warp's part.
#pragma once

#include <cub/util_type.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

// A barrier must come before the storage is used again. The input may be the output.
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockExchange {
    using Threads = on_machine::Threads<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr int N = ITEMS_PER_THREAD;

  public:
    struct TempStorage {
        on_machine::Room<T, Threads::count * N> items;
    };
    SIMT_INLINE explicit BlockExchange(SIMT_HERE)
        : BlockExchange(::simt::shared<TempStorage>("temp_storage", w, [] {}), w) {}
    SIMT_INLINE explicit BlockExchange(TempStorage& temp_storage, SIMT_HERE) : storage_(temp_storage) {
        Threads::check("cub::BlockExchange", w);
    }

    template <class Out>
    SIMT_INLINE void StripedToBlocked(const T (&input_items)[N], Out (&output_items)[N], SIMT_HERE) {
        put(input_items, striped, w);
        take(output_items, blocked);
    }
    template <class Out>
    SIMT_INLINE void BlockedToStriped(const T (&input_items)[N], Out (&output_items)[N], SIMT_HERE) {
        put(input_items, blocked, w);
        take(output_items, striped);
    }
    template <class Out>
    SIMT_INLINE void WarpStripedToBlocked(const T (&input_items)[N], Out (&output_items)[N], SIMT_HERE) {
        put_in_warp(input_items, warp_striped, w);
        take(output_items, blocked);
    }
    template <class Out>
    SIMT_INLINE void BlockedToWarpStriped(const T (&input_items)[N], Out (&output_items)[N], SIMT_HERE) {
        put_in_warp(input_items, blocked, w);
        take(output_items, warp_striped);
    }
    // Item k goes to place ranks[k].
    template <class Out, class OffsetT>
    SIMT_INLINE void ScatterToBlocked(const T (&input_items)[N], Out (&output_items)[N], OffsetT (&ranks)[N],
                                      SIMT_HERE) {
        put(input_items, ByRank<OffsetT>{ranks}, w);
        take(output_items, blocked);
    }
    template <class Out, class OffsetT>
    SIMT_INLINE void ScatterToStriped(const T (&input_items)[N], Out (&output_items)[N], OffsetT (&ranks)[N],
                                      SIMT_HERE) {
        put(input_items, ByRank<OffsetT>{ranks}, w);
        take(output_items, striped);
    }

    SIMT_INLINE void StripedToBlocked(T (&items)[N], SIMT_HERE) { StripedToBlocked(items, items, w); }
    SIMT_INLINE void BlockedToStriped(T (&items)[N], SIMT_HERE) { BlockedToStriped(items, items, w); }
    SIMT_INLINE void WarpStripedToBlocked(T (&items)[N], SIMT_HERE) { WarpStripedToBlocked(items, items, w); }
    SIMT_INLINE void BlockedToWarpStriped(T (&items)[N], SIMT_HERE) { BlockedToWarpStriped(items, items, w); }
    template <class OffsetT>
    SIMT_INLINE void ScatterToBlocked(T (&items)[N], OffsetT (&ranks)[N], SIMT_HERE) {
        ScatterToBlocked(items, items, ranks, w);
    }
    template <class OffsetT>
    SIMT_INLINE void ScatterToStriped(T (&items)[N], OffsetT (&ranks)[N], SIMT_HERE) {
        ScatterToStriped(items, items, ranks, w);
    }

  private:
    SIMT_INLINE static int blocked(int k) { return Threads::rank() * N + k; }
    SIMT_INLINE static int striped(int k) { return Threads::rank() + Threads::count * k; }
    // The last warp may have fewer threads.
    SIMT_INLINE static int warp_striped(int k) {
        const int thread = Threads::rank(), first = thread / 32 * 32;
        const int lanes = Threads::count - first < 32 ? Threads::count - first : 32;
        return first * N + (thread - first) + lanes * k;
    }
    template <class OffsetT>
    struct ByRank {
        OffsetT (&ranks)[N];
        SIMT_INLINE int operator()(int k) const { return static_cast<int>(ranks[k]); }
    };

    template <class Place>
    SIMT_INLINE void place_all(const T (&items)[N], const Place& place) {
        for (int k = 0; k < N; ++k) storage_.items[place(k)] = items[k];
    }
    template <class Place>
    SIMT_INLINE void put(const T (&items)[N], const Place& place, ::simt::Where w) {
        place_all(items, place);
        on_machine::meet("barrier in cub::BlockExchange", w);
    }
    template <class Place>
    SIMT_INLINE void put_in_warp(const T (&items)[N], const Place& place, ::simt::Where w) {
        place_all(items, place);
        ::simt::cuda::warp_sync(on_machine::lanes_here<32>().mask, w);
    }
    template <class Out, class Place>
    SIMT_INLINE void take(Out (&items)[N], const Place& place) {
        for (int k = 0; k < N; ++k) items[k] = storage_.items[place(k)];
    }

    TempStorage& storage_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
