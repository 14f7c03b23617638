// correct
// The last thread sets the counters back while nobody looks any more.
#include "ordered.h"

__device__ unsigned finished, total;

__global__ void count(const int* in, unsigned* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) atomicAdd(&total, 1u);
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence();
    if (atomicAdd(&finished, 1u) != gridDim.x - 1) return;
    *out += atomicExch(&total, 0u);
    finished = 0;
}

int main() {
    const int n = 640;
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i % 2;
    int* in = upload(values);
    auto* out = zeros<unsigned>(1);
    for (int r = 0; r < 3; ++r) count<<<10, 64>>>(in, out, n);
    return verdict(fetch(out, 1)[0] == 3 * n / 2);
}
