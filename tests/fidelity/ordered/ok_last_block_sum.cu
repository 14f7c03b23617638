// correct
// The last block to finish adds up what all blocks wrote (fence, then a counter).
#include "ordered.h"

__device__ unsigned finished;

__global__ void sum(const float* in, float* partial, float* out, int n) {
    __shared__ float s[128];
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int h = 64; h > 0; h /= 2) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    float mine = 0.0f;
    for (unsigned k = t; k < gridDim.x; k += 128) mine += partial[k];
    s[t] = mine;
    __syncthreads();
    for (int h = 64; h > 0; h /= 2) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0) {
        *out = s[0];
        finished = 0;
    }
}

int main() {
    const int n = 20000, blocks = (n + 127) / 128;
    float *in = upload(std::vector<float>(n, 1.0f)), *partial = zeros<float>(blocks), *out = zeros<float>(1);
    sum<<<blocks, 128>>>(in, partial, out, n);
    sum<<<blocks, 128>>>(in, partial, out, n);
    return verdict(fetch(out, 1)[0] == n);
}
