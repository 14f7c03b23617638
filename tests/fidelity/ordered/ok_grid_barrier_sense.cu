// correct
// A barrier of the grid that turns its sense around each time.
#include "ordered.h"

__device__ unsigned waiting;
__device__ volatile unsigned sense;

__device__ void meet() {
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned old = sense;
        __threadfence();
        if (atomicAdd(&waiting, 1) == gridDim.x - 1) {
            waiting = 0;
            __threadfence();
            sense = 1 - old;
        } else {
            while (sense == old) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void rotate(int* values, int* next, int rounds) {
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        next[(i + 1) % n] = values[i];
        meet();
        values[i] = next[i];
        meet();
    }
}

int main() {
    const int n = 6 * 32;
    std::vector<int> start(n);
    for (int i = 0; i < n; ++i) start[i] = i;
    int *values = upload(start), *next = zeros<int>(n);
    rotate<<<6, 32>>>(values, next, 4);
    const auto got = fetch(values, n);
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && got[(i + 4) % n] == i;
    return verdict(right);
}
