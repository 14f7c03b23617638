// correct
// Objects with constructors, made in place in shared memory, each by its thread.
#include "tricky.h"

struct Counter {
    int value;
    int step;
    __device__ explicit Counter(int s) : value(0), step(s) {}
    __device__ int next() { return value += step; }
};

__global__ void count(int* out) {
    __shared__ alignas(Counter) unsigned char room[32 * sizeof(Counter)];
    Counter* mine = new (room + threadIdx.x * sizeof(Counter)) Counter(threadIdx.x);
    mine->next();
    mine->next();
    __syncthreads();
    const auto* all = reinterpret_cast<const Counter*>(room);
    out[threadIdx.x] = all[31 - threadIdx.x].value;
}

int main() {
    int* out = zeros<int>(32);
    count<<<1, 32>>>(out);
    return verdict(fetch(out, 32)[1] == 60);
}
