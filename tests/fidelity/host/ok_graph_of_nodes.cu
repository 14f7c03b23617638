// correct
// Explicit nodes: set, two kernels, copy; the second launch runs the first kernel with another argument.
#include "host.h"
__global__ void add(int* x, int by) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] += by;
}
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t set, first, second, copy;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams zero = {};
    zero.dst = d;
    zero.elementSize = 4;
    zero.width = n;
    zero.height = 1;
    CHECK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &zero));
    int by = 5;
    void* arguments[] = {&d, &by};
    void* twice_arguments[] = {&d_out, &d};
    cudaKernelNodeParams p = {};
    p.func = (void*)add;
    p.gridDim = dim3(1);
    p.blockDim = dim3(n);
    p.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&first, graph, &set, 1, &p));
    cudaKernelNodeParams q = p;
    q.func = (void*)twice;
    q.kernelParams = twice_arguments;
    CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &q));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &second, 1, h, d_out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, nullptr));
    CHECK(cudaDeviceSynchronize());
    bool right = h[0] == 10 && h[n - 1] == 10;
    by = 7;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, first, &p));
    CHECK(cudaGraphLaunch(exec, nullptr));
    CHECK(cudaDeviceSynchronize());
    right = right && h[0] == 14 && h[n - 1] == 14;
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return say(right);
}
