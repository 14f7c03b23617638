// correct
// devices: 2
// A pool gives another device access to its memory.
#include "devices.h"

int main() {
    int* d;
    std::vector<int> h(n);
    cudaMemPool_t pool;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = 1;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    CHECK(cudaMemPoolSetAccess(pool, &access, 1));
    CHECK(cudaMallocAsync(&d, bytes, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaSetDevice(1));
    number<<<1, n>>>(d);
    CHECK(cudaMemcpy(h.data(), d, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFreeAsync(d, stream));
    CHECK(cudaStreamSynchronize(stream));
    return say(holds(h.data(), 1, 0));
}
