// fault: warp-race; line: 12
// The tree reads after one __syncwarp and overwrites without another.
#include "ordered.h"

__global__ void sums(const int* in, int* out) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    for (int h = 1; h < 32; h *= 2) {
        const int other = s[t ^ h];
        s[t] += other;
        __syncwarp();
    }
    out[t] = s[t];
}

int main() {
    int *in = upload(std::vector<int>(32, 1)), *out = zeros<int>(32);
    sums<<<1, 32>>>(in, out);
    return verdict(fetch(out, 32)[0] == 32);
}
