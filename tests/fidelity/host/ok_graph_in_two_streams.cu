// correct
// One executable graph launched in two streams: its launches wait for each other by themselves.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaStream_t a, b;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    number<<<1, n, 0, a>>>(d);
    CHECK(cudaStreamSynchronize(a));
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
    add_one<<<1, n, 0, a>>>(d);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamEndCapture(a, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, a));
    CHECK(cudaGraphLaunch(exec, b));
    CHECK(cudaStreamSynchronize(b));
    CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    const bool right = holds(h, 1, 2);
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return say(right);
}
