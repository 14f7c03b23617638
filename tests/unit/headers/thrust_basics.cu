// Thrust: vectors, element-wise algorithms, reductions, sorting, scans, policies and streams. Each line of the output is
// worked out by hand or by a loop of the host.
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

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

struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

struct AddTo {
    int* data;
    int by;
    __device__ void operator()(int i) const { data[i] += by; }
};

__global__ void add_one(int* data, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) data[i] += 1;
}

constexpr int n = 1000;

int mixed(int i) {
    return (i * 7919 + 13) % 1009;
}

void vectors() {
    thrust::host_vector<int> h(4, 5);
    thrust::device_vector<int> d = h;
    d.push_back(7);
    d[0] = 2;
    d.resize(8, 9);
    const int expected[] = {2, 5, 5, 5, 7, 9, 9, 9};
    h = d;
    check(h.size() == 8 && std::equal(h.begin(), h.end(), expected), "what a vector holds");
    std::vector<int> back(8);
    thrust::copy(d.begin(), d.end(), back.begin());
    check(std::equal(back.begin(), back.end(), expected), "copied to a std::vector");
    const thrust::device_vector<float> wide(d.begin(), d.end());
    check(wide[4] == 7.0f, "copied into floats");
    const thrust::device_vector<int> listed(back.begin(), back.end()), same = d;
    check(listed == same, "two vectors are equal");
    check(thrust::device_vector<int>(3)[2] == 0, "new elements are 0");
}

void each() {
    thrust::device_vector<int> d(n), squares(n);
    thrust::sequence(d.begin(), d.end());
    thrust::transform(d.begin(), d.end(), squares.begin(), Square());
    thrust::transform(squares.begin(), squares.end(), d.begin(), squares.begin(), thrust::minus<int>());
    add_one<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(squares.data()), n);
    thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                     AddTo{thrust::raw_pointer_cast(squares.data()), 10});
    check(squares[0] == 11 && squares[n - 1] == (n - 1) * (n - 1) - (n - 1) + 11, "transform and a kernel");
    thrust::fill(thrust::device, d.begin() + 1, d.end() - 1, -3);
    check(d[0] == 0 && d[1] == -3 && d[n - 2] == -3 && d[n - 1] == n - 1, "fill");
}

void reductions() {
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = mixed(i);
    const thrust::device_vector<int> d = h;
    const int sum = std::accumulate(h.begin(), h.end(), 0);
    check(thrust::reduce(d.begin(), d.end()) == sum, "reduce");
    check(thrust::reduce(d.begin(), d.end(), 100, thrust::plus<int>()) == sum + 100, "reduce from 100");
    check(thrust::reduce(d.begin(), d.end(), -1, thrust::maximum<int>()) ==
              *std::max_element(h.begin(), h.end()),
          "the largest");
    const long long squares =
        thrust::transform_reduce(d.begin(), d.end(), Square(), 0LL, thrust::plus<long long>());
    long long expected = 0;
    for (int x : h) expected += x * x;
    check(squares == expected, "transform_reduce");
    check(thrust::reduce(d.begin(), d.begin(), 5) == 5, "of no elements");
}

void sorting() {
    thrust::host_vector<int> h(n), at(n);
    for (int i = 0; i < n; ++i) h[i] = mixed(i) % 100;
    thrust::sequence(at.begin(), at.end());
    thrust::device_vector<int> keys = h, values = at;
    thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
    bool is_stable = true;
    const thrust::host_vector<int> sorted = keys, from = values;
    for (int i = 0; i < n; ++i) is_stable = is_stable && h[from[i]] == sorted[i];
    for (int i = 1; i < n; ++i)
        is_stable =
            is_stable && (sorted[i - 1] < sorted[i] || (sorted[i - 1] == sorted[i] && from[i - 1] < from[i]));
    check(is_stable, "stable_sort_by_key");
    thrust::sort(keys.begin(), keys.end(), thrust::greater<int>());
    std::sort(h.begin(), h.end(), [](int a, int b) { return a > b; });
    const thrust::host_vector<int> falling = keys;
    check(falling == h, "sort, falling");
}

void scans() {
    thrust::host_vector<int> h(n), inclusive(n), exclusive(n);
    for (int i = 0, sum = 0; i < n; ++i) {
        h[i] = mixed(i);
        exclusive[i] = sum + 3;
        inclusive[i] = sum += h[i];
    }
    const thrust::device_vector<int> d = h;
    thrust::device_vector<int> result(n);
    thrust::inclusive_scan(d.begin(), d.end(), result.begin());
    check(thrust::host_vector<int>(result) == inclusive, "inclusive_scan");
    thrust::exclusive_scan(d.begin(), d.end(), result.begin(), 3);
    check(thrust::host_vector<int>(result) == exclusive, "exclusive_scan from 3");
    result = d;
    thrust::inclusive_scan(result.begin(), result.end(), result.begin(), thrust::plus<int>());
    check(thrust::host_vector<int>(result) == inclusive, "a scan in place");
}

void streams_and_pointers() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int* raw = nullptr;
    cudaMalloc(&raw, n * sizeof(int));
    const thrust::device_ptr<int> data(raw);
    thrust::sequence(thrust::cuda::par.on(stream), data, data + n, 1);
    check(thrust::reduce(thrust::cuda::par.on(stream), data, data + n) == n * (n + 1) / 2, "in a stream");
    add_one<<<(n + 255) / 256, 256, 0, stream>>>(raw, n);
    cudaStreamSynchronize(stream);
    check(thrust::reduce(thrust::device, raw, raw + n) == n * (n + 3) / 2,
          "raw pointers with thrust::device");
    int host[] = {3, 1, 2};
    thrust::sort(thrust::host, host, host + 3);
    check(host[0] == 1 && host[1] == 2 && host[2] == 3, "on the host");
    cudaFree(raw);
    cudaStreamDestroy(stream);
}

int main() {
    vectors();
    each();
    reductions();
    sorting();
    scans();
    streams_and_pointers();
    std::printf("done, %d failures\n", failures);
}
