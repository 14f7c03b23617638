#pragma once

#include <cub/util_type.cuh>
#include <iterator>

#include "simt/groups/editor_begin.h"

namespace cub {

// first, first + 1, ...
template <class ValueType, class OffsetT = ptrdiff_t>
class CountingInputIterator {
  public:
    using difference_type = OffsetT;
    using value_type = ValueType;
    using pointer = ValueType*;
    using reference = ValueType;
    using iterator_category = std::random_access_iterator_tag;

    SIMT_INLINE explicit CountingInputIterator(const ValueType& first) : value_(first) {}
    SIMT_INLINE reference operator*() const { return value_; }
    template <class Distance>
    SIMT_INLINE reference operator[](Distance n) const {
        return static_cast<ValueType>(value_ + static_cast<ValueType>(n));
    }
    template <class Distance>
    SIMT_INLINE CountingInputIterator operator+(Distance n) const {
        return CountingInputIterator((*this)[n]);
    }
    SIMT_INLINE CountingInputIterator& operator++() {
        ++value_;
        return *this;
    }
    SIMT_INLINE bool operator==(const CountingInputIterator& b) const { return value_ == b.value_; }
    SIMT_INLINE bool operator!=(const CountingInputIterator& b) const { return !(*this == b); }

  private:
    ValueType value_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
