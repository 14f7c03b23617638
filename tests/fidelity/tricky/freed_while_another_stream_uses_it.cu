// fault: stream-race; line: 17; with: 16
// One stream frees in its order what a kernel of another stream may still write.
#include "tricky.h"

__global__ void put(int* d) {
    d[threadIdx.x] = threadIdx.x;
}

int main() {
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    int* d = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&d), 128, a);
    cudaStreamSynchronize(a);
    put<<<1, 32, 0, b>>>(d);
    cudaFreeAsync(d, a);
    cudaDeviceSynchronize();
    return verdict(true);
}
