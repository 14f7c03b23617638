// correct
// Constant memory: a struct and an array, read by all, changed by the host between two launches.
#include "tricky.h"

struct Setup {
    float weight[3];
    char mode;
    double bias;
};
__constant__ Setup setup;
__constant__ int table[5];

__global__ void use(float* out) {
    const Setup here = setup;
    out[threadIdx.x] =
        here.weight[threadIdx.x % 3] + table[threadIdx.x % 5] + static_cast<float>(here.bias) + here.mode;
}

int main() {
    float* out = zeros<float>(32);
    const int numbers[5] = {1, 2, 3, 4, 5};
    cudaMemcpyToSymbol(table, numbers, sizeof numbers);
    Setup s{{1, 2, 3}, 1, 0.5};
    cudaMemcpyToSymbol(setup, &s, sizeof s);
    use<<<1, 32>>>(out);
    s.bias = 1.5;
    cudaMemcpyToSymbol(setup, &s, sizeof s);
    use<<<1, 32>>>(out);
    return verdict(fetch(out, 32)[4] == 2 + 5 + 1.5f + 1);
}
