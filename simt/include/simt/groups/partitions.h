// Groups made of groups. Part of cooperative_groups.h.
#pragma once

#include "simt/groups/tiles.h"

namespace simt::cuda::groups {

template <class Group>
inline constexpr unsigned most_threads = 0;  // of a group that tiled_partition<N> divides; 0: it does not
template <>
inline constexpr unsigned most_threads<cooperative_groups::thread_block> = 1024;
template <unsigned Size, class Parent>
inline constexpr unsigned most_threads<cooperative_groups::thread_block_tile<Size, Parent>> = Size;

SIMT_INLINE bool is_tile_size(unsigned size) {
    return size != 0 && size <= 32 && (size & (size - 1)) == 0;
}

template <class Group>
inline constexpr bool is_in_a_warp = false;
template <>
inline constexpr bool is_in_a_warp<cooperative_groups::coalesced_group> = true;
template <unsigned Size, class Parent>
inline constexpr bool is_in_a_warp<cooperative_groups::thread_block_tile<Size, Parent>> = true;

// Those of `lanes` that say the same, as one of two parts.
SIMT_INLINE cooperative_groups::coalesced_group split(unsigned lanes, bool predicate, Where w) {
    const unsigned yes = __ballot_sync(lanes, predicate, w);
    const unsigned no = lanes & ~yes;
    if (yes == 0 || no == 0) return cooperative_groups::coalesced_group({lanes, 0, 1});
    return cooperative_groups::coalesced_group({predicate ? yes : no, predicate, 2});
}

template <class Label>
SIMT_INLINE cooperative_groups::coalesced_group split_by_label(unsigned lanes, Label label, Where w) {
    static_assert(std::is_integral_v<Label> || std::is_pointer_v<Label>,
                  "labeled_partition tells threads apart by an integer or a pointer.");
    if constexpr (std::is_same_v<Label, bool>) {
        return split(lanes, label, w);
    } else {
        const unsigned same = vote(lanes, match_bits(label), Vote::match_any, nullptr, w);
        const unsigned first = first_of(same);
        const unsigned firsts = __ballot_sync(lanes, ::simt::lane_index() == first, w);
        return cooperative_groups::coalesced_group(
            {same, count_of(firsts & ((1u << first) - 1)), count_of(firsts)});
    }
}

}  // namespace simt::cuda::groups

namespace cooperative_groups {

template <unsigned Size, class Parent>
SIMT_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
    constexpr unsigned most = ::simt::cuda::groups::most_threads<Parent>;
    static_assert(most != 0,
                  "tiled_partition<N> divides a thread_block or a tile. Divide other groups with "
                  "tiled_partition(group, "
                  "n), where n is known when the program runs.");
    static_assert(most == 0 || Size < most, "A part of a tile must be smaller than the tile.");
    return thread_block_tile<Size, Parent>({::simt::cuda::groups::tile_lanes(Size),
                                            parent.thread_rank() / Size,
                                            (parent.num_threads() + Size - 1) / Size});
}

SIMT_INLINE coalesced_group tiled_partition(const coalesced_group& parent, unsigned size, SIMT_HERE) {
    using namespace ::simt::cuda::groups;
    demand(is_tile_size(size), "the size of a tile is 1, 2, 4, 8, 16 or 32", w);
    if (parent.num_threads() <= size) return parent;
    const unsigned rank = parent.thread_rank() / size;
    return coalesced_group({lanes_of_ranks(Access::lanes(parent), rank * size, size), rank,
                            (parent.num_threads() + size - 1) / size});
}
SIMT_INLINE thread_group tiled_partition(const thread_group& parent, unsigned size, SIMT_HERE) {
    using namespace ::simt::cuda::groups;
    demand(parent.kind_ != thread_group::Kind::grid, "a grid is not divided into tiles: divide its blocks",
           w);
    if (parent.kind_ == thread_group::Kind::lanes)
        return tiled_partition(coalesced_group(parent.parts_), size, w);
    demand(is_tile_size(size), "the size of a tile is 1, 2, 4, 8, 16 or 32", w);
    const unsigned rank = thread_block::thread_rank() / size, threads = thread_block::num_threads();
    const unsigned first = rank * size, here = threads - first < size ? threads - first : size;
    const unsigned lanes = (here == 32 ? ~0u : (1u << here) - 1) << (first & 31);
    return coalesced_group({lanes, rank, (threads + size - 1) / size});
}
SIMT_INLINE thread_group tiled_partition(const thread_block& parent, unsigned size, SIMT_HERE) {
    return tiled_partition(static_cast<const thread_group&>(parent), size, w);
}

SIMT_INLINE coalesced_group binary_partition(const coalesced_group& group, bool predicate, SIMT_HERE) {
    return ::simt::cuda::groups::split(::simt::cuda::groups::Access::lanes(group), predicate, w);
}
template <unsigned Size, class Parent>
SIMT_INLINE coalesced_group binary_partition(const thread_block_tile<Size, Parent>& tile, bool predicate,
                                             SIMT_HERE) {
    return ::simt::cuda::groups::split(::simt::cuda::groups::Access::lanes(tile), predicate, w);
}
template <class Label>
SIMT_INLINE coalesced_group labeled_partition(const coalesced_group& group, Label label, SIMT_HERE) {
    return ::simt::cuda::groups::split_by_label(::simt::cuda::groups::Access::lanes(group), label, w);
}
template <class Label, unsigned Size, class Parent>
SIMT_INLINE coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& tile, Label label,
                                              SIMT_HERE) {
    return ::simt::cuda::groups::split_by_label(::simt::cuda::groups::Access::lanes(tile), label, w);
}

SIMT_INLINE thread_block_tile<1> this_thread() {
    return thread_block_tile<1>({::simt::cuda::groups::tile_lanes(1), 0, 1});
}

// Some thread of the group calls `function`: here the first one; a program must not rely on which.
template <class Group, class Function, class... Arguments>
SIMT_INLINE void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
    if (group.thread_rank() == 0) std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}
// The same; all get what it returned. Nothing tells where the call stands: the number of its arguments is open.
template <class Group, class Function, class... Arguments>
SIMT_INLINE auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments)
    -> ::simt::cuda::groups::plain<
        decltype(std::forward<Function>(function)(std::forward<Arguments>(arguments)...))> {
    using Result = ::simt::cuda::groups::plain<decltype(std::forward<Function>(function)(
        std::forward<Arguments>(arguments)...))>;
    static_assert(::simt::cuda::groups::is_in_a_warp<Group>,
                  "invoke_one_broadcast works on tiles and coalesced groups.");
    static_assert(!std::is_void_v<Result>, "This function returns nothing to broadcast: use invoke_one.");
    Result result{};
    if (group.thread_rank() == 0)
        result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
    return group.shfl(result, 0, ::simt::Where{});
}

}  // namespace cooperative_groups
