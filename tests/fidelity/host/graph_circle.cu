// fault: api-misuse; line: 24
// The second edge closes a circle: neither node could begin.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[2], back[2];
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddEmptyNode(&nodes[0], graph, nullptr, 0));
    CHECK(cudaGraphAddEmptyNode(&nodes[1], graph, &nodes[0], 1));
    back[0] = nodes[1];
    back[1] = nodes[0];
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddDependencies(graph, &back[0], &back[1], nullptr, 1));
#else
    CHECK(cudaGraphAddDependencies(graph, &back[0], &back[1], 1));
#endif
    const cudaError_t error =

        cudaGraphInstantiate(&exec, graph, 0);
    if (error == cudaSuccess) std::puts("wrong");
    CHECK(cudaGraphDestroy(graph));
    cudaGetLastError();
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return 0;
}
