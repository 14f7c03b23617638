// fault: global-race; line: 26; with: 11
// The reader fences behind its look at the first flag, and not behind the one at the second.
#include "ordered.h"

__global__ void pass(int* a, int* b, volatile int* flags, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x < 2) {
        if (blockIdx.x == 0) {
            *a = 1;
        } else {
            *b = 2;
        }
        __threadfence();
        flags[blockIdx.x] = 1;
        return;
    }
    int sum = 0;
    while (flags[0] == 0) {
    }
    __threadfence();
    sum += *a;
    while (flags[1] == 0) {
    }
    sum += *a;
    sum += sum;
    sum += *b;
    *out = sum;
}

int main() {
    int *a = zeros<int>(1), *b = zeros<int>(1), *flags = zeros<int>(2), *out = zeros<int>(1);
    pass<<<3, 32>>>(a, b, flags, out);
    return verdict(fetch(out, 1)[0] == 6);
}
