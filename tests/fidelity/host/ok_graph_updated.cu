// correct
// A capture of each round's own work; the executable graph is updated where the shape is the same, and made anew where
// it is not.
#include "host.h"
cudaGraph_t capture(cudaStream_t stream, int* d, int kernels) {
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < kernels; ++i) add_one<<<1, n, 0, stream>>>(d);
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    number<<<1, n, 0, stream>>>(d);
    number<<<1, n, 0, stream>>>(d_out);
    cudaGraphExec_t exec;
    cudaGraph_t graph = capture(stream, d, 2);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphLaunch(exec, stream));
    graph = capture(stream, d_out, 2);
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, graph, &info));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaMemcpyAsync(h, d_out, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    bool right = holds(h, 1, 2);
    CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    right = right && holds(h, 1, 2);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return say(right);
}
