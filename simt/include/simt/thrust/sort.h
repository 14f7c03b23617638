// Stable merge sort of a range of the device, by one thread.
#pragma once

#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include "values.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace on_machine {

constexpr std::ptrdiff_t short_run = 8;  // is sorted by insertion

template <class Value, class Iterator, class Less>
void insertion_sort(Iterator data, std::ptrdiff_t begin, std::ptrdiff_t end, Less less) {
    for (std::ptrdiff_t i = begin + 1; i < end; ++i) {
        const Value value = data[i];
        std::ptrdiff_t j = i;
        for (; j > begin; --j) {
            const Value before = data[j - 1];
            if (!less(value, before)) break;
            data[j] = before;
        }
        data[j] = value;
    }
}

template <class Value, class Iterator, class Less>
void merge_runs(Iterator data, std::ptrdiff_t begin, std::ptrdiff_t middle, std::ptrdiff_t end, Value* room,
                Less less) {
    // The first run moves out of the way; what is then written never overtakes what is read.
    for (std::ptrdiff_t i = begin; i < middle; ++i)
        ::new (static_cast<void*>(room + (i - begin))) Value(data[i]);
    std::ptrdiff_t a = 0, b = middle, to = begin;
    const std::ptrdiff_t count = middle - begin;
    while (a < count && b < end) {
        const Value second = data[b];
        if (less(second, room[a])) {
            data[to++] = second;
            ++b;
        } else {
            data[to++] = room[a++];
        }
    }
    while (a < count) data[to++] = room[a++];
}

template <class Value, class Iterator, class Less>
void merge_sort(Iterator data, std::ptrdiff_t count, Value* room, Less less) {
    for (std::ptrdiff_t i = 0; i < count; i += short_run)
        insertion_sort<Value>(data, i, i + short_run < count ? i + short_run : count, less);
    for (std::ptrdiff_t run = short_run; run < count; run *= 2)
        for (std::ptrdiff_t i = 0; i + run < count; i += 2 * run)
            merge_runs(data, i, i + run, i + 2 * run < count ? i + 2 * run : count, room, less);
}

// Of (key, value): by the key.
template <class Less>
struct KeyLess {
    Less less;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
        return less(thrust::get<0>(a), thrust::get<0>(b));
    }
};

template <class Derived, class Iterator, class Less>
void sort_range(execution_policy<Derived>& policy, const char* name, Iterator first, std::size_t count,
                Less less) {
    using Value = typename thrust::iterator_traits<Iterator>::value_type;
    if (count < 2) return;
    const thrust::detail::wrapped_function<Less, bool> wrapped(less);
    const auto length = static_cast<std::ptrdiff_t>(count);
    if (::simt::in_kernel()) return insertion_sort<Value>(raw(first), 0, length, wrapped);
    const DeviceRoom<Value> room(count);
    std::size_t passes = 1;
    while ((count >> passes) != 0) ++passes;
    run_once(policy, name, count * passes, [data = raw(first), length, to = room.data(), wrapped] {
        merge_sort(data, length, to, wrapped);
        return 0;
    });
}

}  // namespace on_machine

template <class Derived, class Iterator, class Less>
void stable_sort(execution_policy<Derived>& policy, Iterator first, Iterator last, Less less) {
    on_machine::sort_range(policy, "thrust::sort", first, on_machine::count_of(first, last), less);
}

template <class Derived, class Keys, class Values, class Less>
void stable_sort_by_key(execution_policy<Derived>& policy, Keys first, Keys last, Values values, Less less) {
    const auto both =
        thrust::make_zip_iterator(thrust::make_tuple(on_machine::raw(first), on_machine::raw(values)));
    on_machine::sort_range(policy, "thrust::sort_by_key", both, on_machine::count_of(first, last),
                           on_machine::KeyLess<Less>{less});
}

}  // namespace cuda_cub
THRUST_NAMESPACE_END
