// Groups within a warp: thread_block_tile and coalesced_group. Part of cooperative_groups.h.
#pragma once

#include "simt/groups/groups.h"

namespace cooperative_groups {

template <unsigned Size, class Parent = void>
class thread_block_tile;

// `Size` lanes that lie side by side in a warp.
template <unsigned Size>
class thread_block_tile<Size, void> : public thread_group {
    static_assert(Size != 0 && (Size & (Size - 1)) == 0, "A tile has 1, 2, 4, 8, 16 or 32 threads.");
    static_assert(
        Size <= 32,
        "The CPU machine has no tiles of several warps: use tiles of up to 32 threads, and shared memory "
        "between warps.");

  public:
    SIMT_INLINE explicit thread_block_tile(::simt::cuda::groups::Parts parts)
        : thread_group(Kind::lanes, parts) {}

    SIMT_INLINE static void sync(SIMT_HERE) { ::simt::cuda::warp_sync(mask(), w); }
    SIMT_INLINE static constexpr unsigned size() { return Size; }
    SIMT_INLINE static constexpr unsigned num_threads() { return Size; }
    SIMT_INLINE static unsigned thread_rank() { return ::simt::lane_index() & (Size - 1); }
    SIMT_INLINE unsigned meta_group_rank() const { return parts_.rank; }
    SIMT_INLINE unsigned meta_group_size() const { return parts_.count; }

    template <class T>
    SIMT_INLINE ::simt::cuda::groups::plain<T> shfl(T&& value, int rank, SIMT_HERE) const {
        return move<T>(value, rank, ::simt::Shuffle::index, w);
    }
    template <class T>
    SIMT_INLINE ::simt::cuda::groups::plain<T> shfl_up(T&& value, unsigned delta, SIMT_HERE) const {
        return move<T>(value, static_cast<int>(delta), ::simt::Shuffle::up, w);
    }
    template <class T>
    SIMT_INLINE ::simt::cuda::groups::plain<T> shfl_down(T&& value, unsigned delta, SIMT_HERE) const {
        return move<T>(value, static_cast<int>(delta), ::simt::Shuffle::down, w);
    }
    template <class T>
    SIMT_INLINE ::simt::cuda::groups::plain<T> shfl_xor(T&& value, unsigned lane_mask, SIMT_HERE) const {
        return move<T>(value, static_cast<int>(lane_mask), ::simt::Shuffle::exchange, w);
    }

    SIMT_INLINE int any(int predicate, SIMT_HERE) const { return __any_sync(mask(), predicate, w); }
    SIMT_INLINE int all(int predicate, SIMT_HERE) const { return __all_sync(mask(), predicate, w); }
    SIMT_INLINE unsigned ballot(int predicate, SIMT_HERE) const {
        return ranks_of(__ballot_sync(mask(), predicate, w));
    }
    template <class T>
    SIMT_INLINE unsigned match_any(T value, SIMT_HERE) const {
        return ranks_of(::simt::cuda::vote(mask(), ::simt::cuda::groups::match_bits(value),
                                           ::simt::Vote::match_any, nullptr, w));
    }
    template <class T>
    SIMT_INLINE unsigned match_all(T value, int& predicate, SIMT_HERE) const {
        int all = 0;
        const unsigned same = ::simt::cuda::vote(mask(), ::simt::cuda::groups::match_bits(value),
                                                 ::simt::Vote::match_all, &all, w);
        predicate = all;
        return ranks_of(same);
    }

  protected:
    friend struct ::simt::cuda::groups::Access;
    SIMT_INLINE static unsigned mask() { return ::simt::cuda::groups::tile_lanes(Size); }
    SIMT_INLINE unsigned lanes() const { return mask(); }
    SIMT_INLINE static unsigned ranks_of(unsigned set) { return set >> (::simt::lane_index() & ~(Size - 1)); }
    template <class T>
    SIMT_INLINE static ::simt::cuda::groups::plain<T> move(const T& value, int argument, ::simt::Shuffle kind,
                                                           ::simt::Where w) {
        return ::simt::cuda::groups::shuffle_value<::simt::cuda::groups::plain<T>>(
            mask(), value, argument, static_cast<int>(Size), kind, w);
    }
};

// The same; its type remembers what it is a part of.
template <unsigned Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
  public:
    using thread_block_tile<Size, void>::thread_block_tile;
};

