// fault: deadlock; line: 17
// The lock is taken and never given back: the second thread waits for ever.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t err_ = (call);                                                       \
        if (err_ != cudaSuccess) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_)); \
            exit(2);                                                                     \
        }                                                                                \
    } while (0)

__global__ void count(int *total, int *lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *total += 1;
}

int main() {
    int *d_total, *d_lock;
    CHECK(cudaMalloc(&d_total, sizeof(int)));
    CHECK(cudaMalloc(&d_lock, sizeof(int)));
    CHECK(cudaMemset(d_total, 0, sizeof(int)));
    CHECK(cudaMemset(d_lock, 0, sizeof(int)));
    count<<<1, 2>>>(d_total, d_lock);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_total));
    CHECK(cudaFree(d_lock));
    return 0;
}
