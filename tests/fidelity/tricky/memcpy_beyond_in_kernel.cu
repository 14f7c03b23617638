// fault: oob-global; line: 6
// A memcpy inside the kernel takes one byte more than the last thread's share has.
#include "tricky.h"

__global__ void move(const char* in, char* out) {
    memcpy(out + 13 * threadIdx.x, in, 14);
}

int main() {
    char *in = nullptr, *out = nullptr;
    cudaMalloc(&in, 16);
    cudaMemset(in, 1, 16);
    cudaMalloc(&out, 32 * 13);
    move<<<1, 1>>>(in, out + 31 * 13);
    return verdict(true);
}
