// fault: barrier-divergence; line: 6
// The barrier stands in a function, which is called from one side of a branch.
#include "tricky.h"

__device__ void share(int* s) {
    __syncthreads();
    s[threadIdx.x] += 1;
}
__global__ void run(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    if (threadIdx.x % 2 == 0) share(s);
    out[threadIdx.x] = s[threadIdx.x];
}

int main() {
    int* out = zeros<int>(64);
    run<<<1, 64>>>(out);
    return verdict(true);
}
