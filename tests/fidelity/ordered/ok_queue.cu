// correct
// Producers fill slots of a queue and mark each as ready; one block empties it.
#include "ordered.h"

constexpr int slots = 96;

__global__ void work(int* queue, volatile int* ready, int* tail, int* out) {
    if (blockIdx.x > 0) {
        const int at = atomicAdd(tail, 1);
        queue[at] = 100 + at;
        __threadfence();
        ready[at] = 1;
        return;
    }
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int i = 0; i < slots; ++i) {
        while (ready[i] == 0) {
        }
        __threadfence();
        sum += queue[i];
    }
    *out = sum;
}

int main() {
    int *queue = zeros<int>(slots), *ready = zeros<int>(slots), *tail = zeros<int>(1), *out = zeros<int>(1);
    work<<<4, 32>>>(queue, ready, tail, out);
    return verdict(fetch(out, 1)[0] == slots * 100 + slots * (slots - 1) / 2);
}
