// Merging and set operations of sorted ranges.
#pragma once

#include <thrust/system/detail/sequential/merge.h>
#include <thrust/system/detail/sequential/set_operations.h>

#include "run.h"
#include "scan.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace on_machine {

// `operation(seq, first1, last1, first2, last2, result)` in one thread; returns how far the result reaches.
template <class Derived, class In1, class In2, class Out, class Operation>
Out combine(execution_policy<Derived>& policy, const char* name, In1 first1, In1 last1, In2 first2, In2 last2,
            Out result, Operation operation) {
    const std::size_t count1 = count_of(first1, last1), count2 = count_of(first2, last2);
    if (count1 + count2 == 0) return result;
    return result + run_once(policy, name, count1 + count2,
                             [a = raw(first1), b = raw(first2), to = raw(result), count1, count2, operation] {
                                 thrust::detail::seq_t seq;
                                 return static_cast<std::ptrdiff_t>(
                                     operation(seq, a, a + static_cast<std::ptrdiff_t>(count1), b,
                                               b + static_cast<std::ptrdiff_t>(count2), to) -
                                     to);
                             });
}

}  // namespace on_machine

// merge and the set operations differ in nothing but what they are called.
#define SIMT_COMBINES(operation)                                                                        \
    template <class Derived, class In1, class In2, class Out, class Less>                               \
    Out operation(execution_policy<Derived>& policy, In1 first1, In1 last1, In2 first2, In2 last2,      \
                  Out result, Less less) {                                                              \
        return on_machine::combine(policy, "thrust::" #operation, first1, last1, first2, last2, result, \
                                   [less](auto& seq, auto... ranges) {                                  \
                                       return on_machine::sequential::operation(seq, ranges..., less);  \
                                   });                                                                  \
    }
SIMT_COMBINES(merge)
SIMT_COMBINES(set_union)
SIMT_COMBINES(set_intersection)
SIMT_COMBINES(set_difference)
SIMT_COMBINES(set_symmetric_difference)
#undef SIMT_COMBINES

}  // namespace cuda_cub
THRUST_NAMESPACE_END
