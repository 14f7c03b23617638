// fault: api-misuse; line: 9
// atomicAdd of a float2 is there for global memory only: an H200 fails, or leaves it as it was.
#include "ordered.h"

__global__ void add(float2* out) {
    __shared__ float2 sum;
    if (threadIdx.x == 0) sum = make_float2(0, 0);
    __syncthreads();
    atomicAdd(&sum, make_float2(1, 2));
    __syncthreads();
    if (threadIdx.x == 0) *out = sum;
}

int main() {
    float2* out = zeros<float2>(1);
    add<<<1, 64>>>(out);
    return verdict(fetch(out, 1)[0].y == 128);
}
