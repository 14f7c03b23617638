// correct
// The warps of a block share a lock in shared memory.
#include "ordered.h"

__global__ void add(int* out) {
    __shared__ int lock, total;
    if (threadIdx.x == 0) lock = total = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence_block();
        total += threadIdx.x / 32 + 1;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = total;
}

int main() {
    int* out = zeros<int>(3);
    add<<<3, 256>>>(out);
    return verdict(fetch(out, 3) == std::vector<int>(3, 36));
}
