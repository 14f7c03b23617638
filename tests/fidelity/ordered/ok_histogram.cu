// correct
// Bins in shared memory by atomics, then added to the global ones.
#include "ordered.h"

__global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
    __shared__ unsigned mine[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (mine[b] != 0) atomicAdd(&bins[b], mine[b]);
}

int main() {
    const int n = 10000;
    std::vector<unsigned char> values(n);
    std::vector<unsigned> expected(256, 0);
    for (int i = 0; i < n; ++i) ++expected[values[i] = static_cast<unsigned char>(i * i % 251)];
    auto* in = upload(values);
    auto* bins = zeros<unsigned>(256);
    histogram<<<6, 96>>>(in, bins, n);
    return verdict(fetch(bins, 256) == expected);
}
