// correct
#include "host.h"
__managed__ int counter = 5;
__global__ void raise() {
    counter += 2;
}
int main() {
    int* x;
    CHECK(cudaMallocManaged(&x, bytes));
    number<<<1, n>>>(x);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) x[i] += 1;
    add_one<<<1, n>>>(x);
    raise<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    const bool right = holds(x, 1, 2) && counter == 7;
    CHECK(cudaFree(x));
    return say(right);
}
