#pragma once

#include <cub/util_type.cuh>
#include <iterator>

#include "simt/groups/editor_begin.h"

namespace cub {

// The same value everywhere.
template <class ValueType, class OffsetT = ptrdiff_t>
class ConstantInputIterator {
  public:
    using difference_type = OffsetT;
    using value_type = ValueType;
    using pointer = ValueType*;
    using reference = ValueType;
    using iterator_category = std::random_access_iterator_tag;

    SIMT_INLINE explicit ConstantInputIterator(const ValueType& value, OffsetT offset = 0)
        : value_(value), offset_(offset) {}
    SIMT_INLINE reference operator*() const { return value_; }
    template <class Distance>
    SIMT_INLINE reference operator[](Distance) const {
        return value_;
    }
    template <class Distance>
    SIMT_INLINE ConstantInputIterator operator+(Distance n) const {
        return ConstantInputIterator(value_, static_cast<OffsetT>(offset_ + static_cast<OffsetT>(n)));
    }
    SIMT_INLINE ConstantInputIterator& operator++() {
        ++offset_;
        return *this;
    }
    SIMT_INLINE bool operator==(const ConstantInputIterator& b) const { return offset_ == b.offset_; }
    SIMT_INLINE bool operator!=(const ConstantInputIterator& b) const { return !(*this == b); }

  private:
    ValueType value_;
    OffsetT offset_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
