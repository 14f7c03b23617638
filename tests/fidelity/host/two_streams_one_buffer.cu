// fault: stream-race; line: 11; with: 10
// Two kernels of two streams write one buffer.
#include "host.h"
int main() {
    int* d;
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n, 0, a>>>(d);
    number<<<1, n, 0, b>>>(d);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    return say(true);
}
