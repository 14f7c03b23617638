// The operators that reductions and scans know by name. Any function of two values that returns a third does, too.
#pragma once

#include "simt/groups/partitions.h"

namespace cooperative_groups {

template <class T>
struct plus {
    SIMT_INLINE T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {  // the lesser of the two
    SIMT_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    SIMT_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    SIMT_INLINE T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    SIMT_INLINE T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    SIMT_INLINE T operator()(T a, T b) const { return a ^ b; }
};

}  // namespace cooperative_groups

namespace simt::cuda::groups {

// The instruction that reduces 4-byte integers by this operator at once.
struct ByInstruction {
    bool exists = false;
    Reduce kind{};
};
template <class Operator, class T>
constexpr ByInstruction by_instruction() {
    namespace cg = cooperative_groups;
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
        constexpr bool has_sign = std::is_signed_v<T>;
        if (std::is_same_v<Operator, cg::plus<T>>) return {true, has_sign ? Reduce::add_s : Reduce::add_u};
        if (std::is_same_v<Operator, cg::less<T>>) return {true, has_sign ? Reduce::min_s : Reduce::min_u};
        if (std::is_same_v<Operator, cg::greater<T>>) return {true, has_sign ? Reduce::max_s : Reduce::max_u};
        if (std::is_same_v<Operator, cg::bit_and<T>>) return {true, Reduce::bit_and};
        if (std::is_same_v<Operator, cg::bit_or<T>>) return {true, Reduce::bit_or};
        if (std::is_same_v<Operator, cg::bit_xor<T>>) return {true, Reduce::bit_xor};
    }
    return {};
}

// What comes in, in the order in which a GPU combines it: sums of floating-point numbers come out the same.
template <class T, class Group, class Operator>
SIMT_INLINE T scanned(const Group& group, T value, Operator&& combine, Where w) {
    const unsigned rank = group.thread_rank();
    for (unsigned step = 1; step < group.num_threads(); step *= 2) {
        const T other = group.shfl_up(value, step, w);
        if (step <= rank) value = combine(value, other);
    }
    return value;
}

template <class T, unsigned Size, class Parent, class Operator>
SIMT_INLINE T reduced(const cooperative_groups::thread_block_tile<Size, Parent>& tile, T value,
                      Operator&& combine, Where w) {
    for (unsigned step = Size / 2; step != 0; step /= 2)
        value = combine(value, tile.shfl_xor(value, step, w));
    return value;
}
template <class T, class Operator>
SIMT_INLINE T reduced(const cooperative_groups::coalesced_group& group, T value, Operator&& combine,
                      Where w) {
    if (group.num_threads() == 32)
        return reduced<T>(cooperative_groups::thread_block_tile<32>(Parts{}), value, combine, w);
    return group.shfl(scanned<T>(group, value, combine, w), static_cast<int>(group.num_threads()) - 1, w);
}

// Combines `value` with what an atomic object holds. Returns what it held.
template <class Atomic, class T, class Operator>
SIMT_INLINE T update(Atomic& target, T value, Operator&& combine) {
    T old = target.load();
    while (!target.compare_exchange_weak(old, combine(old, value))) {
    }
    return old;
}

}  // namespace simt::cuda::groups
