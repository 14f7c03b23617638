// correct
// A shared array declared inside a loop is the same array in each trip; two barriers a trip keep the trips apart.
#include "tricky.h"

__global__ void turn(const int* in, int* out) {
    int sum = 0;
    for (int trip = 0; trip < 4; ++trip) {
        __shared__ int tile[64];
        tile[threadIdx.x] = in[trip * 64 + threadIdx.x];
        __syncthreads();
        sum += tile[(threadIdx.x + trip) % 64];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

int main() {
    int *in = upload(std::vector<int>(256, 2)), *out = zeros<int>(64);
    turn<<<1, 64>>>(in, out);
    return verdict(fetch(out, 64)[9] == 8);
}
