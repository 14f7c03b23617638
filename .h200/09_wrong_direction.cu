// Does an H200 refuse cudaMemcpyDeviceToHost from pinned host memory to the device? And from pageable memory?
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
int main() {
    int *pinned, *d; int* pageable = (int*)malloc(4096);
    cudaMallocHost(&pinned, 4096); cudaMalloc(&d, 4096);
    cudaStream_t s; cudaStreamCreate(&s);
    printf("pinned: %s\n", cudaGetErrorName(cudaMemcpyAsync(d, pinned, 4096, cudaMemcpyDeviceToHost, s)));
    printf("pageable: %s\n", cudaGetErrorName(cudaMemcpyAsync(d, pageable, 4096, cudaMemcpyDeviceToHost, s)));
    printf("wait: %s\n", cudaGetErrorName(cudaStreamSynchronize(s)));
}
