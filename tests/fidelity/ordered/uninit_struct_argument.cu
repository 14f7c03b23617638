// fault: uninit-shared; line: 19
// The struct that is passed by value was never written.
#include "ordered.h"

struct Range {
    int first, last, step;
};

__device__ __noinline__ int length_of(Range r) {
    return r.last - r.first;
}

__global__ void lengths(int* out) {
    __shared__ Range s[32];
    const int i = threadIdx.x;
    if (i < 16) s[i] = {i, 2 * i, 1};
    __syncthreads();
    // Only half of s has values.
    out[i] = length_of(s[i]);
}

int main() {
    int* out = zeros<int>(32);
    lengths<<<1, 32>>>(out);
    return verdict(fetch(out, 32)[1] == 1);
}
