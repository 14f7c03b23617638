// correct
// Block 0 makes an array and raises a volatile flag; the others wait for it.
#include "ordered.h"

__global__ void produce_consume(int* data, volatile int* flag, int* out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 10 * threadIdx.x;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
        return;
    }
    if (threadIdx.x == 0) {
        while (*flag == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    out[(blockIdx.x - 1) * blockDim.x + threadIdx.x] = data[threadIdx.x] + blockIdx.x;
}

int main() {
    int *data = zeros<int>(64), *flag = zeros<int>(1), *out = zeros<int>(3 * 64);
    produce_consume<<<4, 64>>>(data, flag, out);
    const auto got = fetch(out, 3 * 64);
    bool right = true;
    for (int i = 0; i < 3 * 64; ++i) right = right && got[i] == 10 * (i % 64) + i / 64 + 1;
    return verdict(right);
}
