// fault: global-race; line: 16
// One thread raises the flag when it has written, not when its block has.
#include "ordered.h"

__global__ void pass(int* data, int* flag, int* out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __threadfence();
        if (threadIdx.x == 0) atomicExch(flag, 1);
        return;
    }
    if (threadIdx.x == 0)
        while (atomicAdd(flag, 0) == 0) {
        }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
}

int main() {
    int *data = zeros<int>(128), *flag = zeros<int>(1), *out = zeros<int>(128);
    pass<<<2, 128>>>(data, flag, out);
    return verdict(fetch(out, 128)[5] == 5);
}
