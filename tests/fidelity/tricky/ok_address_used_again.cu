// correct
// Memory is freed, and the next allocation may have its address; all of it is written before it is read.
#include "tricky.h"

__global__ void put(int* d, int value) {
    d[threadIdx.x] = value;
}
__global__ void add(int* d) {
    d[threadIdx.x] += 1;
}

int main() {
    int last = 0;
    for (int trip = 0; trip < 5; ++trip) {
        int* d = nullptr;
        cudaMalloc(&d, 64 * sizeof(int));
        put<<<1, 64>>>(d, trip);
        add<<<1, 64>>>(d);
        cudaMemcpy(&last, d + 63, sizeof last, cudaMemcpyDeviceToHost);
        cudaFree(d);
    }
    return verdict(last == 5);
}
