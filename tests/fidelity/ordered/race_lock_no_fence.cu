// fault: global-race; line: 11
// A lock is taken and left without a fence: what it guards may still be on its way.
#include "ordered.h"

__device__ int lock;

__global__ void add(int* total) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        *total += 1;
        atomicExch(&lock, 0);
    }
}

int main() {
    int* total = zeros<int>(1);
    add<<<30, 32>>>(total);
    return verdict(fetch(total, 1)[0] == 30);
}
