// fault: async-race; line: 10; with: 9
// Registered host memory may be copied asynchronously, so it must not change before the copy is done.
#include "host.h"
int main() {
    int *h = static_cast<int*>(std::malloc(bytes)), *d;
    CHECK(cudaHostRegister(h, bytes, cudaHostRegisterDefault));
    CHECK(cudaMalloc(&d, bytes));
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    CHECK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, 0));
    h[3] = 0;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaHostUnregister(h));
    CHECK(cudaFree(d));
    std::free(h);
    return say(true);
}
