// correct
// Two tiles in turn need one barrier a step.
#include "ordered.h"

__global__ void sums(const int* in, int* out, int tiles) {
    __shared__ int tile[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    tile[0][t] = in[t];
    __syncthreads();
    for (int k = 0; k < tiles; ++k) {
        if (k + 1 < tiles) tile[(k + 1) % 2][t] = in[(k + 1) * 64 + t];
        sum += tile[k % 2][63 - t];
        __syncthreads();
    }
    out[t] = sum;
}

int main() {
    std::vector<int> values(6 * 64);
    for (int i = 0; i < 6 * 64; ++i) values[i] = i % 64;
    int *in = upload(values), *out = zeros<int>(64);
    sums<<<1, 64>>>(in, out, 6);
    const auto got = fetch(out, 64);
    bool right = true;
    for (int t = 0; t < 64; ++t) right = right && got[t] == 6 * (63 - t);
    return verdict(right);
}
