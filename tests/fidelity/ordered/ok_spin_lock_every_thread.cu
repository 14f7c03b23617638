// correct
// Every thread takes the lock, lanes of one warp too.
#include "ordered.h"

__device__ int lock;

__global__ void append(int* list, int* count) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            const int at = *count;
            list[at] = blockIdx.x * blockDim.x + threadIdx.x;
            *count = at + 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}

int main() {
    int *list = zeros<int>(128), *count = zeros<int>(1);
    append<<<2, 64>>>(list, count);
    const auto got = fetch(list, 128);
    std::vector<int> seen(128, 0);
    for (const int v : got) ++seen[v];
    bool right = fetch(count, 1)[0] == 128;
    for (const int times : seen) right = right && times == 1;
    return verdict(right);
}
