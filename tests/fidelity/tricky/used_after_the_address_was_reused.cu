// fault: use-after-free; line: 6
// A pointer into freed memory is used, while the host holds another allocation.
#include "tricky.h"

__global__ void put(int* d) {
    d[threadIdx.x] = threadIdx.x;
}

int main() {
    int *d = nullptr, *e = nullptr;
    cudaMalloc(&d, 128);
    cudaFree(d);
    cudaMalloc(&e, 128);
    put<<<1, 32>>>(d);
    return verdict(true);
}
