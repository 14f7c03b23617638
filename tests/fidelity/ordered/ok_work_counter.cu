// correct
// Blocks draw work from a counter; one thread draws and tells the others.
#include "ordered.h"

__device__ int next_item;

__global__ void draw(int* done, int n) {
    __shared__ int item;
    for (;;) {
        if (threadIdx.x == 0) item = atomicAdd(&next_item, 1);
        __syncthreads();
        const int mine = item;
        __syncthreads();
        if (mine >= n) return;
        done[mine * blockDim.x + threadIdx.x] = mine;
    }
}

int main() {
    const int n = 37;
    int* done = zeros<int>(n * 64);
    draw<<<4, 64>>>(done, n);
    const auto got = fetch(done, n * 64);
    bool right = true;
    for (int i = 0; i < n * 64; ++i) right = right && got[i] == i / 64;
    return verdict(right);
}
