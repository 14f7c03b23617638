// fault: global-race; line: 18
// One thread signs at the barrier of the grid while the rest of its block still writes.
#include "ordered.h"

__device__ unsigned arrived;

__global__ void phases(int* a, int* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    b[i] = a[n - 1 - i];
}

int main() {
    const int n = 128;
    int *a = zeros<int>(n), *b = zeros<int>(n);
    phases<<<2, 64>>>(a, b, n);
    return verdict(fetch(b, n)[3] == n - 4);
}
