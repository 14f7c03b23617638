// fault: async-race; line: 22; with: 16
// The host reads what the graph copies without waiting for it.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    number<<<1, n, 0, stream>>>(d);
    twice<<<1, n, 0, stream>>>(d_out, d);

    cudaGraph_t graph;
    CHECK(cudaMemcpyAsync(h, d_out, bytes, cudaMemcpyDeviceToHost, stream));
    cudaGraphExec_t exec;
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));

    if (h[0] != 2) std::puts("wrong");
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return 0;
}
