// correct
// The last warp of a block to finish adds up, without a __syncthreads.
#include "ordered.h"

__global__ void sum(const int* in, int* out) {
    __shared__ int partial[4];
    __shared__ unsigned finished;
    if (threadIdx.x == 0) finished = 0;
    __syncthreads();
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int v = in[threadIdx.x];
    for (int h = 16; h > 0; h /= 2) v += __shfl_down_sync(0xffffffffu, v, h);
    unsigned ticket = 0;
    if (lane == 0) {
        partial[warp] = v;
        __threadfence_block();
        ticket = atomicAdd(&finished, 1);
        if (ticket == 3) *out = partial[0] + partial[1] + partial[2] + partial[3];
    }
}

int main() {
    int *in = upload(std::vector<int>(128, 3)), *out = zeros<int>(1);
    sum<<<1, 128>>>(in, out);
    return verdict(fetch(out, 1)[0] == 384);
}
