// fault: async-race; line: 13; with: 11
// fwrite reads the pinned buffer before the copy into it is done.
#include "host.h"
int main() {
    int *h, *d;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream));
    std::FILE* file = std::tmpfile();
    std::fwrite(h, 1, bytes, file);
    std::fclose(file);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(true);
}
