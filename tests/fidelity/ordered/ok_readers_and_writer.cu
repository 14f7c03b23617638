// correct
// A lock that many may hold for reading and one for writing.
#include "ordered.h"

__device__ int state;  // readers inside; -1: a writer

__global__ void visit(int* shared_value, int* seen) {
    if (threadIdx.x != 0) return;
    const int b = blockIdx.x;
    if (b % 3 == 0) {
        while (atomicCAS(&state, 0, -1) != 0) {
        }
        __threadfence();
        shared_value[0] += 1;
        shared_value[1] += 1;
        __threadfence();
        atomicExch(&state, 0);
    } else {
        for (;;) {
            const int readers = atomicAdd(&state, 0);
            if (readers >= 0 && atomicCAS(&state, readers, readers + 1) == readers) break;
        }
        __threadfence();
        seen[b] = shared_value[0] == shared_value[1];
        __threadfence();
        atomicSub(&state, 1);
    }
}

int main() {
    int *value = zeros<int>(2), *seen = zeros<int>(60);
    visit<<<60, 32>>>(value, seen);
    const auto got = fetch(seen, 60);
    bool right = fetch(value, 2)[0] == 20;
    for (int b = 0; b < 60; ++b) right = right && got[b] == (b % 3 != 0);
    return verdict(right);
}
