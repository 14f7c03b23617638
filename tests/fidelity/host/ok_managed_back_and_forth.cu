// correct
#include "host.h"

__global__ void step(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2 * x[i] + 1;
}

int main() {
    constexpr int n = 100000;
    int* x;
    cudaMallocManaged(&x, n * sizeof(int));
    for (int i = 0; i < n; ++i) x[i] = i;
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
    bool right = true;
    for (int round = 0; round < 3; ++round) {
        if (round == 1) cudaMemPrefetchAsync(x, n * sizeof(int), device, 0);
        step<<<(n + 255) / 256, 256>>>(x, n);
        if (round == 1) cudaMemPrefetchAsync(x, n * sizeof(int), host, 0);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; ++i) {
            const int power = 2 << round;
            right = right && x[i] == power * i + power - 1;
        }
    }
    cudaFree(x);
    std::puts(right ? "right" : "wrong");
}
