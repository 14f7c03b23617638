// correct
// The graph allocates its scratch memory itself and frees it.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    int* d_scratch;
    CHECK(cudaMallocAsync(&d_scratch, bytes, stream));
    number<<<1, n, 0, stream>>>(d_scratch);
    twice<<<1, n, 0, stream>>>(d_out, d_scratch);
    CHECK(cudaFreeAsync(d_scratch, stream));
    CHECK(cudaMemcpyAsync(h, d_out, bytes, cudaMemcpyDeviceToHost, stream));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int round = 0; round < 2; ++round) CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    const bool right = holds(h, 2, 0);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return say(right);
}
