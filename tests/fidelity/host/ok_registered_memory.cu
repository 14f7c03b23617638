// correct
// A kernel works on registered host memory.
#include "host.h"
int main() {
    int *h = static_cast<int*>(std::malloc(bytes)), *d;
    CHECK(cudaHostRegister(h, bytes, cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&d, h, 0));
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    add_one<<<1, n>>>(d);
    CHECK(cudaDeviceSynchronize());
    const bool right = holds(h, 1, 1);
    CHECK(cudaHostUnregister(h));
    std::free(h);
    return say(right);
}
