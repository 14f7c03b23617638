// correct
// More blocks than an H200 holds at once: each takes its number when it starts, and waits for smaller ones alone.
#include "ordered.h"

__global__ void in_turn(unsigned* next, volatile unsigned* turn, unsigned* out) {
    extern __shared__ unsigned number[];
    if (threadIdx.x == 0) {
        number[0] = atomicAdd(next, 1);
        while (*turn != number[0]) {
        }
        __threadfence();
        out[number[0]] = number[0] == 0 ? 1 : out[number[0] - 1] + 2;
        __threadfence();
        *turn = number[0] + 1;
    }
}

int main() {
    unsigned *next = zeros<unsigned>(1), *turn = zeros<unsigned>(1), *out = zeros<unsigned>(300);
    cudaFuncSetAttribute(in_turn, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
    in_turn<<<300, 32, 200 << 10>>>(next, turn, out);
    return verdict(fetch(out, 300)[299] == 599);
}
