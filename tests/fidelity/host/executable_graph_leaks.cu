// advice: leak; line: 16
// The graph is destroyed, as it should be, and the executable graph is forgotten.
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
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return 0;
}
