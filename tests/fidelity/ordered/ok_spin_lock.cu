// correct
// One thread a block takes a lock, adds to plain memory, and lets go.
#include "ordered.h"

__device__ int lock;

__global__ void add(int* total, int* visits) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
        *total += blockIdx.x;
        *visits += 1;
        __threadfence();
        atomicExch(&lock, 0);
    }
}

int main() {
    int *total = zeros<int>(1), *visits = zeros<int>(1);
    add<<<150, 64>>>(total, visits);
    return verdict(fetch(total, 1)[0] == 150 * 149 / 2 && fetch(visits, 1)[0] == 150);
}
