// correct
// devices: 2
// Copies need no peer access: what the devices cannot do goes through the host.
#include "devices.h"

int main() {
    int *d_from, *d_to;
    std::vector<int> h(n);
    cudaPointerAttributes a, b;
    CHECK(cudaMalloc(&d_from, bytes));
    number<<<1, n>>>(d_from);
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&d_to, bytes));
    CHECK(cudaMemcpy(d_to, d_from, bytes, cudaMemcpyDefault));
    CHECK(cudaMemcpy(h.data(), d_to, bytes, cudaMemcpyDefault));
    CHECK(cudaPointerGetAttributes(&a, d_from));
    CHECK(cudaPointerGetAttributes(&b, d_to));
    const bool right = a.device == 0 && b.device == 1 && holds(h.data(), 1, 0);
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
    return say(right);
}
