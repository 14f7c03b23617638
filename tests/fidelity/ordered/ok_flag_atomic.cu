// correct
// The flag is raised by atomicExch and read by an atomicAdd of nothing.
#include "ordered.h"

__global__ void pass(float* data, int* flag, float* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 1) {
        for (int i = 0; i < 10; ++i) data[i] = 0.5f * i;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        float sum = 0.0f;
        for (int i = 0; i < 10; ++i) sum += data[i];
        out[0] = sum;
    }
}

int main() {
    float *data = zeros<float>(10), *out = zeros<float>(1);
    int* flag = zeros<int>(1);
    pass<<<2, 32>>>(data, flag, out);
    return verdict(fetch(out, 1)[0] == 22.5f);
}
