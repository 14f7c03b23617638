// fault: global-race; line: 16; with: 8
// The reader's fence orders for its own block alone, and the writer is in another one.
#include "ordered.h"

__global__ void pass(float* data, volatile int* flag, float* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 1.5f;
        __threadfence();
        *flag = 1;
        return;
    }
    while (*flag == 0) {
    }
    __threadfence_block();
    *out = *data;
}

int main() {
    float *data = zeros<float>(1), *out = zeros<float>(1);
    int* flag = zeros<int>(1);
    pass<<<2, 32>>>(data, flag, out);
    return verdict(fetch(out, 1)[0] == 1.5f);
}
