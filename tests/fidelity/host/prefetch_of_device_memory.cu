// fault: api-misuse; line: 8
#include "host.h"

int main() {
    int* d_x;
    cudaMalloc(&d_x, 1024);
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
    cudaMemPrefetchAsync(d_x, 1024, device, 0);
    cudaFree(d_x);
}
