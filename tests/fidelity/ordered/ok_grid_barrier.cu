// correct
// All blocks meet at a counter between the phases of one launch.
#include "ordered.h"

__device__ unsigned arrived;

__device__ void meet(unsigned phase) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < (phase + 1) * gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void diffuse(float* a, float* b, int n, int phases) {
    for (int p = 0; p < phases; ++p) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            const float left = i > 0 ? a[i - 1] : a[i], right = i < n - 1 ? a[i + 1] : a[i];
            b[i] = (left + right) / 2;
        }
        meet(p);
        float* c = a;
        a = b;
        b = c;
    }
}

int main() {
    const int n = 500, phases = 5;
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i % 16);
    float *a = upload(values), *b = zeros<float>(n);
    diffuse<<<4, 64>>>(a, b, n, phases);
    for (int p = 0; p < phases; ++p) {
        const auto old = values;
        for (int i = 0; i < n; ++i)
            values[i] = ((i > 0 ? old[i - 1] : old[i]) + (i < n - 1 ? old[i + 1] : old[i])) / 2;
    }
    return verdict(fetch(b, n) == values);
}
