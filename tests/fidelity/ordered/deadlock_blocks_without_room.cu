// fault: deadlock; line: 11
// All blocks meet by a counter, but with 200 KiB of shared memory a block only one is on each multiprocessor of an H200:
// the first 132 wait for eight that cannot start.
#include "ordered.h"

__global__ void meet(int* count, int* out) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

int main() {
    int *count = zeros<int>(1), *out = zeros<int>(140 * 32);
    cudaFuncSetAttribute(meet, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
    meet<<<140, 32, 200 << 10>>>(count, out);
    return verdict(fetch(out, 1)[0] == 0);
}
