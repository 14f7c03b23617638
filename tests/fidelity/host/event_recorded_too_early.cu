// fault: stream-race; line: 16; with: 14
// The event stands before the kernel that the other stream needs.
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
    CHECK(cudaEventRecord(done, a));
    number<<<1, n, 0, a>>>(d);
    CHECK(cudaStreamWaitEvent(b, done, 0));
    twice<<<1, n, 0, b>>>(d_out, d);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    return say(true);
}
