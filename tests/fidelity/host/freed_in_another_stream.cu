// fault: stream-race; line: 11; with: 10
// The buffer is given back in a stream that does not wait for the kernel that uses it.
#include "host.h"
int main() {
    int* d;
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMallocAsync(&d, bytes, a));
    number<<<1, n, 0, a>>>(d);
    CHECK(cudaFreeAsync(d, b));
    CHECK(cudaDeviceSynchronize());
    return say(true);
}
