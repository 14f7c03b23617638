// correct
// Lane 0 fences for its warp after a __syncwarp, then signs for it.
#include "ordered.h"

__device__ unsigned finished;

__global__ void fill(int* values, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const unsigned warps = gridDim.x * blockDim.x / 32;
    values[i] = 1;
    __syncwarp();
    unsigned ticket = 0;
    if (lane == 0) {
        __threadfence();
        ticket = atomicAdd(&finished, 1);
    }
    ticket = __shfl_sync(0xffffffffu, ticket, 0);
    if (ticket != warps - 1) return;
    if (lane == 0) {
        int sum = 0;
        for (unsigned k = 0; k < warps * 32; ++k) sum += values[k];
        *out = sum;
    }
}

int main() {
    int *values = zeros<int>(3 * 64), *out = zeros<int>(1);
    fill<<<3, 64>>>(values, out);
    return verdict(fetch(out, 1)[0] == 3 * 64);
}
