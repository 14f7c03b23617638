// Iterators over what is worked out when it is read. CUDA 13's CUB leaves them to Thrust.
#pragma once

#include <cub/util_type.cuh>
#include <iterator>

#include "simt/groups/editor_begin.h"

namespace cub {

// conversion_op(it[i])
template <class ValueType, class ConversionOp, class InputIteratorT, class OffsetT = ptrdiff_t>
class TransformInputIterator {
  public:
    using difference_type = OffsetT;
    using value_type = ValueType;
    using pointer = ValueType*;
    using reference = ValueType;
    using iterator_category = std::random_access_iterator_tag;

    SIMT_INLINE TransformInputIterator(InputIteratorT it, ConversionOp conversion_op)
        : it_(it), conversion_op_(conversion_op) {}
    SIMT_INLINE reference operator*() const { return conversion_op_(*it_); }
    template <class Distance>
    SIMT_INLINE reference operator[](Distance n) const {
        return conversion_op_(it_[n]);
    }
    template <class Distance>
    SIMT_INLINE TransformInputIterator operator+(Distance n) const {
        return {it_ + n, conversion_op_};
    }
    SIMT_INLINE TransformInputIterator& operator++() {
        ++it_;
        return *this;
    }
    SIMT_INLINE bool operator==(const TransformInputIterator& b) const { return it_ == b.it_; }
    SIMT_INLINE bool operator!=(const TransformInputIterator& b) const { return !(*this == b); }

  private:
    InputIteratorT it_;
    ConversionOp conversion_op_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
