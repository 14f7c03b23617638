// Lesson 09 on a real H200: the exercise's pipeline, timed on the host from first call to last wait, best of 200.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void seal_kernel(unsigned* d_x, int n) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned x = d_x[i];
        x = (x ^ x >> 16) * 2654435769u;
        x = (x ^ x >> 15) * 2246822519u;
        d_x[i] = x ^ x >> 16;
    }
}
enum Fault { none, default_stream, sync_copy };
static double run(unsigned* h_in, unsigned* h_out, int n, int chunk, int streams, int blocks, Fault fault = none) {
    unsigned* d_x;
    cudaMalloc(&d_x, size_t(streams) * chunk * sizeof(unsigned));
    cudaStream_t stream[8];
    for (int s = 0; s < streams; ++s) cudaStreamCreate(&stream[s]);
    double best = 1e9;
    for (int round = 0; round < 200; ++round) {
        cudaDeviceSynchronize();
        auto begin = std::chrono::steady_clock::now();
        for (int first = 0, c = 0; first < n; first += chunk, ++c) {
            int s = c % streams, count = n - first < chunk ? n - first : chunk;
            unsigned* d = d_x + size_t(s) * chunk;
            if (fault == sync_copy) cudaMemcpy(d, h_in + first, count * 4ull, cudaMemcpyHostToDevice);
            else cudaMemcpyAsync(d, h_in + first, count * 4ull, cudaMemcpyHostToDevice, stream[s]);
            seal_kernel<<<blocks, 256, 0, fault == default_stream ? cudaStream_t(0) : stream[s]>>>(d, count);
            cudaMemcpyAsync(h_out + first, d, count * 4ull, cudaMemcpyDeviceToHost, stream[s]);
        }
        for (int s = 0; s < streams; ++s) cudaStreamSynchronize(stream[s]);
        double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
        if (us < best) best = us;
    }
    for (int s = 0; s < streams; ++s) cudaStreamDestroy(stream[s]);
    cudaFree(d_x);
    return best;
}
static void all(int n, const char* name) {
    unsigned *in, *out, *pageable_in = (unsigned*)malloc(n * 4ull), *pageable_out = (unsigned*)malloc(n * 4ull);
    cudaMallocHost(&in, n * 4ull);
    cudaMallocHost(&out, n * 4ull);
    for (int i = 0; i < n; ++i) in[i] = pageable_in[i] = i, pageable_out[i] = 0;
    printf("%s, %d records\n", name, n);
    for (int streams : {1, 2, 3, 4}) printf("6 chunks, %d streams: %.1f us\n", streams, run(in, out, n, (n + 5) / 6, streams, 8));
    for (int chunks : {1, 2, 3, 6, 12, 24, 48}) printf("%d chunks, 3 streams: %.1f us\n", chunks, run(in, out, n, (n + chunks - 1) / chunks, 3, 8));
    printf("6 chunks, 3 streams, 132 blocks: %.1f us\n", run(in, out, n, (n + 5) / 6, 3, 132));
    printf("6 chunks, 3 streams, pageable: %.1f us\n", run(pageable_in, pageable_out, n, (n + 5) / 6, 3, 8));
    printf("6 chunks, 3 streams, kernel in the default stream: %.1f us\n", run(in, out, n, (n + 5) / 6, 3, 8, default_stream));
    printf("6 chunks, 3 streams, cudaMemcpy in: %.1f us\n", run(in, out, n, (n + 5) / 6, 3, 8, sync_copy));
    printf("last error: %s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFreeHost(in); cudaFreeHost(out); free(pageable_in); free(pageable_out);
}
int main() {
    all(589819, "as in the exercise");
    all(64 << 20, "256 MiB");
}
