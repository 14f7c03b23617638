// correct
// All threads of the waiting block poll the flag themselves.
#include "ordered.h"

__global__ void pass(int* data, volatile int* flag, int* out) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            *data = 42;
            __threadfence();
            *flag = 1;
        }
        return;
    }
    while (*flag == 0) {
    }
    __threadfence();
    out[threadIdx.x] = *data + threadIdx.x;
}

int main() {
    int *data = zeros<int>(1), *flag = zeros<int>(1), *out = zeros<int>(96);
    pass<<<2, 96>>>(data, flag, out);
    const auto got = fetch(out, 96);
    bool right = true;
    for (int i = 0; i < 96; ++i) right = right && got[i] == 42 + i;
    return verdict(right);
}
