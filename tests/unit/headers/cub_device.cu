// CUB's functions for whole ranges of device memory. What each must give is worked out by a loop of the host.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

int failures = 0;

void check(bool is_right, const char* what) {
    if (is_right) return;
    ++failures;
    std::printf("wrong: %s\n", what);
}

// An array on the device.
template <class T>
struct Array {
    T* data = nullptr;
    size_t count;
    explicit Array(size_t n) : count(n) { cudaMalloc(&data, std::max<size_t>(n, 1) * sizeof(T)); }
    explicit Array(const std::vector<T>& from) : Array(from.size()) {
        cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Array() { cudaFree(data); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    std::vector<T> now(size_t n) const {
        std::vector<T> copy(n);
        cudaMemcpy(copy.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
        return copy;
    }
    std::vector<T> now() const { return now(count); }
};

// Asks for the size, then runs.
template <class Call>
void run(const char* what, Call call) {
    size_t bytes = 0;
    check(call(nullptr, bytes) == cudaSuccess && bytes != 0, what);
    void* storage = nullptr;
    cudaMalloc(&storage, bytes);
    check(call(storage, bytes) == cudaSuccess, what);
    check(cudaDeviceSynchronize() == cudaSuccess, what);
    cudaFree(storage);
}

std::vector<int> values(int n) {
    std::vector<int> all(n);
    for (int i = 0; i < n; ++i) all[i] = (i * 7919 + 13) % 1009 - 300;
    return all;
}

struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Square {
    __host__ __device__ long long operator()(int x) const { return static_cast<long long>(x) * x; }
};
struct AddOne {
    __device__ void operator()(int& x) const { x += 1; }
};
struct SetIndex {
    int* to;
    __device__ void operator()(int i) const { to[i] = 3 * i; }
};

void reductions(int n) {
    const std::vector<int> h = values(n);
    const Array<int> in(h), out(4);
    run("Sum", [&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, in.data, out.data, n); });
    run("Min", [&](void* t, size_t& b) { return cub::DeviceReduce::Min(t, b, in.data, out.data + 1, n); });
    run("Max", [&](void* t, size_t& b) { return cub::DeviceReduce::Max(t, b, in.data, out.data + 2, n); });
    run("Reduce", [&](void* t, size_t& b) {
        return cub::DeviceReduce::Reduce(t, b, in.data, out.data + 3, n, Larger(), 500);
    });
    const auto [least, most] = std::minmax_element(h.begin(), h.end());
    const std::vector<int> results = out.now();
    check(results[0] == std::accumulate(h.begin(), h.end(), 0) && results[1] == *least &&
              results[2] == *most && results[3] == std::max(500, *most),
          "DeviceReduce");
    const Array<long long> squares(1), index(1);
    run("TransformReduce", [&](void* t, size_t& b) {
        return cub::DeviceReduce::TransformReduce(t, b, in.data, squares.data, n, cuda::std::plus<>(),
                                                  Square(), 0LL);
    });
    long long sum = 0;
    for (int x : h) sum += Square()(x);
    check(squares.now()[0] == sum, "TransformReduce");
    const Array<int> value(1);
    run("ArgMax", [&](void* t, size_t& b) {
        return cub::DeviceReduce::ArgMax(t, b, in.data, value.data, index.data, n);
    });
    check(value.now()[0] == *most && index.now()[0] == std::max_element(h.begin(), h.end()) - h.begin(),
          "ArgMax");
    run("ArgMin", [&](void* t, size_t& b) {
        return cub::DeviceReduce::ArgMin(t, b, in.data, value.data, index.data, n);
    });
    check(value.now()[0] == *least && index.now()[0] == least - h.begin(), "ArgMin");
}

void nothing() {
    const Array<int> in(1), out(std::vector<int>{7});
    run("Sum of nothing",
        [&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, in.data, out.data, 0); });
    check(out.now()[0] == 0, "a sum of nothing");
}

void segments() {
    const std::vector<int> h = values(1000), offsets{0, 10, 10, 700, 1000};
    const Array<int> in(h), at(offsets), out(4);
    run("segments", [&](void* t, size_t& b) {
        return cub::DeviceSegmentedReduce::Sum(t, b, in.data, out.data, 4, at.data, at.data + 1);
    });
    std::vector<int> expected;
    for (int s = 0; s < 4; ++s)
        expected.push_back(std::accumulate(h.begin() + offsets[s], h.begin() + offsets[s + 1], 0));
    check(out.now() == expected, "DeviceSegmentedReduce");
}

void scans(int n) {
    const std::vector<int> h = values(n);
    const Array<int> in(h), out(n);
    std::vector<int> exclusive(n), inclusive(n), largest(n), from_5(n);
    for (int i = 0, sum = 0, most = -1000, most_5 = 5; i < n; ++i) {
        exclusive[i] = sum;
        from_5[i] = most_5;
        inclusive[i] = sum += h[i];
        largest[i] = most = Larger()(most, h[i]);
        most_5 = Larger()(most_5, h[i]);
    }
    run("ExclusiveSum",
        [&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, in.data, out.data, n); });
    check(out.now() == exclusive, "ExclusiveSum");
    run("InclusiveScan", [&](void* t, size_t& b) {
        return cub::DeviceScan::InclusiveScan(t, b, in.data, out.data, Larger(), n);
    });
    check(out.now() == largest, "InclusiveScan");
    run("ExclusiveScan", [&](void* t, size_t& b) {
        return cub::DeviceScan::ExclusiveScan(t, b, in.data, out.data, Larger(), 5, n);
    });
    check(out.now() == from_5, "ExclusiveScan");
    run("InclusiveSum",
        [&](void* t, size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, in.data, in.data, n); });
    check(in.now() == inclusive, "InclusiveSum in place");
}

