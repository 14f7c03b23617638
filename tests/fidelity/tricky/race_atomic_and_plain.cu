// fault: warp-race; line: 10; with: 9
// Atomic additions and a plain read of the counter in one interval.
#include "tricky.h"

__global__ void count(int* out) {
    __shared__ int n;
    if (threadIdx.x == 0) n = 0;
    __syncthreads();
    if (threadIdx.x % 2 == 0) atomicAdd(&n, 1);
    if (threadIdx.x == 63) *out = n;
}

int main() {
    int* out = zeros<int>(1);
    count<<<1, 64>>>(out);
    return verdict(true);
}
