// fault: stream-race; line: 20; with: 16
// Two streams read a buffer; the third writes it and waits for one of them only.
#include "host.h"
int main() {
    int *d, *d_first, *d_second;
    cudaStream_t a, b, c;
    cudaEvent_t done;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaStreamCreate(&c));
    CHECK(cudaEventCreate(&done));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_first, bytes));
    CHECK(cudaMalloc(&d_second, bytes));
    number<<<1, n>>>(d);
    twice<<<1, n, 0, a>>>(d_first, d);
    twice<<<1, n, 0, b>>>(d_second, d);
    CHECK(cudaEventRecord(done, b));
    CHECK(cudaStreamWaitEvent(c, done, 0));
    add_one<<<1, n, 0, c>>>(d);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_first));
    CHECK(cudaFree(d_second));
    return say(true);
}