void selections(int n) {
    const std::vector<int> h = values(n);
    std::vector<char> flags(n);
    std::vector<int> odd, flagged, runs(n), firsts, lengths;
    for (int i = 0; i < n; ++i) {
        flags[i] = i % 3 == 0;
        if (h[i] % 2 != 0) odd.push_back(h[i]);
        if (flags[i] != 0) flagged.push_back(h[i]);
        runs[i] = i * i / 1000;
        if (i == 0 || runs[i] != runs[i - 1]) firsts.push_back(runs[i]), lengths.push_back(0);
        ++lengths.back();
    }
    const Array<int> in(h), out(n), number(1), of_runs(runs), counts(n);
    const Array<char> marks(flags);
    run("If", [&](void* t, size_t& b) {
        return cub::DeviceSelect::If(t, b, in.data, out.data, number.data, n, IsOdd());
    });
    check(number.now()[0] == static_cast<int>(odd.size()) && out.now(odd.size()) == odd, "DeviceSelect::If");
    run("Flagged", [&](void* t, size_t& b) {
        return cub::DeviceSelect::Flagged(t, b, in.data, marks.data, out.data, number.data, n);
    });
    check(number.now()[0] == static_cast<int>(flagged.size()) && out.now(flagged.size()) == flagged,
          "Flagged");
    run("If in place",
        [&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, in.data, number.data, n, IsOdd()); });
    check(number.now()[0] == static_cast<int>(odd.size()) && in.now(odd.size()) == odd, "If in place");
    run("Unique", [&](void* t, size_t& b) {
        return cub::DeviceSelect::Unique(t, b, of_runs.data, out.data, number.data, n);
    });
    check(number.now()[0] == static_cast<int>(firsts.size()) && out.now(firsts.size()) == firsts, "Unique");
    run("Encode", [&](void* t, size_t& b) {
        return cub::DeviceRunLengthEncode::Encode(t, b, of_runs.data, out.data, counts.data, number.data, n);
    });
    check(number.now()[0] == static_cast<int>(firsts.size()) && out.now(firsts.size()) == firsts &&
              counts.now(firsts.size()) == lengths,
          "Encode");
}

template <class Key>
void sorts(const char* what, const std::vector<Key>& h) {
    const int n = static_cast<int>(h.size());
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    const Array<Key> in(h), out(n);
    const Array<int> at(order), at_out(n);
    run(what, [&](void* t, size_t& b) {
        return cub::DeviceRadixSort::SortPairs(t, b, in.data, out.data, at.data, at_out.data, n);
    });
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return h[a] < h[b]; });
    std::vector<Key> sorted = h;
    std::stable_sort(sorted.begin(), sorted.end());
    check(out.now() == sorted && at_out.now() == order && in.now() == h, what);
    run(what, [&](void* t, size_t& b) {
        return cub::DeviceRadixSort::SortKeysDescending(t, b, in.data, out.data, n);
    });
    std::reverse(sorted.begin(), sorted.end());
    check(out.now() == sorted, what);
    const Array<Key> other(n);
    cub::DoubleBuffer<Key> both(out.data, other.data);
    run(what, [&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, both, n); });
    std::reverse(sorted.begin(), sorted.end());
    check((both.Current() == out.data ? out : other).now() == sorted, what);
}

