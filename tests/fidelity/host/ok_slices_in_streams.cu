// correct
// Four streams work on four quarters of the same buffers.
#include "host.h"
__global__ void triple(int* x) {
    x[threadIdx.x] *= 3;
}
int main() {
    constexpr int parts = 4, part = n / parts;
    int *h, *d;
    cudaStream_t streams[parts];
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    for (int s = 0; s < parts; ++s) {
        CHECK(cudaStreamCreate(&streams[s]));
        int *from = h + s * part, *to = d + s * part;
        CHECK(cudaMemcpyAsync(to, from, part * sizeof(int), cudaMemcpyHostToDevice, streams[s]));
        triple<<<1, part, 0, streams[s]>>>(to);
        CHECK(cudaMemcpyAsync(from, to, part * sizeof(int), cudaMemcpyDeviceToHost, streams[s]));
    }
    bool right = true;
    for (int s = 0; s < parts; ++s) {
        CHECK(cudaStreamSynchronize(streams[s]));
        for (int i = s * part; i < (s + 1) * part; ++i) right = right && h[i] == 3 * (i + 1);
        CHECK(cudaStreamDestroy(streams[s]));
    }
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(right);
}
