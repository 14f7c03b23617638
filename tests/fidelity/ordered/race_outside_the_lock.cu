// fault: global-race; line: 12; with: 15
// The counter is read again after the lock has been left.
#include "ordered.h"

__device__ int lock;

__global__ void number(int* total, int* out) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
        *total += 1;
        __threadfence();
        atomicExch(&lock, 0);
        out[blockIdx.x] = *total;
    }
}

int main() {
    int *total = zeros<int>(1), *out = zeros<int>(30);
    number<<<30, 32>>>(total, out);
    return verdict(fetch(total, 1)[0] == 30);
}
