// fault: api-misuse; line: 11
// A host function must not call the CUDA API.
#include "host.h"
void free_it(void* d) {
    cudaFree(d);
}
int main() {
    int* d;
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n>>>(d);
    CHECK(cudaLaunchHostFunc(0, free_it, d));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    return say(true);
}
