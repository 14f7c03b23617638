// correct
// A stack without a lock: nodes are made, fenced, and pushed by compare-and-swap; the last block empties it.
#include "ordered.h"

__device__ int head = -1;
__device__ unsigned finished;

__global__ void push_then_pop(int* next, int* value, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    value[i] = 3 * i;
    int seen = atomicAdd(&head, 0), old;
    do {
        old = seen;
        next[i] = old;
        __threadfence();
        seen = atomicCAS(&head, old, i);
    } while (seen != old);
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence();
    if (atomicAdd(&finished, 1) != gridDim.x - 1) return;
    int sum = 0;
    for (int k = atomicAdd(&head, 0); k >= 0; k = next[k]) sum += value[k];
    *out = sum;
}

int main() {
    const int n = 4 * 32;
    int *next = zeros<int>(n), *value = zeros<int>(n), *out = zeros<int>(1);
    push_then_pop<<<4, 32>>>(next, value, out);
    return verdict(fetch(out, 1)[0] == 3 * n * (n - 1) / 2);
}
