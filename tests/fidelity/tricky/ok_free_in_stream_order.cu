// correct
// Two streams: the second frees in its own order what the first has used, after an event.
#include "tricky.h"

__global__ void put(int* d) {
    d[threadIdx.x] = threadIdx.x;
}
__global__ void get(const int* d, int* out) {
    out[threadIdx.x] = d[threadIdx.x];
}

int main() {
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEvent_t done;
    cudaEventCreate(&done);
    int *d = nullptr, *out = zeros<int>(32);
    cudaMallocAsync(reinterpret_cast<void**>(&d), 128, a);
    put<<<1, 32, 0, a>>>(d);
    cudaEventRecord(done, a);
    cudaStreamWaitEvent(b, done, 0);
    get<<<1, 32, 0, b>>>(d, out);
    cudaFreeAsync(d, b);
    cudaDeviceSynchronize();
    return verdict(fetch(out, 32)[31] == 31);
}
