// fault: api-misuse; line: 14
// The wait stands where nothing runs.
#include "host.h"
int main() {
    int *h, *d, *d_out;
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaStream_t stream;
    cudaGraph_t graph;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    number<<<1, n, 0, stream>>>(d);
    if (cudaStreamSynchronize(stream) != cudaSuccess) std::puts("wrong");
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess) cudaGetLastError();
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(h));
    return 0;
}
