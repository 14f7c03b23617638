// fault: use-after-free; line: 25
// A kernel uses a buffer that its own stream has given back.
#include "host.h"
int main() {
    int* d;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocAsync(&d, bytes, stream));
    CHECK(cudaFreeAsync(d, stream));
    number<<<1, n, 0, stream>>>(d);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
