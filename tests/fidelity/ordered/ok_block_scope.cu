// correct
// atomicAdd_block on elements that only one block uses.
#include "ordered.h"

__global__ void count(const int* in, int* counts, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd_block(&counts[blockIdx.x * 4 + in[i] % 4], 1);
}

int main() {
    const int n = 400;
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i;
    int *in = upload(values), *counts = zeros<int>(12);
    count<<<3, 128>>>(in, counts, n);
    return verdict(fetch(counts, 12) == std::vector<int>(12, 100));
}
