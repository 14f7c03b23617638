// correct
// Two streams copy from the same buffers and read the same input: readers do not race.
#include "host.h"
int main() {
    int *h, *d, *d_first, *d_second;
    cudaStream_t a, b;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaMallocHost(&h, 2 * bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_first, bytes));
    CHECK(cudaMalloc(&d_second, bytes));
    number<<<1, n>>>(d);
    CHECK(cudaDeviceSynchronize());
    twice<<<1, n, 0, a>>>(d_first, d);
    twice<<<1, n, 0, b>>>(d_second, d);
    CHECK(cudaMemcpyAsync(h, d_first, bytes, cudaMemcpyDeviceToHost, a));
    CHECK(cudaMemcpyAsync(h + n, d_second, bytes, cudaMemcpyDeviceToHost, b));
    CHECK(cudaStreamSynchronize(a));
    CHECK(cudaStreamSynchronize(b));
    const bool right = holds(h, 2, 0) && holds(h + n, 2, 0);
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_first));
    CHECK(cudaFree(d_second));
    CHECK(cudaFreeHost(h));
    return say(right);
}
