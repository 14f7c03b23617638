// correct
// Counters are zeroed, added to atomically, and read plainly, with a barrier between; other words of the array stay plain.
#include "tricky.h"

__global__ void count(const int* in, int* out) {
    __shared__ int bins[8];
    __shared__ int largest;
    const int t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    if (t == 0) largest = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] % 8], 1);
    atomicMax(&largest, in[t]);
    __syncthreads();
    if (t < 8) out[t] = bins[t] + largest;
}

int main() {
    std::vector<int> values(64);
    for (int i = 0; i < 64; ++i) values[i] = i;
    int *in = upload(values), *out = zeros<int>(8);
    count<<<1, 64>>>(in, out);
    return verdict(fetch(out, 8)[7] == 8 + 63);
}
