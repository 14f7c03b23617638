// Thrust: what keeps some of the elements, merging, sets, keys, searches, and iterators over several ranges. Each line of the
// output is worked out by the standard library or a loop of the host.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <vector>

int failures = 0;

void check(bool is_right, const char* what) {
    if (is_right) return;
    ++failures;
    std::printf("wrong: %s\n", what);
}

constexpr int n = 1000;

using Host = std::vector<int>;
using Device = thrust::device_vector<int>;

Host values() {
    Host h(n);
    for (int i = 0; i < n; ++i) h[i] = (i * 7919 + 13) % 1009;
    return h;
}

bool same(const Device& d, const Host& h) {
    const thrust::host_vector<int> back = d;
    return back.size() == h.size() && std::equal(h.begin(), h.end(), back.begin());
}
bool begins_with(const Device& d, Device::iterator end, const Host& h) {
    return same(Device(d.begin(), Device::const_iterator(end)), h);
}

struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct WeighPair {
    __host__ __device__ int operator()(const thrust::tuple<int, int>& t) const {
        return 10 * thrust::get<0>(t) + thrust::get<1>(t);
    }
};

void keeping() {
    const Host h = values();
    const Device d(h.begin(), h.end());
    Device kept(n);
    Host odd, even;
    for (int x : h) (IsOdd()(x) ? odd : even).push_back(x);
    check(begins_with(kept, thrust::copy_if(d.begin(), d.end(), kept.begin(), IsOdd()), odd), "copy_if");
    Device rest = d;
    rest.erase(thrust::remove_if(rest.begin(), rest.end(), IsOdd()), rest.end());
    check(same(rest, even), "remove_if");
    Device parted = d;
    const auto middle = thrust::stable_partition(parted.begin(), parted.end(), IsOdd());
    Host both = odd;
    both.insert(both.end(), even.begin(), even.end());
    check(same(parted, both) && middle - parted.begin() == static_cast<int>(odd.size()), "stable_partition");
    check(thrust::count_if(d.begin(), d.end(), IsOdd()) == static_cast<int>(odd.size()), "count_if");
    thrust::replace_if(parted.begin(), parted.end(), IsOdd(), -1);
    check(thrust::count(parted.begin(), parted.end(), -1) == static_cast<int>(odd.size()), "replace_if");
}

void runs() {
    Host h(n), firsts, from, lengths;
    for (int i = 0; i < n; ++i) h[i] = i * i / 5000;
    for (int i = 0; i < n; ++i) {
        if (i == 0 || h[i] != h[i - 1]) {
            firsts.push_back(h[i]);
            from.push_back(i);
            lengths.push_back(0);
        }
        ++lengths.back();
    }
    const Device d(h.begin(), h.end());
    Device keys(n), at(n);
    check(begins_with(keys, thrust::unique_copy(d.begin(), d.end(), keys.begin()), firsts), "unique_copy");
    keys = d;
    check(begins_with(keys, thrust::unique(keys.begin(), keys.end()), firsts), "unique");
    keys = d;
    thrust::sequence(at.begin(), at.end());
    const auto ends = thrust::unique_by_key(keys.begin(), keys.end(), at.begin());
    check(begins_with(keys, ends.first, firsts) && begins_with(at, ends.second, from), "unique_by_key");
    const auto sums = thrust::reduce_by_key(d.begin(), d.end(), thrust::constant_iterator<int>(1),
                                            keys.begin(), at.begin());
    check(begins_with(keys, sums.first, firsts) && begins_with(at, sums.second, lengths), "reduce_by_key");
    Host inclusive(n), exclusive(n);
    for (int i = 0; i < n; ++i) {
        const bool goes_on = i != 0 && h[i] == h[i - 1];
        exclusive[i] = goes_on ? inclusive[i - 1] : 0;
        inclusive[i] = exclusive[i] + i;
    }
    const thrust::counting_iterator<int> numbers(0);
    thrust::inclusive_scan_by_key(d.begin(), d.end(), numbers, at.begin());
    check(same(at, inclusive), "inclusive_scan_by_key");
    thrust::exclusive_scan_by_key(d.begin(), d.end(), numbers, at.begin());
    check(same(at, exclusive), "exclusive_scan_by_key");
    thrust::adjacent_difference(d.begin(), d.end(), at.begin());
    std::adjacent_difference(h.begin(), h.end(), inclusive.begin());
    check(same(at, inclusive), "adjacent_difference");
}

