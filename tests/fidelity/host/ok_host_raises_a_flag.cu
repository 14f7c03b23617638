// correct
// A kernel waits for a flag in mapped memory; the host writes the input after the launch, and then raises the flag.
#include "host.h"
__global__ void wait_and_add(volatile int* flag, volatile int* in, int* out) {
    while (*flag == 0) {
    }
    __threadfence_system();
    *out = *in + 1;
}
int main() {
    int *h, *d;
    CHECK(cudaHostAlloc(&h, 3 * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&d, h, 0));
    h[0] = h[1] = h[2] = 0;
    wait_and_add<<<1, 1>>>(d, d + 1, d + 2);
    h[1] = 41;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    *static_cast<volatile int*>(h) = 1;
    CHECK(cudaDeviceSynchronize());
    const bool right = h[2] == 42;
    CHECK(cudaFreeHost(h));
    return say(right);
}
