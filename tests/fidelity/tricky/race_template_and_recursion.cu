// fault: shared-race; line: 7; with: 7
// A recursive template without a barrier between its steps.
#include "tricky.h"

template <int Step>
__device__ void add(int* s, int t) {
    if (t < Step) s[t] += s[t + Step];
    if constexpr (Step > 1) add<Step / 2>(s, t);
}
__global__ void sum(int* out) {
    __shared__ int s[128];
    s[threadIdx.x] = 1;
    __syncthreads();
    add<64>(s, threadIdx.x);
    if (threadIdx.x == 0) *out = s[0];
}

int main() {
    int* out = zeros<int>(1);
    sum<<<1, 128>>>(out);
    return verdict(true);
}
