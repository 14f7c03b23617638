// fault: oob-constant; line: 9
// A kernel writes __constant__ memory through a pointer that lost its const.
#include "tricky.h"

__constant__ int table[4];

__global__ void put(int* out) {
    int* p = const_cast<int*>(table);
    p[threadIdx.x] = 1;
    out[threadIdx.x] = p[0];
}

int main() {
    int* out = zeros<int>(4);
    put<<<1, 4>>>(out);
    return verdict(true);
}
