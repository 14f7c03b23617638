// Keys as bits whose order is that of the keys, as radix sorts need them.
#pragma once

#include "simt/cub/basics.h"

#include "simt/groups/editor_begin.h"

namespace cub::on_machine {

template <size_t bytes>
using UnsignedOf = std::conditional_t<
    bytes == 1, uint8_t,
    std::conditional_t<bytes == 2, uint16_t, std::conditional_t<bytes == 4, uint32_t, uint64_t>>>;

// -0.0 and 0.0 are the same.
template <class Key>
SIMT_INLINE auto ordered_bits(Key key) {
    using Bits = UnsignedOf<sizeof(Key)>;
    constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Key) - 1));
    static_assert(std::is_arithmetic_v<Key> || std::is_enum_v<Key>,
                  "The CPU machine's radix sorts take numbers as keys: sort others with a comparison.");
    if constexpr (std::is_floating_point_v<Key>)
        if (key == Key{0}) key = Key{0};
    Bits bits;
    __builtin_memcpy(&bits, &key, sizeof key);
    if constexpr (std::is_floating_point_v<Key>)
        return static_cast<Bits>((bits & sign) != 0 ? ~bits : bits | sign);
    else if constexpr (std::is_signed_v<Key>)
        return static_cast<Bits>(bits ^ sign);
    else
        return bits;
}

// `width` bits of the key from `bit` on; descending: of what sorts the other way round.
template <bool descending, class Key>
SIMT_INLINE int digit_of(Key key, int bit, int width) {
    auto bits = ordered_bits(key);
    if (descending) bits = static_cast<decltype(bits)>(~bits);
    return static_cast<int>((bits >> bit) & ((1u << width) - 1));
}

}  // namespace cub::on_machine

#include "simt/groups/editor_end.h"
