// correct
// Blocking streams wait for the default stream, and it for them.
#include "host.h"
int main() {
    int h[n], *d, *d_out;
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    number<<<1, n, 0, a>>>(d);
    add_one<<<1, n>>>(d);
    twice<<<1, n, 0, b>>>(d_out, d);
    CHECK(cudaMemcpy(h, d_out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_out));
    return say(holds(h, 2, 2));
}
