// What keeps some of the elements: copy_if and unique. (remove_if and partition are made of copy_if.)
#pragma once

#include <thrust/system/detail/sequential/copy_if.h>
#include <thrust/system/detail/sequential/unique.h>
#include <thrust/system/detail/sequential/unique_by_key.h>

#include "run.h"
#include "scan.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

template <class Derived, class In, class Stencil, class Out, class Predicate>
Out copy_if(execution_policy<Derived>& policy, In first, In last, Stencil stencil, Out result,
            Predicate predicate) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return result;
    return result + on_machine::run_once(policy, "thrust::copy_if", count,
                                         [begin = on_machine::raw(first), asked = on_machine::raw(stencil),
                                          to = on_machine::raw(result), count, predicate] {
                                             thrust::detail::seq_t seq;
                                             return static_cast<std::ptrdiff_t>(
                                                 on_machine::sequential::copy_if(
                                                     seq, begin, begin + static_cast<std::ptrdiff_t>(count),
                                                     asked, to, predicate) -
                                                 to);
                                         });
}
template <class Derived, class In, class Out, class Predicate>
Out copy_if(execution_policy<Derived>& policy, In first, In last, Out result, Predicate predicate) {
    return cuda_cub::copy_if(policy, first, last, first, result, predicate);
}

template <class Derived, class In, class Out, class Equal>
Out unique_copy(execution_policy<Derived>& policy, In first, In last, Out result, Equal equal) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return result;
    return result + on_machine::run_once(
                        policy, "thrust::unique", count,
                        [begin = on_machine::raw(first), to = on_machine::raw(result), count, equal] {
                            thrust::detail::seq_t seq;
                            return static_cast<std::ptrdiff_t>(
                                on_machine::sequential::unique_copy(
                                    seq, begin, begin + static_cast<std::ptrdiff_t>(count), to, equal) -
                                to);
                        });
}
template <class Derived, class Iterator, class Equal>
Iterator unique(execution_policy<Derived>& policy, Iterator first, Iterator last, Equal equal) {
    return cuda_cub::unique_copy(policy, first, last, first, equal);
}
template <class Derived, class Iterator, class Equal>
typename thrust::iterator_traits<Iterator>::difference_type unique_count(execution_policy<Derived>& policy,
                                                                         Iterator first, Iterator last,
                                                                         Equal equal) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return 0;
    return on_machine::run_once(policy, "thrust::unique_count", count,
                                [begin = on_machine::raw(first), count, equal] {
                                    thrust::detail::seq_t seq;
                                    return static_cast<std::ptrdiff_t>(on_machine::sequential::unique_count(
                                        seq, begin, begin + static_cast<std::ptrdiff_t>(count), equal));
                                });
}

template <class Derived, class Keys, class In, class KeysOut, class Out, class Equal>
thrust::pair<KeysOut, Out> unique_by_key_copy(execution_policy<Derived>& policy, Keys first, Keys last,
                                              In values, KeysOut keys_result, Out result, Equal equal) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return {keys_result, result};
    const std::ptrdiff_t kept = on_machine::run_once(
        policy, "thrust::unique_by_key", count,
        [keys = on_machine::raw(first), from = on_machine::raw(values),
         keys_to = on_machine::raw(keys_result), to = on_machine::raw(result), count, equal] {
            thrust::detail::seq_t seq;
            const auto ends = on_machine::sequential::unique_by_key_copy(
                seq, keys, keys + static_cast<std::ptrdiff_t>(count), from, keys_to, to, equal);
            return static_cast<std::ptrdiff_t>(ends.first - keys_to);
        });
    return {keys_result + kept, result + kept};
}
template <class Derived, class Keys, class Values, class Equal>
thrust::pair<Keys, Values> unique_by_key(execution_policy<Derived>& policy, Keys first, Keys last,
                                         Values values, Equal equal) {
    return cuda_cub::unique_by_key_copy(policy, first, last, values, first, values, equal);
}

}  // namespace cuda_cub
THRUST_NAMESPACE_END
