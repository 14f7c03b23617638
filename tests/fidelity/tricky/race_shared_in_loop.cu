// fault: shared-race; line: 9; with: 11
// The shared array of a loop is the same in each trip: the next trip overwrites what others still read.
#include "tricky.h"

__global__ void turn(const int* in, int* out) {
    int sum = 0;
    for (int trip = 0; trip < 4; ++trip) {
        __shared__ int tile[64];
        tile[threadIdx.x] = in[trip * 64 + threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

int main() {
    int *in = upload(std::vector<int>(256, 2)), *out = zeros<int>(64);
    turn<<<1, 64>>>(in, out);
    return verdict(fetch(out, 64)[9] == 8);
}