void sets() {
    Host a, b;
    for (int i = 0; i < n; ++i) {
        if (i % 2 == 0) a.push_back(i / 3);
        if (i % 3 != 0) b.push_back(i / 2);
    }
    const Device da(a.begin(), a.end()), db(b.begin(), b.end());
    Device to(a.size() + b.size());
    Host expected;
    const auto is_right = [&](Device::iterator end, const char* what) {
        check(begins_with(to, end, expected), what);
        expected.clear();
    };
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    is_right(thrust::merge(da.begin(), da.end(), db.begin(), db.end(), to.begin()), "merge");
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    is_right(thrust::set_union(da.begin(), da.end(), db.begin(), db.end(), to.begin()), "set_union");
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    is_right(thrust::set_intersection(da.begin(), da.end(), db.begin(), db.end(), to.begin()),
             "set_intersection");
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    is_right(thrust::set_difference(da.begin(), da.end(), db.begin(), db.end(), to.begin()),
             "set_difference");
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    is_right(thrust::set_symmetric_difference(da.begin(), da.end(), db.begin(), db.end(), to.begin()),
             "set_symmetric_difference");
}

void several_ranges() {
    const Host h = values();
    const Device d(h.begin(), h.end());
    Device other(n), result(n);
    thrust::sequence(other.begin(), other.end());
    const auto both = thrust::make_zip_iterator(thrust::make_tuple(d.begin(), other.begin()));
    thrust::transform(both, both + n, result.begin(), WeighPair());
    Host expected(n);
    for (int i = 0; i < n; ++i) expected[i] = 10 * h[i] + i;
    check(same(result, expected), "transform of a zip_iterator");
    check(thrust::reduce(thrust::make_transform_iterator(other.begin(), Square()),
                         thrust::make_transform_iterator(other.begin() + 100, Square())) == 328350,
          "reduce of a transform_iterator");
    Device backward(n);
    thrust::sequence(backward.begin(), backward.end(), n - 1, -1);
    thrust::copy_n(thrust::make_permutation_iterator(d.begin(), backward.begin()), n, result.begin());
    Host reversed(h.rbegin(), h.rend());
    check(same(result, reversed), "permutation_iterator");
    thrust::gather(backward.begin(), backward.end(), d.begin(), other.begin());
    check(same(other, reversed), "gather");
    thrust::scatter(d.begin(), d.end(), backward.begin(), other.begin());
    check(same(other, reversed), "scatter");
    thrust::reverse(other.begin(), other.end());
    check(thrust::equal(other.begin(), other.end(), d.begin()), "reverse and equal");
    check(thrust::inner_product(d.begin(), d.end(), other.begin(), 0LL) ==
              std::inner_product(h.begin(), h.end(), h.begin(), 0LL),
          "inner_product");
}

void searches() {
    Host h = values();
    Device d(h.begin(), h.end());
    check(thrust::max_element(d.begin(), d.end()) - d.begin() ==
              std::max_element(h.begin(), h.end()) - h.begin(),
          "max_element");
    const auto ends = thrust::minmax_element(d.begin(), d.end());
    check(*ends.first == *std::min_element(h.begin(), h.end()) &&
              *ends.second == *std::max_element(h.begin(), h.end()),
          "minmax_element");
    check(thrust::find(d.begin(), d.end(), h[700]) - d.begin() ==
              std::find(h.begin(), h.end(), h[700]) - h.begin(),
          "find");
    check(!thrust::all_of(d.begin(), d.end(), IsOdd()) && thrust::any_of(d.begin(), d.end(), IsOdd()),
          "any_of");
    thrust::sort(d.begin(), d.end());
    std::sort(h.begin(), h.end());
    check(thrust::is_sorted(d.begin(), d.end()), "is_sorted");
    check(thrust::lower_bound(d.begin(), d.end(), 500) - d.begin() ==
              std::lower_bound(h.begin(), h.end(), 500) - h.begin(),
          "lower_bound");
    const Host asked{0, 77, 500, 2000};
    const Device questions(asked.begin(), asked.end());
    Device answers(asked.size());
    thrust::upper_bound(d.begin(), d.end(), questions.begin(), questions.end(), answers.begin());
    Host expected;
    for (int x : asked)
        expected.push_back(static_cast<int>(std::upper_bound(h.begin(), h.end(), x) - h.begin()));
    check(same(answers, expected), "upper_bound of several");
}

int main() {
    keeping();
    runs();
    sets();
    several_ranges();
    searches();
    std::printf("done, %d failures\n", failures);
}
