// Lesson 09 on a real H200: three streams and two buffers. How many of 1000 runs come out wrong, and how many records?
#include <cstdio>
#include <cuda_runtime.h>
__device__ unsigned seal(unsigned x) { x = (x ^ x >> 16) * 2654435769u; x = (x ^ x >> 15) * 2246822519u; return x ^ x >> 16; }
__global__ void seal_kernel(unsigned* d_x, int n) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) d_x[i] = seal(d_x[i]);
}
static unsigned host_seal(unsigned x) { x = (x ^ x >> 16) * 2654435769u; x = (x ^ x >> 15) * 2246822519u; return x ^ x >> 16; }
int main() {
    for (int chunk : {100, 1000, 98304}) {
        int n = 6 * chunk - 5, bad_runs = 0;
        long long bad_records = 0;
        unsigned *in, *out, *d_x;
        cudaMallocHost(&in, n * 4); cudaMallocHost(&out, n * 4); cudaMalloc(&d_x, 3 * chunk * 4);
        for (int i = 0; i < n; ++i) in[i] = 1000 + i;
        cudaStream_t stream[3];
        for (auto& s : stream) cudaStreamCreate(&s);
        for (int run = 0; run < 1000; ++run) {
            for (int i = 0; i < n; ++i) out[i] = 0;
            for (int first = 0, c = 0; first < n; first += chunk, ++c) {
                int count = n - first < chunk ? n - first : chunk;
                unsigned* d = d_x + c % 2 * chunk;
                cudaMemcpyAsync(d, in + first, count * 4, cudaMemcpyHostToDevice, stream[c % 3]);
                seal_kernel<<<8, 256, 0, stream[c % 3]>>>(d, count);
                cudaMemcpyAsync(out + first, d, count * 4, cudaMemcpyDeviceToHost, stream[c % 3]);
            }
            cudaDeviceSynchronize();
            long long bad = 0;
            for (int i = 0; i < n; ++i) bad += out[i] != host_seal(1000 + i);
            bad_records += bad; bad_runs += bad != 0;
        }
        printf("chunks of %d: %d of 1000 runs wrong, %lld records of %lld\n", chunk, bad_runs, bad_records, 1000LL * n);
    }
}
