// faults around Thrust, each at a line of its own that the machine must name.
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>

#include <cstdio>

struct SetFirst {
    int* data;
    __device__ void operator()(int i) const {
        data[0] = i;  // fault: race
    }
};

struct SetNext {
    int* data;
    __device__ void operator()(int i) const {
        data[i + 1] = i;  // fault: bounds
    }
};

int main() {
    thrust::device_vector<int> d(100);
    const thrust::counting_iterator<int> from(0);
    thrust::for_each(from, from + 100, SetFirst{thrust::raw_pointer_cast(d.data())});

    int* raw = nullptr;
    cudaMalloc(&raw, 100 * sizeof(int));
    const thrust::device_ptr<int> unset(raw);
    const int sum = thrust::reduce(unset, unset + 100);  // fault: unset
    std::printf("%d\n", sum);
    cudaFree(raw);

    try {
        thrust::for_each(from, from + 100, SetNext{thrust::raw_pointer_cast(d.data())});
    } catch (const thrust::system_error&) {
        std::printf("failed\n");
    }
    std::fflush(stdout);
    const int* first = thrust::raw_pointer_cast(d.data());
    std::printf("%d\n", *first);  // fault: host
}
