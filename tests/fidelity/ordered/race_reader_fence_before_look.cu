// fault: global-race; line: 18; with: 8
// The reader's fence stands in front of its look at the flag, so it orders nothing that is read behind it.
#include "ordered.h"

__global__ void pass(int* data, volatile int* flag, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
        return;
    }
    for (;;) {
        __threadfence();
        if (*flag != 0) break;
        __nanosleep(20);
    }
    *out = *data;
}

int main() {
    int *data = zeros<int>(1), *flag = zeros<int>(1), *out = zeros<int>(1);
    pass<<<2, 32>>>(data, flag, out);
    return verdict(fetch(out, 1)[0] == 42);
}
