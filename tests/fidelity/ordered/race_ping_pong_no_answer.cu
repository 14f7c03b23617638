// fault: global-race; line: 11; with: 18
// The producer fills the slot again without waiting for its reader.
#include "ordered.h"

__global__ void pass(int* slot, volatile int* flag, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *slot = 1;
        __threadfence();
        *flag = 1;
        *slot = 2;
        __threadfence();
        *flag = 2;
    } else {
        while (*flag < 1) {
        }
        __threadfence();
        *out = *slot;
    }
}

int main() {
    int *slot = zeros<int>(1), *flag = zeros<int>(1), *out = zeros<int>(1);
    pass<<<2, 32>>>(slot, flag, out);
    return verdict(fetch(out, 1)[0] >= 1);
}
