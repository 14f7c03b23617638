// correct
// The host polls a flag in mapped memory that a kernel raises after its results.
#include "host.h"
__global__ void work(volatile int* result, volatile int* flag) {
    *result = 42;
    __threadfence_system();
    *flag = 1;
}
int main() {
    int *h, *d;
    CHECK(cudaHostAlloc(&h, 2 * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&d, h, 0));
    h[0] = h[1] = 0;
    work<<<1, 1>>>(d, d + 1);
    volatile int* flag = h + 1;
    while (*flag == 0) {
    }
    const bool right = h[0] == 42;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFreeHost(h));
    return say(right);
}
