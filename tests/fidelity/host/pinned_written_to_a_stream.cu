// fault: async-race; line: 13; with: 11
// std::ostream::write does.
#include "host.h"
int main() {
    int *h, *d;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocHost(&h, bytes));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream));
    std::ostringstream file;
    file.write(reinterpret_cast<const char*>(h), bytes);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return say(true);
}
