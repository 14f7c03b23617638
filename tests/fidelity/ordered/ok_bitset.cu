// correct
// Bits are set by atomicOr and read after a barrier.
#include "ordered.h"

__global__ void mark(const int* in, int* found, int n) {
    __shared__ unsigned bits[8];
    if (threadIdx.x < 8) bits[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicOr(&bits[in[i] / 32], 1u << in[i] % 32);
    __syncthreads();
    if (threadIdx.x < 256) found[threadIdx.x] = bits[threadIdx.x / 32] >> threadIdx.x % 32 & 1;
}

int main() {
    std::vector<int> values(100);
    for (int i = 0; i < 100; ++i) values[i] = i * 3 % 256;
    int *in = upload(values), *found = zeros<int>(256);
    mark<<<1, 256>>>(in, found, 100);
    const auto got = fetch(found, 256);
    std::vector<int> expected(256, 0);
    for (const int v : values) expected[v] = 1;
    return verdict(got == expected);
}
