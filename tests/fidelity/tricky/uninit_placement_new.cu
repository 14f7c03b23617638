// fault: uninit-shared; line: 18
// An object is made in place in shared memory by a constructor that leaves one member without a value.
#include "tricky.h"

struct Counter {
    int value, step;
    __device__ Counter() : value(0) {}
};

__global__ void count(int* out) {
    __shared__ alignas(Counter) unsigned char room[sizeof(Counter)];
    __shared__ Counter* counter;
    if (threadIdx.x == 0) {
        counter = new (room) Counter;
    }
    __syncthreads();
    // The step was never set.
    out[threadIdx.x] = counter->step;
}

int main() {
    int* out = zeros<int>(32);
    count<<<1, 32>>>(out);
    return verdict(true);
}
