// Scans over a group, in the order of its ranks.
#pragma once

#include "../cooperative_groups.h"

#include "simt/groups/editor_begin.h"

#include "simt/groups/operators.h"

namespace simt::cuda::groups {

template <class Group, class T>
constexpr void check_scan() {
    static_assert(is_in_a_warp<Group>, "Scans work on tiles and coalesced groups: divide the block first.");
}

// What an inclusive scan gave, as the exclusive one has it. The first thread gets T{}.
template <class T, class Group, class Operator>
SIMT_INLINE T without_own(const Group& group, T inclusive, T own, const Operator&, Where w) {
    if constexpr (std::is_integral_v<T> && std::is_same_v<Operator, cooperative_groups::plus<T>>) {
        return static_cast<T>(inclusive - own);
    } else {
        const T before = group.shfl_up(inclusive, 1, w);
        return group.thread_rank() == 0 ? T{} : before;
    }
}

}  // namespace simt::cuda::groups

namespace cooperative_groups {

template <class Group, class T, class Operator>
SIMT_INLINE auto inclusive_scan(const Group& group, T&& value, Operator&& combine, SIMT_HERE)
    -> decltype(combine(value, value)) {
    using Value = ::simt::cuda::groups::plain<T>;
    ::simt::cuda::groups::check_scan<Group, Value>();
    return ::simt::cuda::groups::scanned<Value>(group, value, combine, w);
}
template <class Group, class T>
SIMT_INLINE ::simt::cuda::groups::plain<T> inclusive_scan(const Group& group, T&& value, SIMT_HERE) {
    return inclusive_scan(group, value, plus<::simt::cuda::groups::plain<T>>{}, w);
}

template <class Group, class T, class Operator>
SIMT_INLINE auto exclusive_scan(const Group& group, T&& value, Operator&& combine, SIMT_HERE)
    -> decltype(combine(value, value)) {
    using Value = ::simt::cuda::groups::plain<T>;
    const Value inclusive = inclusive_scan(group, value, combine, w);
    return ::simt::cuda::groups::without_own<Value>(group, inclusive, value, combine, w);
}
template <class Group, class T>
SIMT_INLINE ::simt::cuda::groups::plain<T> exclusive_scan(const Group& group, T&& value, SIMT_HERE) {
    return exclusive_scan(group, value, plus<::simt::cuda::groups::plain<T>>{}, w);
}

// A scan that goes on from what an atomic object (cuda::atomic, cuda::atomic_ref) held, and leaves the total there.
template <class Group, class Atomic, class T, class Operator>
SIMT_INLINE auto inclusive_scan_update(const Group& group, Atomic&& total, T&& value, Operator&& combine,
                                       SIMT_HERE) -> decltype(combine(value, value)) {
    using Value = ::simt::cuda::groups::plain<T>;
    const Value inclusive = inclusive_scan(group, value, combine, w);
    const unsigned last = group.num_threads() - 1;
    Value before{};
    if (group.thread_rank() == last) before = ::simt::cuda::groups::update(total, inclusive, combine);
    return combine(group.shfl(before, static_cast<int>(last), w), inclusive);
}
template <class Group, class Atomic, class T>
SIMT_INLINE auto inclusive_scan_update(const Group& group, Atomic&& total, T&& value, SIMT_HERE)
    -> decltype(total.load()) {
    return inclusive_scan_update(group, total, value, plus<::simt::cuda::groups::plain<T>>{}, w);
}
template <class Group, class Atomic, class T, class Operator>
SIMT_INLINE auto exclusive_scan_update(const Group& group, Atomic&& total, T&& value, Operator&& combine,
                                       SIMT_HERE) -> decltype(combine(value, value)) {
    using Value = ::simt::cuda::groups::plain<T>;
    const Value inclusive = inclusive_scan(group, value, combine, w);
    const unsigned last = group.num_threads() - 1;
    Value before{};
    if (group.thread_rank() == last) before = ::simt::cuda::groups::update(total, inclusive, combine);
    before = group.shfl(before, static_cast<int>(last), w);
    return combine(before, ::simt::cuda::groups::without_own<Value>(group, inclusive, value, combine, w));
}
template <class Group, class Atomic, class T>
SIMT_INLINE auto exclusive_scan_update(const Group& group, Atomic&& total, T&& value, SIMT_HERE)
    -> decltype(total.load()) {
    return exclusive_scan_update(group, total, value, plus<::simt::cuda::groups::plain<T>>{}, w);
}

}  // namespace cooperative_groups

#include "simt/groups/editor_end.h"
