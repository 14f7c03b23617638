// correct
// A lock for each bucket; threads hold one at a time.
#include "ordered.h"

constexpr int buckets = 8;
__device__ int locks[buckets];

__global__ void add(const int* keys, int* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int k = keys[i] % buckets;
    for (bool done = false; !done;) {
        if (atomicCAS(&locks[k], 0, 1) == 0) {
            __threadfence();
            sums[k] += keys[i];
            __threadfence();
            atomicExch(&locks[k], 0);
            done = true;
        }
    }
}

int main() {
    const int n = 300;
    std::vector<int> keys(n), expected(buckets, 0);
    for (int i = 0; i < n; ++i) {
        keys[i] = i * 5 % 23;
        expected[keys[i] % buckets] += keys[i];
    }
    int *d_keys = upload(keys), *sums = zeros<int>(buckets);
    add<<<5, 64>>>(d_keys, sums, n);
    return verdict(fetch(sums, buckets) == expected);
}
