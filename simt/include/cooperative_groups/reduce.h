// Reductions over a group: all get the result.
#pragma once

#include "../cooperative_groups.h"

#include "simt/groups/editor_begin.h"

#include "simt/groups/operators.h"

namespace cooperative_groups {

template <class Group, class T, class Operator>
SIMT_INLINE auto reduce(const Group& group, T&& value, Operator&& combine, SIMT_HERE)
    -> decltype(combine(value, value)) {
    using namespace ::simt::cuda::groups;
    using Value = plain<T>;
    static_assert(is_in_a_warp<Group>, "reduce works on tiles and coalesced groups: divide the block first.");
    static_assert(std::is_same_v<Value, plain<decltype(combine(value, value))>>,
                  "The operator must return the type of the values that it combines.");
    constexpr ByInstruction instruction = by_instruction<plain<Operator>, Value>();
    if constexpr (instruction.exists) {
        return static_cast<Value>(::simt::cuda::reduce(::simt::cuda::groups::Access::lanes(group),
                                                       static_cast<unsigned>(value), instruction.kind, w));
    } else {
        return reduced<Value>(group, value, combine, w);
    }
}

// One thread stores the result. On a GPU the others may go on before it is there.
template <class Group, class T, class V, class Operator>
SIMT_INLINE void reduce_store_async(const Group& group, T* destination, V&& value, Operator&& combine,
                                    SIMT_HERE) {
    const T result = cooperative_groups::reduce(group, static_cast<T>(value), combine, w);
    if (group.thread_rank() == 0) *destination = result;
}
template <class Group, class Atomic, class V, class Operator>
SIMT_INLINE auto reduce_store_async(const Group& group, Atomic&& destination, V&& value, Operator&& combine,
                                    SIMT_HERE) -> decltype(destination.store(destination.load())) {
    const auto result = cooperative_groups::reduce(group, std::forward<V>(value), combine, w);
    if (group.thread_rank() == 0) destination.store(result);
}
// One thread combines the result with what an atomic object (cuda::atomic, cuda::atomic_ref) holds.
template <class Group, class Atomic, class V, class Operator>
SIMT_INLINE auto reduce_update_async(const Group& group, Atomic&& destination, V&& value, Operator&& combine,
                                     SIMT_HERE) -> decltype(destination.store(destination.load())) {
    const auto result = cooperative_groups::reduce(group, std::forward<V>(value), combine, w);
    if (group.thread_rank() == 0) ::simt::cuda::groups::update(destination, result, combine);
}

}  // namespace cooperative_groups

#include "simt/groups/editor_end.h"
