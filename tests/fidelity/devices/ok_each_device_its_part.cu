// correct
// devices: 4
// Each device has memory, a stream and a part of the work; the host collects.
#include "devices.h"

int main() {
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    std::vector<int*> d(count), h(count);
    std::vector<cudaStream_t> streams(count);
    for (int k = 0; k < count; ++k) {
        CHECK(cudaSetDevice(k));
        CHECK(cudaStreamCreate(&streams[k]));
        CHECK(cudaMalloc(&d[k], bytes));
        CHECK(cudaMallocHost(&h[k], bytes));
        number<<<1, n, 0, streams[k]>>>(d[k], k + 1);
        CHECK(cudaMemcpyAsync(h[k], d[k], bytes, cudaMemcpyDeviceToHost, streams[k]));
    }
    bool right = count == 4;
    for (int k = 0; k < count; ++k) {
        CHECK(cudaStreamSynchronize(streams[k]));
        right = right && holds(h[k], k + 1, 0);
        int device = -1;
        CHECK(cudaStreamGetDevice(streams[k], &device));
        right = right && device == k;
    }
    for (int k = 0; k < count; ++k) {
        CHECK(cudaFree(d[k]));  // from another device than its own: allowed
        CHECK(cudaFreeHost(h[k]));
        CHECK(cudaStreamDestroy(streams[k]));
    }
    return say(right);
}
