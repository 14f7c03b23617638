// fault: uninit-global; line: 13
// The fourth of each four floats is never written, and the next kernel reads all four at once.
#include "tricky.h"

__global__ void fill(float* d) {
    float* mine = d + 4 * threadIdx.x;
    mine[0] = 1;
    mine[1] = 2;
    mine[2] = 3;
}

__global__ void use(const float* d, float* out) {
    const float4 v = reinterpret_cast<const float4*>(d)[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
    float *d = nullptr, *out = zeros<float>(32);
    cudaMalloc(&d, 128 * sizeof(float));
    fill<<<1, 32>>>(d);
    use<<<1, 32>>>(d, out);
    return verdict(false);
}
