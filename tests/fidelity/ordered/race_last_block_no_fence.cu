// fault: global-race; line: 12
// The last block adds up results that no fence has made visible.
#include "ordered.h"

__device__ unsigned finished;

__global__ void sum(const int* in, int* partial, int* out) {
    if (threadIdx.x != 0) return;
    partial[blockIdx.x] = in[blockIdx.x] * 2;
    if (atomicAdd(&finished, 1) != gridDim.x - 1) return;
    int total = 0;
    for (unsigned k = 0; k < gridDim.x; ++k) total += partial[k];
    *out = total;
}

int main() {
    int *in = upload(std::vector<int>(20, 1)), *partial = zeros<int>(20), *out = zeros<int>(1);
    sum<<<20, 32>>>(in, partial, out);
    return verdict(fetch(out, 1)[0] == 40);
}
