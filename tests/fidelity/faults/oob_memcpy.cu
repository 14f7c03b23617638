// fault: oob-global; line: 17
// memcpy in the kernel copies more than the buffer holds.
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

__global__ void copy(char *out, const char *in, int n) {
    memcpy(out, in, n);
}

int main() {
    char *d_out, *d_in;
    CHECK(cudaMalloc(&d_out, 16));
    CHECK(cudaMalloc(&d_in, 64));
    CHECK(cudaMemset(d_in, 1, 64));
    copy<<<1, 1>>>(d_out, d_in, 20);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_in));
    return 0;
}
