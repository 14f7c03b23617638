// fault: api-misuse; line: 22
// The second stream is forked into the capture, and nothing joins it.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaStream_t a, b;
    cudaEvent_t forked;
    cudaGraph_t graph;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaEventCreate(&forked));
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(forked, a));
    CHECK(cudaStreamWaitEvent(b, forked, 0));
    number<<<1, n, 0, a>>>(d);
    number<<<1, n, 0, b>>>(d_out);

    // Here a should wait for b.
    if (cudaStreamEndCapture(a, &graph) != cudaSuccess) cudaGetLastError();
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return 0;
}
