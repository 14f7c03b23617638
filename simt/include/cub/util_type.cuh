// NullType, KeyValuePair and DoubleBuffer.
#pragma once

#include <cub/config.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

// Stands where there are no values beside the keys.
struct NullType {
    bool operator==(const NullType&) const { return true; }
    bool operator!=(const NullType&) const { return false; }
};

template <int value>
using Int2Type = std::integral_constant<int, value>;

template <class KeyT, class ValueT>
struct KeyValuePair {
    using Key = KeyT;
    using Value = ValueT;
    Key key;
    Value value;
    KeyValuePair() = default;
    SIMT_INLINE KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}
    SIMT_INLINE bool operator==(const KeyValuePair& b) const { return key == b.key && value == b.value; }
    SIMT_INLINE bool operator!=(const KeyValuePair& b) const { return !(*this == b); }
};

// Two buffers of which one is in use. A sort may leave its result in either, and says so in `selector`.
template <class T>
struct DoubleBuffer {
    T* d_buffers[2] = {nullptr, nullptr};
    int selector = 0;
    DoubleBuffer() = default;
    SIMT_INLINE DoubleBuffer(T* d_current, T* d_alternate) : d_buffers{d_current, d_alternate} {}
    SIMT_INLINE T* Current() { return d_buffers[selector]; }
    SIMT_INLINE T* Alternate() { return d_buffers[selector ^ 1]; }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
