// fault: oob-shared; line: 9
// The last of three arrays carved from dynamic shared memory ends where the block's bytes do; one is written beyond.
#include "tricky.h"

__global__ void mix(int n, int* out) {
    extern __shared__ int room[];
    float* values = reinterpret_cast<float*>(room + n);
    room[threadIdx.x] = 1;
    values[threadIdx.x + 1] = 2;
    __syncthreads();
    out[threadIdx.x] = room[threadIdx.x];
}

int main() {
    int* out = zeros<int>(32);
    mix<<<1, 32, 32 * 8>>>(32, out);
    return verdict(true);
}
