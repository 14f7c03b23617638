// correct
// An atomic sum is read plainly by the last block, after fence and counter.
#include "ordered.h"

__device__ unsigned finished;

__global__ void mean(const float* in, float* sum, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, in[i]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&finished, 1) == gridDim.x - 1) *out = *sum / n;
}

int main() {
    const int n = 512;
    float *in = upload(std::vector<float>(n, 0.25f)), *sum = zeros<float>(1), *out = zeros<float>(1);
    mean<<<8, 64>>>(in, sum, out, n);
    return verdict(fetch(out, 1)[0] == 0.25f);
}
