// correct
// A pipeline is captured once and launched three times, with new input each time.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream));
    twice<<<1, n, 0, stream>>>(d_out, d);
    CHECK(cudaMemcpyAsync(h, d_out, bytes, cudaMemcpyDeviceToHost, stream));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    bool right = true;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < n; ++i) h[i] = i + 1;
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        right = right && holds(h, 2, 0);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return say(right);
}
