// fault: global-race; line: 14
// A __syncthreads orders within its block alone; the counter is not enough for another block.
#include "ordered.h"

__device__ unsigned finished;

__global__ void fill(int* values, int* out, int n) {
    __shared__ bool last;
    values[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&finished, 1) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(out, values[i]);
}

int main() {
    const int n = 256;
    int *values = zeros<int>(n), *out = zeros<int>(1);
    fill<<<4, 64>>>(values, out, n);
    return verdict(fetch(out, 1)[0] == n);
}
