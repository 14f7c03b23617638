// correct
// Copy, kernel and copy back in three streams, with an event between each two.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    cudaStream_t up, work, down;
    cudaEvent_t arrived, done;
    CHECK(cudaStreamCreate(&up));
    CHECK(cudaStreamCreate(&work));
    CHECK(cudaStreamCreate(&down));
    CHECK(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    CHECK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, up));
    CHECK(cudaEventRecord(arrived, up));
    CHECK(cudaStreamWaitEvent(work, arrived, 0));
    twice<<<1, n, 0, work>>>(d_out, d);
    CHECK(cudaEventRecord(done, work));
    CHECK(cudaStreamWaitEvent(down, done, 0));
    CHECK(cudaMemcpyAsync(h, d_out, bytes, cudaMemcpyDeviceToHost, down));
    CHECK(cudaStreamSynchronize(down));
    const bool right = holds(h, 2, 0);
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return say(right);
}
