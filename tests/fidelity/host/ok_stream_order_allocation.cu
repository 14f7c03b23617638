// correct
// Memory of cudaMallocAsync, used in its stream and, behind an event, in another.
#include "host.h"
int main() {
    int h[n], *d, *d_out;
    cudaStream_t a, b;
    cudaEvent_t made, used;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaEventCreate(&made));
    CHECK(cudaEventCreate(&used));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMallocAsync(&d, bytes, a));
    number<<<1, n, 0, a>>>(d);
    CHECK(cudaEventRecord(made, a));
    CHECK(cudaStreamWaitEvent(b, made, 0));
    twice<<<1, n, 0, b>>>(d_out, d);
    CHECK(cudaEventRecord(used, b));
    CHECK(cudaStreamWaitEvent(a, used, 0));
    CHECK(cudaFreeAsync(d, a));
    CHECK(cudaStreamSynchronize(a));
    CHECK(cudaMemcpy(h, d_out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_out));
    return say(holds(h, 2, 0));
}
