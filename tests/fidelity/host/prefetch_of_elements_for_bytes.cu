// fault: api-misuse; line: 11
#include "host.h"

int main() {
    constexpr int n = 1000;
    int* x;
    cudaMallocManaged(&x, n * sizeof(int));
    for (int i = 0; i < n; ++i) x[i] = i;
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
    // The second argument is in bytes, and this is four times as many.
    cudaMemPrefetchAsync(x, n * sizeof(int) * sizeof(int), device, 0);
    cudaDeviceSynchronize();
    cudaFree(x);
}
