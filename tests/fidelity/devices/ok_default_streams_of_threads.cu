// correct
// default-stream: per-thread
// Each thread's launches and copies are in its own default stream, which cudaStreamSynchronize(0) waits for.
#include "devices.h"

void work(int factor, int* h) {
    int* d;
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n>>>(d, factor);
    add_one<<<1, n>>>(d);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaStreamSynchronize(0));
    CHECK(cudaFree(d));
}

int main() {
    int *first, *second;
    CHECK(cudaMallocHost(&first, bytes));
    CHECK(cudaMallocHost(&second, bytes));
    std::thread a(work, 1, first), b(work, 2, second);
    a.join();
    b.join();
    const bool right = holds(first, 1, 1) && holds(second, 2, 1);
    CHECK(cudaFreeHost(first));
    CHECK(cudaFreeHost(second));
    return say(right);
}
