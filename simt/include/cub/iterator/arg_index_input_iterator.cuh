// (index, value) of each element.
#pragma once

#include <cub/util_type.cuh>
#include <iterator>

#include "simt/groups/editor_begin.h"

namespace cub {

template <class InputIteratorT, class OffsetT = ptrdiff_t,
          class OutputValueT = typename std::iterator_traits<InputIteratorT>::value_type>
class ArgIndexInputIterator {
  public:
    using difference_type = OffsetT;
    using value_type = KeyValuePair<OffsetT, OutputValueT>;
    using pointer = value_type*;
    using reference = value_type;
    using iterator_category = std::random_access_iterator_tag;

    SIMT_INLINE ArgIndexInputIterator(InputIteratorT it, OffsetT offset = 0) : it_(it), offset_(offset) {}
    SIMT_INLINE reference operator*() const { return {offset_, it_[offset_]}; }
    template <class Distance>
    SIMT_INLINE reference operator[](Distance n) const {
        return *(*this + n);
    }
    template <class Distance>
    SIMT_INLINE ArgIndexInputIterator operator+(Distance n) const {
        return {it_, static_cast<OffsetT>(offset_ + static_cast<OffsetT>(n))};
    }
    SIMT_INLINE ArgIndexInputIterator& operator++() {
        ++offset_;
        return *this;
    }
    SIMT_INLINE bool operator==(const ArgIndexInputIterator& b) const { return offset_ == b.offset_; }
    SIMT_INLINE bool operator!=(const ArgIndexInputIterator& b) const { return offset_ != b.offset_; }

  private:
    InputIteratorT it_;
    OffsetT offset_;
};

}  // namespace cub

#include "simt/groups/editor_end.h"
