// fault: stream-race; line: 27; with: 26
// Two nodes without a dependency between them write and read one buffer.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t writer, reader;
    CHECK(cudaGraphCreate(&graph, 0));
    void* number_arguments[] = {&d};
    void* twice_arguments[] = {&d_out, &d};
    cudaKernelNodeParams p = {};
    p.func = (void*)number;
    p.gridDim = dim3(1);
    p.blockDim = dim3(n);
    p.kernelParams = number_arguments;
    cudaKernelNodeParams q = p;
    q.func = (void*)twice;
    q.kernelParams = twice_arguments;
    CHECK(cudaMemset(d, 0, bytes));
    CHECK(cudaMemset(d_out, 0, bytes));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphAddKernelNode(&writer, graph, nullptr, 0, &p));
    CHECK(cudaGraphAddKernelNode(&reader, graph, nullptr, 0, &q));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, nullptr));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return 0;
}
