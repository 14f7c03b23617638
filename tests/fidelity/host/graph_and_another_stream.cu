// fault: stream-race; line: 21; with: 16
// What another stream reads is written by a graph that nothing makes it wait for.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaStream_t a, b;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    number<<<1, n, 0, a>>>(d);
    number<<<1, n, 0, a>>>(d);
    CHECK(cudaStreamEndCapture(a, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, a));
    // Here b should wait for an event in a.
    twice<<<1, n, 0, b>>>(d_out, d);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return 0;
}
