// correct
// Two branches on two buffers, joined by events before a third kernel reads both.
#include "host.h"
__global__ void sum(int* out, const int* a, const int* b) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = a[i] + b[i];
}
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    int* d_sum;
    CHECK(cudaMalloc(&d_sum, bytes));
    cudaStream_t a, b;
    cudaEvent_t forked, joined;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaEventCreate(&forked));
    CHECK(cudaEventCreate(&joined));
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(forked, a));
    CHECK(cudaStreamWaitEvent(b, forked, 0));
    number<<<1, n, 0, a>>>(d);
    number<<<1, n, 0, b>>>(d_out);
    add_one<<<1, n, 0, b>>>(d_out);
    CHECK(cudaEventRecord(joined, b));
    CHECK(cudaStreamWaitEvent(a, joined, 0));
    sum<<<1, n, 0, a>>>(d_sum, d, d_out);
    CHECK(cudaMemcpyAsync(h, d_sum, bytes, cudaMemcpyDeviceToHost, a));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamEndCapture(a, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, b));
    CHECK(cudaStreamSynchronize(b));
    const bool right = holds(h, 2, 1);
    CHECK(cudaFree(d_sum));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return say(right);
}
