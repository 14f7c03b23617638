// correct
// Seven readers of one hand-over, each with a fence of another kind between the look and the read.
#include "ordered.h"

__device__ int look(volatile int* flag) {
    int seen;
    do {
        seen = *flag;
        __threadfence();
    } while (seen == 0);
    return seen;
}

__global__ void pass(int* data, volatile int* flag, int* again, volatile int* second, int* out) {
    const int t = threadIdx.x, reader = blockIdx.x - 1;
    if (blockIdx.x == 0) {
        data[t] = data[64 + t] = 3 * t;
        __syncthreads();
        __threadfence();
        __syncthreads();
        if (t == 0) *flag = 1;
        return;
    }
    int* mine = out + reader * 64;
    if (reader == 0) {  // every thread fences, behind the barrier
        if (t == 0)
            while (*flag == 0) continue;
        __syncthreads();
        __threadfence();
        mine[t] = data[t];
    } else if (reader == 1) {  // the fence of the loop's last trip
        if (t == 63) look(flag);
        __syncthreads();
        mine[t] = data[t];
    } else if (reader == 2) {  // the fence reaches further than it need
        while (*flag == 0) continue;
        __threadfence_system();
        mine[t] = data[t];
    } else if (reader == 3) {  // a fence of the warp's first lane, told to the others
        if (t % 32 == 0) {
            while (*flag == 0) continue;
            __threadfence();
        }
        __syncwarp();
        mine[t] = data[t];
    } else if (reader == 4) {  // no fence: the data themselves are read with eyes that look at memory
        while (*flag == 0) continue;
        mine[t] = *(volatile int*)&data[t];
    } else if (reader == 5) {  // the look by an atomic; the data by one
        while (atomicAdd((int*)flag, 0) == 0) continue;
        mine[t] = atomicAdd(&data[64 + t], 0);
    } else {  // passes it on: what it fences covers what it has learnt
        if (t == 0) {
            while (*flag == 0) continue;
            *again = 7;
            __threadfence();
            *second = 1;
        }
        if (t == 32) {
            while (*second == 0) continue;
            __threadfence();
        }
        __syncthreads();
        mine[t] = data[t] + *again - 7;
    }
}

int main() {
    int *data = zeros<int>(128), *flag = zeros<int>(1), *again = zeros<int>(1), *second = zeros<int>(1),
        *out = zeros<int>(7 * 64);
    pass<<<8, 64>>>(data, flag, again, second, out);
    const auto got = fetch(out, 7 * 64);
    bool right = true;
    for (int i = 0; i < 7 * 64; ++i) right = right && got[i] == 3 * (i % 64);
    return verdict(right);
}
