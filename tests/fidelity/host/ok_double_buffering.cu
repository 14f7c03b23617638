// correct
// The classic pipeline: two buffers, two streams, and an event that says when a pinned buffer may be filled again.
#include "host.h"
int main() {
    constexpr int rounds = 6;
    int *h[2], *d[2], sum = 0;
    cudaStream_t stream[2];
    cudaEvent_t free_again[2];
    for (int s = 0; s < 2; ++s) {
        CHECK(cudaStreamCreate(&stream[s]));
        CHECK(cudaEventCreate(&free_again[s]));
        CHECK(cudaMallocHost(&h[s], bytes));
        CHECK(cudaMalloc(&d[s], bytes));
    }
    for (int round = 0; round < rounds; ++round) {
        const int s = round % 2;
        CHECK(cudaEventSynchronize(free_again[s]));
        if (round >= 2) sum += h[s][0];
        for (int i = 0; i < n; ++i) h[s][i] = round;
        CHECK(cudaMemcpyAsync(d[s], h[s], bytes, cudaMemcpyHostToDevice, stream[s]));
        add_one<<<1, n, 0, stream[s]>>>(d[s]);
        CHECK(cudaMemcpyAsync(h[s], d[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
        CHECK(cudaEventRecord(free_again[s], stream[s]));
    }
    CHECK(cudaDeviceSynchronize());
    sum += h[0][0] + h[1][0];
    for (int s = 0; s < 2; ++s) {
        CHECK(cudaFree(d[s]));
        CHECK(cudaFreeHost(h[s]));
    }
    return say(sum == 21);
}
