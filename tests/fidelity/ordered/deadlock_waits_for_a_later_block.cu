// fault: deadlock; line: 9
// Each block waits for the one behind it. With 48 KiB of static arrays 528 fit on an H200, and the last of them waits
// for one that has not started. (In the other order all is well: so it is a matter of luck.)
#include "ordered.h"

__global__ void from_behind(volatile int* done, int* out) {
    __shared__ int tile[12288];
    if (threadIdx.x == 0) {
        while (blockIdx.x + 1 < gridDim.x && done[blockIdx.x + 1] == 0) {
        }
        __threadfence();
    }
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = tile[3];
    __threadfence();
    if (threadIdx.x == 0) done[blockIdx.x] = 1;
}

int main() {
    int *done = zeros<int>(540), *out = zeros<int>(540);
    from_behind<<<540, 64>>>(done, out);
    return verdict(fetch(out, 1)[0] == 3);
}
