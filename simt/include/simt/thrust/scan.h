// Reductions and scans.
#pragma once

#include <thrust/system/detail/sequential/extrema.h>
#include <thrust/system/detail/sequential/find.h>
#include <thrust/system/detail/sequential/reduce.h>
#include <thrust/system/detail/sequential/reduce_by_key.h>
#include <thrust/system/detail/sequential/scan.h>
#include <thrust/system/detail/sequential/scan_by_key.h>

#include "run.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace on_machine {
namespace sequential = thrust::system::detail::sequential;
}

template <class Derived, class In, class T, class Function>
T reduce(execution_policy<Derived>& policy, In first, In last, T init, Function function) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return init;
    return on_machine::run_once(
        policy, "thrust::reduce", count, [begin = on_machine::raw(first), count, init, function] {
            thrust::detail::seq_t seq;
            return on_machine::sequential::reduce(seq, begin, begin + static_cast<std::ptrdiff_t>(count),
                                                  init, function);
        });
}

template <class Derived, class In, class Out, class Function>
Out inclusive_scan(execution_policy<Derived>& policy, In first, In last, Out result, Function function) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return result;
    on_machine::run_once(policy, "thrust::inclusive_scan", count,
                         [begin = on_machine::raw(first), to = on_machine::raw(result), count, function] {
                             thrust::detail::seq_t seq;
                             on_machine::sequential::inclusive_scan(
                                 seq, begin, begin + static_cast<std::ptrdiff_t>(count), to, function);
                             return 0;
                         });
    return result + static_cast<std::ptrdiff_t>(count);
}

template <class Derived, class In, class Out, class T, class Function>
Out exclusive_scan(execution_policy<Derived>& policy, In first, In last, Out result, T init,
                   Function function) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return result;
    on_machine::run_once(
        policy, "thrust::exclusive_scan", count,
        [begin = on_machine::raw(first), to = on_machine::raw(result), count, init, function] {
            thrust::detail::seq_t seq;
            on_machine::sequential::exclusive_scan(seq, begin, begin + static_cast<std::ptrdiff_t>(count), to,
                                                   init, function);
            return 0;
        });
    return result + static_cast<std::ptrdiff_t>(count);
}

template <class Derived, class Keys, class In, class Out, class Equal, class Function>
Out inclusive_scan_by_key(execution_policy<Derived>& policy, Keys first, Keys last, In values, Out result,
                          Equal equal, Function function) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return result;
    on_machine::run_once(policy, "thrust::inclusive_scan_by_key", count,
                         [keys = on_machine::raw(first), from = on_machine::raw(values),
                          to = on_machine::raw(result), count, equal, function] {
                             thrust::detail::seq_t seq;
                             on_machine::sequential::inclusive_scan_by_key(
                                 seq, keys, keys + static_cast<std::ptrdiff_t>(count), from, to, equal,
                                 function);
                             return 0;
                         });
    return result + static_cast<std::ptrdiff_t>(count);
}

template <class Derived, class Keys, class In, class Out, class T, class Equal, class Function>
Out exclusive_scan_by_key(execution_policy<Derived>& policy, Keys first, Keys last, In values, Out result,
                          T init, Equal equal, Function function) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return result;
    on_machine::run_once(policy, "thrust::exclusive_scan_by_key", count,
                         [keys = on_machine::raw(first), from = on_machine::raw(values),
                          to = on_machine::raw(result), count, init, equal, function] {
                             thrust::detail::seq_t seq;
                             on_machine::sequential::exclusive_scan_by_key(
                                 seq, keys, keys + static_cast<std::ptrdiff_t>(count), from, to, init, equal,
                                 function);
                             return 0;
                         });
    return result + static_cast<std::ptrdiff_t>(count);
}

template <class Derived, class Keys, class In, class KeysOut, class Out, class Equal, class Function>
thrust::pair<KeysOut, Out> reduce_by_key(execution_policy<Derived>& policy, Keys first, Keys last, In values,
                                         KeysOut keys_result, Out result, Equal equal, Function function) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return {keys_result, result};
    const std::ptrdiff_t groups = on_machine::run_once(
        policy, "thrust::reduce_by_key", count,
        [keys = on_machine::raw(first), from = on_machine::raw(values),
         keys_to = on_machine::raw(keys_result), to = on_machine::raw(result), count, equal, function] {
            thrust::detail::seq_t seq;
            const auto ends = on_machine::sequential::reduce_by_key(
                seq, keys, keys + static_cast<std::ptrdiff_t>(count), from, keys_to, to, equal, function);
            return static_cast<std::ptrdiff_t>(ends.first - keys_to);
        });
    return {keys_result + groups, result + groups};
}

template <class Derived, class In, class Predicate>
In find_if(execution_policy<Derived>& policy, In first, In last, Predicate predicate) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return last;
    return first +
           on_machine::run_once(policy, "thrust::find_if", count,
                                [begin = on_machine::raw(first), count,
                                 found = thrust::detail::wrapped_function<Predicate, bool>(predicate)] {
                                    std::ptrdiff_t i = 0;
                                    while (i < static_cast<std::ptrdiff_t>(count) && !found(*(begin + i)))
                                        ++i;
                                    return i;
                                });
}

template <class Derived, class In, class Less>
In min_element(execution_policy<Derived>& policy, In first, In last, Less less) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return last;
    return first + on_machine::run_once(
                       policy, "thrust::min_element", count, [begin = on_machine::raw(first), count, less] {
                           thrust::detail::seq_t seq;
                           return static_cast<std::ptrdiff_t>(
                               on_machine::sequential::min_element(
                                   seq, begin, begin + static_cast<std::ptrdiff_t>(count), less) -
                               begin);
                       });
}

template <class Derived, class In, class Less>
In max_element(execution_policy<Derived>& policy, In first, In last, Less less) {
    const std::size_t count = on_machine::count_of(first, last);
    if (count == 0) return last;
    return first + on_machine::run_once(
                       policy, "thrust::max_element", count, [begin = on_machine::raw(first), count, less] {
                           thrust::detail::seq_t seq;
                           return static_cast<std::ptrdiff_t>(
                               on_machine::sequential::max_element(
                                   seq, begin, begin + static_cast<std::ptrdiff_t>(count), less) -
                               begin);
                       });
}

template <class Derived, class In, class Less>
thrust::pair<In, In> minmax_element(execution_policy<Derived>& policy, In first, In last, Less less) {
    const In least = cuda_cub::min_element(policy, first, last, less);
    return {least, cuda_cub::max_element(policy, first, last, less)};
}

}  // namespace cuda_cub
THRUST_NAMESPACE_END
