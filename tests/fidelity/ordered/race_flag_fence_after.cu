// fault: global-race; line: 15
// The fence comes after the flag instead of before it.
#include "ordered.h"

__global__ void pass(int* data, volatile int* flag, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        *flag = 1;
        __threadfence();
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *data;
    }
}

int main() {
    int *data = zeros<int>(1), *flag = zeros<int>(1), *out = zeros<int>(1);
    pass<<<2, 32>>>(data, flag, out);
    return verdict(fetch(out, 1)[0] == 42);
}
