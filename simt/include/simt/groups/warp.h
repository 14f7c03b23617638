// What groups of lanes are made of: sets of lanes as bit masks, and shuffles of values of any size among them.
#pragma once

#include <type_traits>
#include <utility>

#include "simt/abi.h"
#include "simt/cuda/barriers.h"
#include "simt/cuda/bits.h"
#include "simt/cuda/warp.h"

namespace simt::cuda::groups {

SIMT_INLINE unsigned count_of(unsigned lanes) {
    return static_cast<unsigned>(__builtin_popcount(lanes));
}
SIMT_INLINE unsigned first_of(unsigned lanes) {  // of no lanes: 32
    return lanes == 0 ? 32 : static_cast<unsigned>(__builtin_ctz(lanes));
}
// How many of `lanes` come before this one.
SIMT_INLINE unsigned rank_among(unsigned lanes) {
    return count_of(lanes & ((1u << ::simt::lane_index()) - 1));
}
// The lane that has `rank` among `lanes`; 32 where there are not so many.
SIMT_INLINE unsigned lane_of_rank(unsigned lanes, unsigned rank) {
    if (rank >= 32) return 32;
    for (; rank != 0; --rank) lanes &= lanes - 1;
    return first_of(lanes);
}
// Of `lanes`, those with ranks from `first` to `first` + `count` - 1.
SIMT_INLINE unsigned lanes_of_ranks(unsigned lanes, unsigned first, unsigned count) {
    unsigned chosen = 0;
    for (unsigned rank = 0; lanes != 0; ++rank, lanes &= lanes - 1)
        if (rank - first < count) chosen |= lanes & -lanes;
    return chosen;
}
// Bit i of the result is the bit of `set` that belongs to the lane of rank i.
SIMT_INLINE unsigned packed(unsigned lanes, unsigned set) {
    unsigned result = 0;
    for (unsigned rank = 0; lanes != 0; ++rank, lanes &= lanes - 1)
        if ((set & lanes & -lanes) != 0) result |= 1u << rank;
    return result;
}
// The lanes of the aligned tile of `size` lanes that this one is in.
SIMT_INLINE unsigned tile_lanes(unsigned size) {
    return (size == 32 ? ~0u : (1u << size) - 1) << (::simt::lane_index() & ~(size - 1));
}

template <size_t... I>
SIMT_INLINE void shuffle_words(uint64_t* words, unsigned mask, int argument, int width, Shuffle kind, Where w,
                               std::index_sequence<I...>) {
    ((words[I] = shuffle(mask, words[I], argument, width, kind, w)), ...);
}

// A shuffle as __shfl_sync and its kin do it, of any plain value.
template <class T>
SIMT_INLINE T shuffle_value(unsigned mask, T value, int argument, int width, Shuffle kind, Where w) {
    // The vector types have copy constructors of their own here, so that those cannot be ruled out.
    static_assert(
        std::is_trivially_destructible_v<T> && !std::is_polymorphic_v<T>,
        "Only values that can be copied byte by byte can be shuffled: no virtual functions, no destructor.");
    static_assert(sizeof(T) <= 32, "A value of more than 32 bytes cannot be shuffled: shuffle its members.");
    constexpr size_t words = (sizeof(T) + 7) / 8;
    uint64_t bits[words] = {};
    __builtin_memcpy(bits, static_cast<const void*>(&value), sizeof(T));
    shuffle_words(bits, mask, argument, width, kind, w, std::make_index_sequence<words>{});
    __builtin_memcpy(static_cast<void*>(&value), bits, sizeof(T));
    return value;
}

template <class T>
using plain = std::remove_cv_t<std::remove_reference_t<T>>;

// The bits that a match compares.
template <class T>
SIMT_INLINE uint64_t match_bits(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>,
                  "match_any and match_all compare numbers and pointers.");
    return to_bits(value);
}

// Stops the thread with an "assert" finding at the caller's line where `holds` is false.
SIMT_INLINE void demand(bool holds, const char* what, Where w) {
    if (!holds) ::simt::device_assert(what, w.file, static_cast<unsigned>(w.line), "cooperative_groups");
}

struct Parts {  // of a group of lanes
    unsigned lanes = 0;
    unsigned rank = 0, count = 1;  // among the groups that the same partition made
};
// Reads them from a group, which shows them to nobody else.
struct Access {
    template <class Group>
    SIMT_INLINE static unsigned lanes(const Group& group) {
        return group.lanes();
    }
};

}  // namespace simt::cuda::groups
