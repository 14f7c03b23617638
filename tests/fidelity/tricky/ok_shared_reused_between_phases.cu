// correct
// One shared array serves three phases: as floats, as ints, and as a flag for each warp. Barriers part them.
#include "tricky.h"

__global__ void phases(float* out) {
    __shared__ float room[64];
    const int t = threadIdx.x;
    room[t] = t;
    __syncthreads();
    const float other = room[63 - t];
    __syncthreads();
    int* numbers = reinterpret_cast<int*>(room);
    numbers[t] = 2 * t;
    __syncthreads();
    const int next = numbers[(t + 1) % 64];
    __syncthreads();
    auto* flags = reinterpret_cast<volatile unsigned char*>(room);
    if (t % 32 == 0) flags[t / 32] = 1;
    __syncthreads();
    out[t] = other + next + flags[1];
}

int main() {
    float* out = zeros<float>(64);
    phases<<<1, 64>>>(out);
    return verdict(fetch(out, 64)[0] == 63 + 2 + 1);
}
