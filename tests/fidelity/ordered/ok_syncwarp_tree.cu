// correct
// A sum within each warp through shared memory, a __syncwarp a step.
#include "ordered.h"

__global__ void sums(const int* in, int* out) {
    __shared__ int s[128];
    const int t = threadIdx.x, lane = t % 32;
    s[t] = in[blockIdx.x * 128 + t];
    __syncwarp();
    for (int h = 16; h > 0; h /= 2) {
        const int other = lane < h ? s[t + h] : 0;
        __syncwarp();
        s[t] += other;
        __syncwarp();
    }
    if (lane == 0) out[blockIdx.x * 4 + t / 32] = s[t];
}

int main() {
    int *in = upload(std::vector<int>(256, 2)), *out = zeros<int>(8);
    sums<<<2, 128>>>(in, out);
    return verdict(fetch(out, 8) == std::vector<int>(8, 64));
}
