// Thrust's algorithms on the machine's device. Those that are not here (transform, fill, gather, count, ...) Thrust
// itself makes of these.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/system/cuda/detail/execution_policy.h>
#include <thrust/system/cuda/detail/par.h>

#include "filter.h"
#include "scan.h"
#include "sets.h"
#include "sort.h"
#include "values.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

template <class Derived, class Iterator, class Size, class Function>
Iterator for_each_n(execution_policy<Derived>& policy, Iterator first, Size count, Function function) {
    if (count <= 0) return first;
    on_machine::run_each(
        policy, "thrust::for_each", static_cast<std::size_t>(count),
        [data = on_machine::raw(first), call = thrust::detail::wrapped_function<Function, void>(function)](
            std::size_t i) mutable { call(*(data + static_cast<std::ptrdiff_t>(i))); });
    return first + count;
}
template <class Derived, class Iterator, class Function>
Iterator for_each(execution_policy<Derived>& policy, Iterator first, Iterator last, Function function) {
    return cuda_cub::for_each_n(policy, first, thrust::distance(first, last), function);
}

}  // namespace cuda_cub
THRUST_NAMESPACE_END
