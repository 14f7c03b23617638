// advice: leak; line: 14
// The executable graph is destroyed, and the graph that it was made of is forgotten.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&stream));
    // The graph's line is that at which its capture begins.
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return 0;
}
