// correct
// Two streams read a buffer; the third writes it and waits for both.
#include "host.h"
int main() {
    int h[n], *d, *d_first, *d_second;
    cudaStream_t a, b, c;
    cudaEvent_t first, second;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaStreamCreate(&c));
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&second));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_first, bytes));
    CHECK(cudaMalloc(&d_second, bytes));
    number<<<1, n>>>(d);
    twice<<<1, n, 0, a>>>(d_first, d);
    CHECK(cudaEventRecord(first, a));
    twice<<<1, n, 0, b>>>(d_second, d);
    CHECK(cudaEventRecord(second, b));
    CHECK(cudaStreamWaitEvent(c, first, 0));
    CHECK(cudaStreamWaitEvent(c, second, 0));
    add_one<<<1, n, 0, c>>>(d);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h, d_first, bytes, cudaMemcpyDeviceToHost));
    bool right = holds(h, 2, 0);
    CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    right = right && holds(h, 1, 1);
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_first));
    CHECK(cudaFree(d_second));
    return say(right);
}
