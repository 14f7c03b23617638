// fault: deadlock; line: 9
// The thread that has the lock waits at the barrier for those that want it.
#include "ordered.h"

__global__ void add_up(int* sum) {
    __shared__ int lock;
    if (threadIdx.x == 0) lock = 0;
    __syncthreads();
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    *sum += threadIdx.x;
    __threadfence_block();
    __syncthreads();
    atomicExch(&lock, 0);
}

int main() {
    int* sum = zeros<int>(1);
    add_up<<<1, 48>>>(sum);
    return verdict(fetch(sum, 1)[0] == 48 * 47 / 2);
}
