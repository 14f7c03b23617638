// correct
// The block meets first; then one thread fences for all of them and signs.
#include "ordered.h"

__device__ unsigned finished;

__global__ void fill_then_check(int* values, int* out, int n) {
    __shared__ bool last;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) values[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (values[i] == i) atomicAdd(out, 1);
}

int main() {
    const int n = 3000;
    int *values = zeros<int>(n), *out = zeros<int>(1);
    fill_then_check<<<7, 64>>>(values, out, n);
    return verdict(fetch(out, 1)[0] == n);
}
