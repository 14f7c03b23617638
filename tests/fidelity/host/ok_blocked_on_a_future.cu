// correct
// The host waits outside of the API, on what a queued host function sets.
#include "host.h"
int main() {
    int *h, *d;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    std::promise<void> done;
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(
        stream, [](void* p) { static_cast<std::promise<void>*>(p)->set_value(); }, &done));
    done.get_future().wait();
    CHECK(cudaStreamSynchronize(stream));
    const bool right = holds(h, 1, 0);
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(right);
}
