// correct
// A host function runs when its stream gets there, and sees what came before it.
#include "host.h"
struct Job {
    int* h;
    bool right;
};
void look(void* p) {
    Job* job = static_cast<Job*>(p);
    job->right = holds(job->h, 1, 0);
}
int main() {
    int *h, *d;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    Job job{h, false};
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, look, &job));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(job.right);
}
