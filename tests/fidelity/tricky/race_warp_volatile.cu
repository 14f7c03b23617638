// fault: warp-race; line: 11; with: 11
// The old warp-synchronous reduction, without volatile and without __syncwarp.
#include "tricky.h"

__global__ void sum(const int* in, int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32)
        for (int step = 32; step > 0; step /= 2) s[t] += s[t + step];
    if (t == 0) *out = s[0];
}

int main() {
    int *in = upload(std::vector<int>(64, 3)), *out = zeros<int>(1);
    sum<<<1, 64>>>(in, out);
    return verdict(fetch(out, 1)[0] == 192);
}
