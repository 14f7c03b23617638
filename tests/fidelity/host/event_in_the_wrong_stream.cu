// fault: stream-race; line: 16; with: 13
// The event is recorded in the stream that waits for it.
#include "host.h"
int main() {
    int *d, *d_out;
    cudaStream_t a, b;
    cudaEvent_t done;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaEventCreate(&done));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    number<<<1, n, 0, a>>>(d);
    CHECK(cudaEventRecord(done, b));
    CHECK(cudaStreamWaitEvent(b, done, 0));
    twice<<<1, n, 0, b>>>(d_out, d);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    return say(true);
}
