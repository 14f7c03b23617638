// correct
// A hands to B, B hands to C: C reads what A wrote.
#include "ordered.h"

__global__ void relay(int* data, volatile int* first, volatile int* second, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        *first = 1;
    } else if (blockIdx.x == 1) {
        while (*first == 0) {
        }
        __threadfence();
        *second = 1;
    } else {
        while (*second == 0) {
        }
        __threadfence();
        *out = *data;
    }
}

int main() {
    int *data = zeros<int>(1), *first = zeros<int>(1), *second = zeros<int>(1), *out = zeros<int>(1);
    relay<<<3, 32>>>(data, first, second, out);
    return verdict(fetch(out, 1)[0] == 7);
}
