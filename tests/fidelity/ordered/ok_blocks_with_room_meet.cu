// correct
// As many blocks as an H200 holds with 200 KiB of shared memory each meet by a counter.
#include "ordered.h"

__global__ void meet(unsigned* count, int* slots, int* out) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = 3 * blockIdx.x + threadIdx.x;
    if (threadIdx.x == 0) {
        slots[blockIdx.x] = tile[0];
        __threadfence();
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 1) out[blockIdx.x] = slots[(blockIdx.x + 1) % gridDim.x];
}

int main() {
    int *slots = zeros<int>(132), *out = zeros<int>(132);
    cudaFuncSetAttribute(meet, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
    meet<<<132, 32, 200 << 10>>>(zeros<unsigned>(1), slots, out);
    const auto got = fetch(out, 132);
    bool right = true;
    for (int i = 0; i < 132; ++i) right = right && got[i] == 3 * ((i + 1) % 132);
    return verdict(right);
}
