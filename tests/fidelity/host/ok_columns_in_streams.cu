// correct
// Two streams copy the left and the right half of the same rows.
#include "host.h"
int main() {
    constexpr int width = 16, height = n / width;
    constexpr size_t half = width / 2 * sizeof(int), row = width * sizeof(int);
    int *h, *back, *d;
    size_t pitch;
    cudaStream_t streams[2];
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMallocHost(&back, bytes));
    CHECK(cudaMallocPitch(&d, &pitch, row, height));
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    for (int s = 0; s < 2; ++s) {
        CHECK(cudaStreamCreate(&streams[s]));
        char *side = reinterpret_cast<char*>(d) + s * half, *from = reinterpret_cast<char*>(h) + s * half,
             *to = reinterpret_cast<char*>(back) + s * half;
        CHECK(cudaMemcpy2DAsync(side, pitch, from, row, half, height, cudaMemcpyHostToDevice, streams[s]));
        CHECK(cudaMemcpy2DAsync(to, row, side, pitch, half, height, cudaMemcpyDeviceToHost, streams[s]));
    }
    CHECK(cudaDeviceSynchronize());
    const bool right = holds(back, 1, 0);
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    CHECK(cudaFreeHost(back));
    return say(right);
}
