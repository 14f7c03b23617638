// correct
// The host asks again and again, and reads when the answer is yes.
#include "host.h"
int main() {
    int *h, *d;
    cudaStream_t stream;
    cudaEvent_t done;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&done));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaEventRecord(done, stream));
    int asked = 0;
    cudaError_t answer;
    while ((answer = cudaEventQuery(done)) == cudaErrorNotReady) ++asked;
    CHECK(answer);
    const bool right = holds(h, 1, 0);
    CHECK(cudaStreamQuery(stream));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(right && asked > 0);
}
