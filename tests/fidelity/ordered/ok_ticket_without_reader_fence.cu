// correct
// The last block of NVIDIA's threadFenceReduction sample: every thread fences before the ticket, none behind it. The reads are
// plain, which is worth a word and no more.
#include "ordered.h"

__device__ unsigned taken = 0;

__global__ void sum(const int* in, int* partial, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) partial[blockIdx.x] = 2 * in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0) last = atomicInc(&taken, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) total += partial[i];
    *out = total;
    taken = 0;
}

int main() {
    int *in = upload(std::vector<int>(16, 3)), *partial = zeros<int>(16), *out = zeros<int>(1);
    sum<<<16, 64>>>(in, partial, out);
    return verdict(fetch(out, 1)[0] == 96);
}
