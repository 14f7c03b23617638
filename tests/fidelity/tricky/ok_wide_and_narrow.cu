// correct
// The same bytes as float4, as float2 and as float, with barriers between; neighbours of one wide word by several threads.
#include "tricky.h"

__global__ void widths(float* out) {
    __shared__ __align__(16) float room[128];
    const int t = threadIdx.x;
    for (int i = t; i < 128; i += 32) room[i] = i;
    __syncthreads();
    const float4 four = reinterpret_cast<float4*>(room)[t];
    __syncthreads();
    reinterpret_cast<float2*>(room)[2 * t] = make_float2(four.w, four.z);
    room[4 * t + 2] = four.y;
    room[4 * t + 3] = four.x;
    __syncthreads();
    const float4 other = reinterpret_cast<float4*>(room)[31 - t];
    out[t] = other.x + 10 * other.w;
}

int main() {
    float* out = zeros<float>(32);
    widths<<<1, 32>>>(out);
    return verdict(fetch(out, 32)[31] == 3);
}
