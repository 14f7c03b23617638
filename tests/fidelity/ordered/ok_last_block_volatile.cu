// correct
// The same hand-over, with the results in volatile memory.
#include "ordered.h"

__device__ unsigned finished;

__global__ void count_even(const int* in, volatile int* partial, int* out, int n) {
    __shared__ int evens;
    __shared__ bool last;
    if (threadIdx.x == 0) evens = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 2 == 0) atomicAdd(&evens, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = evens;
        __threadfence();
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (unsigned k = 0; k < gridDim.x; ++k) total += partial[k];
        *out = total;
    }
}

int main() {
    const int n = 5000;
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i;
    int *in = upload(values), *partial = zeros<int>(64), *out = zeros<int>(1);
    count_even<<<(n + 95) / 96, 96>>>(in, partial, out, n);
    return verdict(fetch(out, 1)[0] == n / 2);
}