void part_of_the_bits() {
    const std::vector<unsigned> h{0x31, 0x12, 0x22, 0x11, 0x01};
    const Array<unsigned> in(h), out(h.size());
    run("the low bits", [&](void* t, size_t& b) {
        return cub::DeviceRadixSort::SortKeys(t, b, in.data, out.data, static_cast<int>(h.size()), 0, 4);
    });
    check((out.now() == std::vector<unsigned>{0x31, 0x11, 0x01, 0x12, 0x22}), "by some of the bits");
}

void histograms(int n) {
    const std::vector<int> h = values(n);
    std::vector<float> floats(n);
    std::vector<int> even(5), of_floats(4), ranges(3);
    const std::vector<int> levels{-300, -100, 0, 700};
    for (int i = 0; i < n; ++i) {
        floats[i] = static_cast<float>(h[i]) / 100;
        if (h[i] >= -200 && h[i] < 300) ++even[(h[i] + 200) / 100];
        if (floats[i] >= 0 && floats[i] < 8) ++of_floats[static_cast<int>(floats[i] / 2)];
        for (int k = 0; k < 3; ++k) ranges[k] += h[i] >= levels[k] && h[i] < levels[k + 1];
    }
    const Array<int> in(h), bins(5), at(levels);
    const Array<float> in_floats(floats);
    run("HistogramEven", [&](void* t, size_t& b) {
        return cub::DeviceHistogram::HistogramEven(t, b, in.data, bins.data, 6, -200, 300, n);
    });
    check(bins.now() == even, "HistogramEven");
    run("HistogramEven of floats", [&](void* t, size_t& b) {
        return cub::DeviceHistogram::HistogramEven(t, b, in_floats.data, bins.data, 5, 0.0f, 8.0f, n);
    });
    check(bins.now(4) == of_floats, "HistogramEven of floats");
    run("HistogramRange", [&](void* t, size_t& b) {
        return cub::DeviceHistogram::HistogramRange(t, b, in.data, bins.data, 4, at.data, n);
    });
    check(bins.now(3) == ranges, "HistogramRange");
}

void each(int n) {
    const Array<int> a(n);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    check(cub::DeviceFor::Bulk(n, SetIndex{a.data}, stream) == cudaSuccess, "Bulk");
    check(cub::DeviceFor::ForEachN(a.data, n, AddOne(), stream) == cudaSuccess, "ForEachN");
    cudaStreamSynchronize(stream);
    const std::vector<int> now = a.now();
    check(now[0] == 1 && now[n - 1] == 3 * (n - 1) + 1, "DeviceFor");
    cudaStreamDestroy(stream);
}

// What CUDA 13 has no more.
void of_older_versions() {
#if !defined(__CUDACC_VER_MAJOR__) || __CUDACC_VER_MAJOR__ < 13 || defined(SIMT_CHECKED) || defined(SIMT_FAST)
    const Array<long long> out(1);
    const cub::CountingInputIterator<int> numbers(1);
    const cub::TransformInputIterator<long long, Square, cub::CountingInputIterator<int>> squares(numbers,
                                                                                                  Square());
    run("iterators", [&](void* t, size_t& b) {
        return cub::DeviceReduce::Reduce(t, b, squares, out.data, 100, cub::Sum(), 0LL);
    });
    check(out.now()[0] == 338350, "squares of counted numbers");
    const cub::ConstantInputIterator<long long> same(3);
    run("iterators", [&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, same, out.data, 100); });
    check(out.now()[0] == 300, "the same number everywhere");
#endif
}

int main() {
    for (int n : {1, 256, 3000}) {
        reductions(n);
        scans(n);
        selections(n);
        histograms(n);
        each(n);
    }
    nothing();
    segments();
    const std::vector<int> ints = values(1500);
    sorts("ints", ints);
    sorts("unsigned chars", std::vector<unsigned char>(ints.begin(), ints.end()));
    sorts("floats", std::vector<float>(ints.begin(), ints.end()));
    sorts("long longs", std::vector<long long>(ints.begin(), ints.end()));
    part_of_the_bits();
    of_older_versions();
    std::printf("done, %d failures\n", failures);
}
