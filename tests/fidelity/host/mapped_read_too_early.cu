// fault: async-race; line: 10; with: 9
// A kernel writes mapped host memory, and the host reads it without a wait.
#include "host.h"
int main() {
    int *h, *d;
    CHECK(cudaHostAlloc(&h, bytes, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&d, h, 0));
    for (int i = 0; i < n; ++i) h[i] = 0;
    number<<<1, n>>>(d);
    const int first = h[0];
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFreeHost(h));
    return say(first == 1);
}
