// correct
// Two streams write neighbouring bytes of one word.
#include "host.h"
__global__ void put(unsigned char* x, int offset) {
    x[2 * threadIdx.x + offset] = static_cast<unsigned char>(threadIdx.x + offset);
}
int main() {
    unsigned char h[64], *d;
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMalloc(&d, 64));
    put<<<1, 32, 0, a>>>(d, 0);
    put<<<1, 32, 0, b>>>(d, 1);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < 64; ++i) right = right && h[i] == i / 2 + i % 2;
    CHECK(cudaFree(d));
    return say(right);
}
