// fault: stream-race; line: 14; with: 13
// Two streams write the same bytes.
#include "host.h"
__global__ void put(unsigned char* x, int value) {
    x[threadIdx.x] = static_cast<unsigned char>(value);
}
int main() {
    unsigned char* d;
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMalloc(&d, 64));
    put<<<1, 64, 0, a>>>(d, 1);
    put<<<1, 64, 0, b>>>(d, 2);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    return say(true);
}
