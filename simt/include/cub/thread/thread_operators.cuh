// The operators that CUB had of its own before CUDA 13 (now they are cuda::std::plus, cuda::maximum and so on), and
// those that it still has.
#pragma once

#include <cub/util_type.cuh>
#include <cuda/functional>

#include "simt/groups/editor_begin.h"

namespace cub {

struct Sum {
    template <class A, class B>
    SIMT_INLINE auto operator()(const A& a, const B& b) const -> decltype(a + b) {
        return a + b;
    }
};
struct Difference {
    template <class A, class B>
    SIMT_INLINE auto operator()(const A& a, const B& b) const -> decltype(a - b) {
        return a - b;
    }
};
struct Division {
    template <class A, class B>
    SIMT_INLINE auto operator()(const A& a, const B& b) const -> decltype(a / b) {
        return a / b;
    }
};
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;
using Equality = ::cuda::std::equal_to<>;
using Inequality = ::cuda::std::not_equal_to<>;

// Of (index, value): the larger value; of equal ones the lower index.
struct ArgMax {
    template <class T, class OffsetT>
    SIMT_INLINE KeyValuePair<OffsetT, T> operator()(const KeyValuePair<OffsetT, T>& a,
                                                    const KeyValuePair<OffsetT, T>& b) const {
        return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class T, class OffsetT>
    SIMT_INLINE KeyValuePair<OffsetT, T> operator()(const KeyValuePair<OffsetT, T>& a,
                                                    const KeyValuePair<OffsetT, T>& b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

template <class B>
struct CastOp {
    template <class A>
    SIMT_INLINE B operator()(const A& a) const {
        return static_cast<B>(a);
    }
};

}  // namespace cub

#include "simt/groups/editor_end.h"
