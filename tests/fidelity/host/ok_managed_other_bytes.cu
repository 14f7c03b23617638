// correct
// The host writes the odd bytes of a managed buffer while a kernel writes the even ones.
#include "host.h"
__global__ void even(char* x) {
    x[2 * threadIdx.x] = 1;
}
int main() {
    char* x;
    CHECK(cudaMallocManaged(&x, 64));
    even<<<1, 32>>>(x);
    for (int i = 1; i < 64; i += 2) x[i] = 2;
    CHECK(cudaDeviceSynchronize());
    bool right = true;
    for (int i = 0; i < 64; ++i) right = right && x[i] == 1 + i % 2;
    CHECK(cudaFree(x));
    return say(right);
}
