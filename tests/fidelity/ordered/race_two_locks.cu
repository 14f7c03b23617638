// fault: global-race; line: 13
// The same counter is guarded by two different locks.
#include "ordered.h"

__device__ int locks[2];

__global__ void add(int* total) {
    if (threadIdx.x == 0) {
        int* lock = &locks[blockIdx.x % 2];
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *total += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

int main() {
    int* total = zeros<int>(1);
    add<<<30, 32>>>(total);
    return verdict(fetch(total, 1)[0] == 30);
}