// Lanes of a warp that are at one place together, or some that a partition took from them. They need not lie side by side.
class coalesced_group : public thread_group {
  public:
    SIMT_INLINE explicit coalesced_group(::simt::cuda::groups::Parts parts)
        : thread_group(Kind::lanes, parts) {}

    SIMT_INLINE void sync(SIMT_HERE) const { ::simt::cuda::warp_sync(lanes(), w); }
    SIMT_INLINE unsigned size() const { return num_threads(); }
    SIMT_INLINE unsigned num_threads() const { return ::simt::cuda::groups::count_of(lanes()); }
    SIMT_INLINE unsigned thread_rank() const { return ::simt::cuda::groups::rank_among(lanes()); }
    SIMT_INLINE unsigned meta_group_rank() const { return parts_.rank; }
    SIMT_INLINE unsigned meta_group_size() const { return parts_.count; }

    template <class T>
    SIMT_INLINE ::simt::cuda::groups::plain<T> shfl(T&& value, int rank, SIMT_HERE) const {
        return from_lane<T>(value, ::simt::cuda::groups::lane_of_rank(lanes(), static_cast<unsigned>(rank)),
                            w);
    }
    // Where no thread has that rank, a thread keeps its own value.
    template <class T>
    SIMT_INLINE ::simt::cuda::groups::plain<T> shfl_up(T&& value, unsigned delta, SIMT_HERE) const {
        return from_rank<T>(value, static_cast<unsigned long long>(thread_rank()) - delta, w);
    }
    template <class T>
    SIMT_INLINE ::simt::cuda::groups::plain<T> shfl_down(T&& value, unsigned delta, SIMT_HERE) const {
        return from_rank<T>(value, static_cast<unsigned long long>(thread_rank()) + delta, w);
    }

    SIMT_INLINE int any(int predicate, SIMT_HERE) const { return __any_sync(lanes(), predicate, w); }
    SIMT_INLINE int all(int predicate, SIMT_HERE) const { return __all_sync(lanes(), predicate, w); }
    SIMT_INLINE unsigned ballot(int predicate, SIMT_HERE) const {
        return ranks_of(__ballot_sync(lanes(), predicate, w));
    }
    template <class T>
    SIMT_INLINE unsigned match_any(T value, SIMT_HERE) const {
        return ranks_of(::simt::cuda::vote(lanes(), ::simt::cuda::groups::match_bits(value),
                                           ::simt::Vote::match_any, nullptr, w));
    }
    template <class T>
    SIMT_INLINE unsigned match_all(T value, int& predicate, SIMT_HERE) const {
        int all = 0;
        const unsigned same = ::simt::cuda::vote(lanes(), ::simt::cuda::groups::match_bits(value),
                                                 ::simt::Vote::match_all, &all, w);
        predicate = all;
        return ranks_of(same);
    }

  private:
    friend struct ::simt::cuda::groups::Access;
    SIMT_INLINE unsigned ranks_of(unsigned set) const { return ::simt::cuda::groups::packed(lanes(), set); }
    template <class T>
    SIMT_INLINE ::simt::cuda::groups::plain<T> from_lane(const T& value, unsigned lane,
                                                         ::simt::Where w) const {
        return ::simt::cuda::groups::shuffle_value<::simt::cuda::groups::plain<T>>(
            lanes(), value, static_cast<int>(lane), 32, ::simt::Shuffle::index, w);
    }
    template <class T>
    SIMT_INLINE ::simt::cuda::groups::plain<T> from_rank(const T& value, unsigned long long rank,
                                                         ::simt::Where w) const {
        const bool there = rank < num_threads();
        return from_lane<T>(value,
                            there ? ::simt::cuda::groups::lane_of_rank(lanes(), static_cast<unsigned>(rank))
                                  : ::simt::lane_index(),
                            w);
    }
};

SIMT_INLINE coalesced_group coalesced_threads(SIMT_HERE) {
    return coalesced_group({::simt::gathered_lanes(w), 0, 1});
}

}  // namespace cooperative_groups
