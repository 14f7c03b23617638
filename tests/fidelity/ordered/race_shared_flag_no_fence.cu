// fault: shared-race; line: 16
// A volatile flag in shared memory, and no __threadfence_block before it.
#include "ordered.h"

__global__ void pass(int* out) {
    __shared__ int value;
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 9;
        flag = 1;
    } else if (threadIdx.x == 32) {
        while (flag == 0) {
        }
        *out = value;
    }
}

int main() {
    int* out = zeros<int>(1);
    pass<<<1, 64>>>(out);
    return verdict(fetch(out, 1)[0] == 9);
}
